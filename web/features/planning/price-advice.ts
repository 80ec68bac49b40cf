import { minimumOfferCents, minimumPriceCents } from '#contract/rides/lowest-prices.ts';
import type { Side } from '../../core/side.ts';
import type { Quote } from './use-planned-route.ts';

type Asked = Pick<Quote, 'advisedShareCents' | 'askedLowCents' | 'askedHighCents'>;

/** What is known about prices for a drive; no figure of it is below what may be asked or offered. */
export interface PriceAdvice {
  /** What drivers ask a person for about this distance. */
  asked: readonly [lowCents: number, highCents: number] | null;
  /** A person's part of what the drive costs; null where an offer must be higher. */
  shareCents: number | null;
  /** Drivers ask less than an offer must be: it is better left open. */
  isOfferNeedless: boolean;
}

export function adviceOn(side: Side, quote: Asked): PriceAdvice {
  const { advisedShareCents: share, askedLowCents: low, askedHighCents: high } = quote;
  const asked = low === null || high === null ? null : ([low, high] as const);
  if (side === 'driver')
    return { asked, shareCents: Math.max(share, minimumPriceCents), isOfferNeedless: false };
  return {
    asked,
    shareCents: share > minimumOfferCents ? share : null,
    isOfferNeedless: asked !== null && asked[1] <= minimumOfferCents,
  };
}
