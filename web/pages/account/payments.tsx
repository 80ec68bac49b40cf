import { Link, useNavigate } from '@tanstack/react-router';
import { Printer, ReceiptText } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { receipts } from '#contract/payments/endpoints.ts';
import { errorWords } from '../../core/errors.ts';
import { Settled } from '../../core/settled.tsx';
import { usePageSearch, usePageTitle } from '../../core/navigation.ts';
import { invalidate } from '../../core/query-client.ts';
import { useCall } from '../../core/queries.ts';
import { AccountSection } from '../../features/payments/account-section.tsx';
import { Cards } from '../../features/payments/cards.tsx';
import { Earnings } from '../../features/payments/earnings.tsx';
import { ReceiptSheet } from '../../features/payments/receipt-sheet.tsx';
import { Receipts } from '../../features/payments/receipts.tsx';
import { TestMoney } from '../../features/payments/test-money.tsx';
import { Button, buttonVariants } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/surfaces.tsx';
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
  const { t } = useTranslation(['payments', 'common']);
  const { data, error, refetch } = useCall(receipts, { bookingId }, { quiet: true });
  const receipt = data?.receipts[0];
  return (
    <PageLayout title={t('payments:receipt.title')} back>
      <TestMoney />
      {receipt !== undefined ? (
        <>
          <ReceiptSheet receipt={receipt} />
          <div className="flex flex-col gap-2 print:hidden">
            <Button full icon={<Printer aria-hidden className="size-5" />} onClick={() => print()}>
              {t('payments:receipt.print')}
            </Button>
            <Link
              to="/pages/order/detail"
              search={{ id: receipt.requestId }}
              className={buttonVariants({ tone: 'quiet', full: true })}
            >
              {t('payments:receipt.openRide')}
            </Link>
          </div>
        </>
      ) : data !== undefined ? (
        <EmptyState
          icon={<ReceiptText />}
          title={t('payments:receipt.missing')}
          text={t('payments:receipt.missingText')}
          action={
            <Link to="/pages/account/payments" className={buttonVariants({ small: true })}>
              {t('payments:receipt.back')}
            </Link>
          }
        />
      ) : error !== null ? (
        <ErrorState
          title={t('payments:failed')}
          text={errorWords(error)}
          retryLabel={t('common:retry')}
          onRetry={() => void refetch()}
        />
      ) : (
        <Skeleton label={t('common:loading')} rows={1} kind="cards" />
      )}
    </PageLayout>
  );
}
