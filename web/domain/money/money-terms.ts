import { useTranslation } from 'react-i18next';
import { paymentConfig } from '#contract/payments/endpoints.ts';
import type { MoneyTerms } from '#contract/payments/views.ts';
import { now } from '../../core/clock.ts';
import { useCall } from '../../core/queries.ts';
import { useFormat } from '../../core/use-format.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The figures that payments go by here, being read, there, or failed. */
export const useReadingMoneyTerms = () => useCall(paymentConfig, {}, { quiet: true, staleTime: hourMs });

/** The same, undefined until they are read. */
export const useMoneyTerms = (): MoneyTerms | undefined => useReadingMoneyTerms().data;

/** When the hold for a ride is placed: null means as soon as both have agreed. */
function holdAt(departsAt: string, terms: MoneyTerms | undefined): string | null {
  if (terms === undefined) return null;
  const at = Date.parse(departsAt) - terms.holdDays * dayMs;
  return at > now() ? new Date(at).toISOString() : null;
}

/** Whether a hold for a ride is placed as soon as both have agreed, and not only some days before. */
export function useHoldsAtOnce(): (departsAt: string) => boolean {
  const terms = useMoneyTerms();
  return (departsAt) => holdAt(departsAt, terms) === null;
}

/**
 * Explains the hold for a share, at the place where a person agrees to it; empty for a free ride. `atOnce`
 * where that tap alone places the hold, `agreed` where another's yes is needed too.
 */
export function useHoldWords(): (
  fareCents: number,
  departsAt: string,
  timeZone: string,
  how?: 'agreed' | 'atOnce',
) => string {
  const { t } = useTranslation('payments');
  const format = useFormat();
  const terms = useMoneyTerms();
  return (fareCents, departsAt, timeZone, how = 'agreed') => {
    if (fareCents === 0) return '';
    const at = holdAt(departsAt, terms);
    const amount = format.money(fareCents);
    return at === null
      ? t(how === 'atOnce' ? 'hold.atOnce' : 'hold.now', { amount })
      : t('hold.later', { amount, when: format.dayInSentence(at, timeZone) });
  };
}
