import { useTranslation } from 'react-i18next';
import { minimumOfferCents } from '#contract/rides/lowest-prices.ts';
import type { Side } from '../../core/side.ts';
import { useFormat } from '../../core/use-format.ts';
import { adviceOn } from './price-advice.ts';
import type { Quote } from './use-planned-route.ts';

/** What is usual for this drive, in words; empty where nothing is known. */
export function usePriceAdvice(side: Side, quote: Quote | null): string {
  const { t } = useTranslation('planning');
  const format = useFormat();
  if (quote === null) return '';
  const { asked, shareCents } = adviceOn(side, quote);
  const share = shareCents === null ? '' : format.money(shareCents);
  if (asked === null) return share === '' ? '' : t('price.share', { share });
  const [low, high] = asked.map(format.money);
  const range = low === high ? low : `${low}–${high}`;
  return share === '' ? t('price.asked', { range }) : t('price.askedAndShare', { range, share });
}

/** The same for a passenger's offer, with the least that an offer must be: all that the field says. */
export function useOfferAdvice(quote: Quote | null): string {
  const { t } = useTranslation('planning');
  const format = useFormat();
  const usual = usePriceAdvice('passenger', quote);
  const isNeedless = quote !== null && adviceOn('passenger', quote).isOfferNeedless;
  const rule = t(isNeedless ? 'offer.needless' : 'offer.hint', { amount: format.money(minimumOfferCents) });
  return usual === '' ? rule : t('offer.usual', { usual, rule });
}
