import { Link } from '@tanstack/react-router';
import { CircleCheckBig, CircleX, Clock, LoaderCircle, TriangleAlert, type LucideIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { paymentAccount } from '#contract/payments/endpoints.ts';
import type { PaymentAccountState } from '#contract/payments/views.ts';
import { errorWords } from '../../core/errors.ts';
import { usePageTitle } from '../../core/navigation.ts';
import { useCall } from '../../core/queries.ts';
import { Missing } from '../../features/payments/account-words.tsx';
import { OnboardButton } from '../../features/payments/onboard-button.tsx';
import { TestMoney } from '../../features/payments/test-money.tsx';
import { useDriverDraft } from '../../features/planning/draft.ts';
import { buttonVariants } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { EmptyState, ErrorState } from '../../ui/surfaces.tsx';

const icons: Record<PaymentAccountState, LucideIcon> = {
  none: Clock,
  started: Clock,
  verified: CircleCheckBig,
  restricted: TriangleAlert,
  rejected: CircleX,
};
/**
 * The provider's answer arrives within seconds; after this long the page shows the state and leaves it at
 * that.
 */
const askForMs = 20_000;
const askEveryMs = 2_000;

/** After the provider's pages: asks how it went, says so, and leads on. */
export function Page() {
  const { t } = useTranslation(['payments', 'common']);
  const title = usePageTitle();
  const waiting = useWaiting();
  const { data, error, refetch } = useCall(
    paymentAccount,
    {},
    { quiet: true, staleTime: 0, ...(waiting ? { refetchInterval: askEveryMs } : {}) },
  );
  const state = data?.state;
  if (state === undefined || (state === 'started' && waiting)) {
    return (
      <PageLayout title={title} back>
        <TestMoney />
        {error !== null && state === undefined ? (
          <ErrorState
            title={t('payments:account.failed')}
            text={errorWords(error)}
            retryLabel={t('common:retry')}
            onRetry={() => void refetch()}
          />
        ) : (
          <EmptyState
            icon={<LoaderCircle className="animate-spin" />}
            title={t('payments:landing.checking')}
            text={t('payments:landing.checkingText')}
          />
        )}
      </PageLayout>
    );
  }
  const Icon = icons[state];
  return (
    <PageLayout title={title} back action={<Next state={state} />}>
      <TestMoney />
      <div aria-live="polite">
        <EmptyState
          icon={<Icon />}
          title={t(`payments:landing.${state}`)}
          text={t(`payments:landing.${state}Text`)}
        />
      </div>
      <Missing missing={data?.missing ?? []} />
    </PageLayout>
  );
}

function useWaiting(): boolean {
  const [waiting, setWaiting] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setWaiting(false), askForMs);
    return () => clearTimeout(timer);
  }, []);
  return waiting;
}

/** The one next step: on with the plan that was interrupted, on with the set-up, or back to Payments. */
function Next({ state }: { state: PaymentAccountState }) {
  const { t } = useTranslation('payments');
  const [draft] = useDriverDraft();
  if (state === 'verified') {
    const isPlanning = draft.from !== null && draft.to !== null;
    return (
      <Link to={isPlanning ? '/pages/order/confirm' : '/'} className={buttonVariants({ full: true })}>
        {t(isPlanning ? 'landing.toDraft' : 'landing.plan')}
      </Link>
    );
  }
  return (
    <>
      {state !== 'rejected' && <OnboardButton label={t(`account.action.${state}`)} />}
      <Link
        to="/pages/account/payments"
        search={{ view: 'earn' }}
        className={buttonVariants({ full: true, tone: 'quiet' })}
      >
        {t('landing.toPayments')}
      </Link>
    </>
  );
}
