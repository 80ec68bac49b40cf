import { lowestPriceCents, minimumPriceCents } from '#contract/rides/lowest-prices.ts';
import type { PlanValues } from './plan-values.ts';
import type { Quote } from './use-planned-route.ts';

export type PriceChoice = NonNullable<PlanValues['price']>;

const step = 50;
const rounded = (cents: number) => Math.round(cents / step) * step;

/** A price to begin with: the advised share in round figures, never below the lowest that works. */
export function suggestedCents(kind: 'perPerson' | 'perCar', seats: number, advised: number): number {
  const lowestCents = lowestPriceCents({ priceKind: kind, seats });
  return Math.max(lowestCents, rounded(kind === 'perCar' ? advised * seats : advised));
}

/**
 * What the driver asks: their own choice, else the advice. A way too short for the minimum price begins free,
 * and so does any where the driver cannot be paid yet.
 */
export function pricingOf(
  { price, costCents, seats }: Pick<PlanValues, 'price' | 'costCents' | 'seats'>,
  quote: Pick<Quote, 'advisedShareCents'> | null,
  canBePaid: boolean | null,
): { kind: PriceChoice; costCents: number } {
  const advised = quote?.advisedShareCents ?? 0;
  const kind = price ?? (advised >= minimumPriceCents && canBePaid !== false ? 'perPerson' : 'free');
  if (kind === 'free') return { kind, costCents: 0 };
  return { kind, costCents: costCents ?? suggestedCents(kind, seats, advised) };
}
