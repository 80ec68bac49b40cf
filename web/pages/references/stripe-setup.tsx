import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { paymentAccount } from '#contract/payments/endpoints.ts';
import type { MoneyTerms } from '#contract/payments/views.ts';
import { feesOf } from '../../domain/money/fees.ts';
import { useMoneyTerms } from '../../domain/money/money-terms.ts';
import { usePageTitle } from '../../core/navigation.ts';
import { useCall } from '../../core/queries.ts';
import { PartView } from '../../core/query-view.tsx';
import { useFormat } from '../../core/use-format.ts';
import { AccountChip, Missing } from '../../features/payments/account-words.tsx';
import { OnboardButton } from '../../features/payments/onboard-button.tsx';
import { TestMoney } from '../../features/payments/test-money.tsx';
import { useDriverDraft } from '../../features/planning/draft.ts';
import { buttonVariants } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { Banner, Card } from '../../ui/surfaces.tsx';

const steps = ['open', 'check', 'price'] as const;
/** The share that the example of the fees is about. */
const exampleCents = 10_00;

/** How a driver sets up being paid, and the way there. */
export function Page() {
  const { t } = useTranslation('payments');
  const account = useCall(paymentAccount, {}, { quiet: true });
  const { data } = account;
  const terms = useMoneyTerms();
  const [draft] = useDriverDraft();
  return (
    <PageLayout title={usePageTitle()} back action={data && <Next state={data.state} />}>
      <TestMoney />
      <div className="flex flex-col gap-2">
        <h2 className="text-heading">{t('setup.title')}</h2>
        <p className="text-body text-ink-2">{t('setup.text')}</p>
      </div>
      <PartView query={account} failed={t('account.failed')}>
        {({ state, missing }) => (
          <div className="flex flex-col items-start gap-2">
            <AccountChip state={state} />
            <p className="text-body text-ink-2">{t(`account.text.${state}`)}</p>
            <Missing missing={missing} />
          </div>
        )}
      </PartView>
      <Card>
        <ol className="flex flex-col gap-4">
          {steps.map((step, index) => (
            <li key={step} className="flex gap-3">
              <span
                aria-hidden
                className="figures grid size-7 shrink-0 place-items-center rounded-full bg-brand-soft font-semibold text-brand-ink"
              >
                {index + 1}
              </span>
              <div>
                <h3 className="text-lead">{t(`setup.steps.${step}`)}</h3>
                <p className="text-body text-ink-2">{t(`setup.steps.${step}Text`)}</p>
              </div>
            </li>
          ))}
        </ol>
      </Card>
      {terms && <Fees terms={terms} />}
      {draft.from !== null && draft.to !== null && <Banner kind="info">{t('setup.draftKept')}</Banner>}
    </PageLayout>
  );
}

function Fees({ terms }: { terms: MoneyTerms }) {
  const { t } = useTranslation('payments');
  const format = useFormat();
  const percent = (basisPoints: number) => String(basisPoints / 100);
  return (
    <p className="text-body text-ink-2">
      {t('setup.fees', {
        service: percent(terms.serviceFeeBasisPoints),
        card: percent(terms.cardFeeBasisPoints),
        fixed: format.money(terms.cardFeeCents),
        example: format.money(exampleCents),
        net: format.money(exampleCents - feesOf(exampleCents, terms)),
      })}
    </p>
  );
}

function Next({ state }: { state: 'none' | 'started' | 'verified' | 'restricted' | 'rejected' }) {
  const { t } = useTranslation('payments');
  if (state === 'rejected') {
    return (
      <Link to="/pages/feedback/feedback" className={buttonVariants({ full: true })}>
        {t('account.support')}
      </Link>
    );
  }
  if (state === 'verified') {
    return (
      <Link to="/" className={buttonVariants({ full: true })}>
        {t('landing.plan')}
      </Link>
    );
  }
  return <OnboardButton label={t(`account.action.${state}`)} />;
}
