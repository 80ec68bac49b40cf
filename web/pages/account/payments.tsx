import { Link, useNavigate } from '@tanstack/react-router';
import { Printer, ReceiptText } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { receipts } from '#contract/payments/endpoints.ts';
import { Settled } from '../../core/settled.tsx';
import { usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { invalidate } from '../../core/query-client.ts';
import { useCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { AccountSection } from '../../features/payments/account-section.tsx';
import { Cards } from '../../features/payments/cards.tsx';
import { Earnings } from '../../features/payments/earnings.tsx';
import { ReceiptSheet } from '../../features/payments/receipt-sheet.tsx';
import { Receipts } from '../../features/payments/receipts.tsx';
import { TestMoney } from '../../features/payments/test-money.tsx';
import { Button, buttonVariants } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { EmptyState } from '../../ui/surfaces.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { toast } from '../../ui/toasts.tsx';

/**
 * Payments: cards and receipts of a passenger, account and earnings of a driver; `receipt` opens one receipt.
 */
export function Page() {
  const { receipt } = usePageSearch('/pages/account/payments');
  return receipt === undefined ? <Payments /> : <OneReceipt bookingId={receipt} />;
}

const views = ['pay', 'earn'] as const;

function Payments() {
  const { t } = useTranslation('payments');
  const title = usePageTitle();
  const navigate = useNavigate();
  const { view = 'pay' } = usePageSearch('/pages/account/payments');
  useCardAdded();
  return (
    <PageLayout title={title} back>
      <Settled key={view} skeleton={{ kind: 'rows', rows: 5 }}>
        <TestMoney />
        <Tabs
          label={t('tabs.label')}
          tabs={views.map((value) => ({ value, label: t(`tabs.${value}`) }))}
          value={view}
          onChange={(next) =>
            void navigate({ to: '/pages/account/payments', search: { view: next }, replace: true })
          }
        >
          <div className="flex flex-col gap-6">
            {view === 'pay' ? (
              <>
                <Cards />
                <Receipts />
              </>
            ) : (
              <>
                <AccountSection />
                <Earnings />
              </>
            )}
          </div>
        </Tabs>
        <Link to="/pages/legal/payment" className={buttonVariants({ tone: 'quiet', full: true })}>
          {t('rules')}
        </Link>
      </Settled>
    </PageLayout>
  );
}

/** Back from the provider's card page: says how it went, once. */
function useCardAdded(): void {
  const { t } = useTranslation('payments');
  const navigate = useNavigate();
  const { added, redirect_status: result } = usePageSearch('/pages/account/payments');
  useEffect(() => {
    if (added === undefined) return;
    if (result === 'succeeded') {
      toast.done(t('cards.added'));
      void invalidate('/payment/', '/order/');
    } else if (result !== undefined) toast.error(t('cards.notAdded'));
    void navigate({ to: '/pages/account/payments', search: {}, replace: true });
  }, [added, result, navigate, t]);
}

function OneReceipt({ bookingId }: { bookingId: string }) {
  const { t } = useTranslation('payments');
  const read = useCall(receipts, { bookingId }, { quiet: true });
  return (
    <PageLayout title={t('receipt.title')} back>
      <TestMoney />
      <QueryView query={read} failed={t('failed')} skeleton={{ rows: 1, kind: 'cards' }}>
        {({ receipts: [receipt] }) =>
          receipt === undefined ? (
            <NoReceipt />
          ) : (
            <>
              <ReceiptSheet receipt={receipt} />
              <div className="flex flex-col gap-2 print:hidden">
                <Button full icon={<Printer aria-hidden className="size-5" />} onClick={() => print()}>
                  {t('receipt.print')}
                </Button>
                <Link
                  to="/pages/order/detail"
                  search={{ id: receipt.requestId }}
                  className={buttonVariants({ tone: 'quiet', full: true })}
                >
                  {t('receipt.openRide')}
                </Link>
              </div>
            </>
          )
        }
      </QueryView>
    </PageLayout>
  );
}

function NoReceipt() {
  const { t } = useTranslation('payments');
  return (
    <EmptyState
      icon={<ReceiptText />}
      title={t('receipt.missing')}
      text={t('receipt.missingText')}
      action={
        <Link to="/pages/account/payments" className={buttonVariants({ small: true })}>
          {t('receipt.back')}
        </Link>
      }
    />
  );
}
