import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { appVersion } from '#contract/app/endpoints.ts';
import { deletionDays, legalVersion } from '#contract/privacy/endpoints.ts';
import { cookieSeconds } from '#contract/privacy/retention.ts';
import type { MoneyTerms } from '#contract/payments/views.ts';
import { minimumPriceCents } from '#contract/rides/lowest-prices.ts';
import { useConfig, type Config } from '../../core/config.ts';
import { bothOf, QueryView } from '../../core/query-view.tsx';
import { useReadingMoneyTerms } from '../../domain/money/money-terms.ts';
import { usePageTitle } from '../../core/navigation.ts';
import { useFormat } from '../../core/use-format.ts';
import { buttonVariants } from '../../ui/button.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';

export type DocumentName = 'teams' | 'privacy' | 'optin' | 'carpool' | 'payment';

/** One legal document: its introduction, then its sections. `note` is above it, `list` below. */
export function LegalDocument({
  name,
  note,
  list,
}: {
  name: DocumentName;
  note?: ReactNode;
  list?: ReactNode;
}) {
  const title = usePageTitle();
  const read = bothOf(useConfig(), useReadingMoneyTerms());
  return (
    <PageLayout title={title} back>
      <QueryView query={read} skeleton={{ rows: 5, kind: 'text' }}>
        {([config, terms]) => (
          <>
            {note}
            <DocumentText name={name} strikes={config.strikes} terms={terms} list={list} />
          </>
        )}
      </QueryView>
    </PageLayout>
  );
}

/** The text of a document, with the figures that the server counts by. */
function DocumentText({
  name,
  strikes,
  terms,
  list,
}: {
  name: DocumentName;
  strikes: Config['strikes'];
  terms: MoneyTerms;
  list: ReactNode;
}) {
  const { t } = useTranslation(['legal', 'settings']);
  const figuresOf = useMoneyFigures();
  const sections = t(`legal:${name}.sections`, {
    returnObjects: true,
    ...strikes,
    deletionDays,
    signupHours: cookieSeconds['sameway-signup'] / 3600,
    oauthMinutes: cookieSeconds['sameway-oauth'] / 60,
    agreeSwitch: t('settings:notifications.agree'),
    ...figuresOf(terms),
  });
  return (
    <>
      <article className="flex max-w-[68ch] flex-col gap-6 pt-2">
        <p className="text-lead">{t(`legal:${name}.intro`)}</p>
        {sections.map((section) => (
          <section key={section.title} className="flex flex-col gap-2">
            <h2 className="text-lead">{section.title}</h2>
            {section.text.filter(Boolean).map((paragraph) => (
              <p key={paragraph} className="text-body text-ink-2">
                {paragraph}
              </p>
            ))}
          </section>
        ))}
        <p className="text-small text-ink-3">
          {t('legal:version', { version: appVersion, legal: legalVersion })}
        </p>
      </article>
      {list}
      <Link to="/pages/feedback/feedback" className={buttonVariants({ tone: 'quiet', full: true })}>
        {t('legal:questions')}
      </Link>
    </>
  );
}

/** The figures of money as the texts name them. */
function useMoneyFigures(): (terms: MoneyTerms) => Record<string, string | number> {
  const { t } = useTranslation('legal');
  const format = useFormat();
  return ({ cancellation, ...terms }) => ({
    minimumOffer: format.money(terms.minimumOfferCents),
    minimumPrice: format.money(minimumPriceCents),
    maxTransaction: format.money(terms.maxTransactionCents),
    serviceFee: terms.serviceFeeBasisPoints / 100,
    cardFee: terms.cardFeeBasisPoints / 100,
    cardFeeFixed: format.money(terms.cardFeeCents),
    holdDays: terms.holdDays,
    disputeHours: terms.disputeHours,
    freeBefore: cancellation.freeBeforeHours,
    lateWithin: cancellation.lateWithinHours,
    midPercent: cancellation.midPercent,
    latePercent: cancellation.latePercent,
    // Without a grace nothing is said of one.
    graceText:
      cancellation.graceMinutes === 0
        ? ''
        : t('grace', { minutes: cancellation.graceMinutes, lateWithin: cancellation.lateWithinHours }),
  });
}
