import type { cardStates } from '#contract/payments/views.ts';

interface Expiry {
  expiryMonth: number;
  expiryYear: number;
}

/**
 * The first instant at which a card is no longer good: the month after its last one, where that begins
 * latest.
 */
const endOf = ({ expiryMonth, expiryYear }: Expiry): number =>
  Date.UTC(expiryYear, expiryMonth, 1) + 12 * 3_600_000;

/** Whether a card is still good at an instant. */
export const isUsable = (card: Expiry, at: Date): boolean => at.getTime() < endOf(card);

/** Expired, in its last two months, or good for longer. */
export function cardState(card: Expiry, now: Date): (typeof cardStates)[number] {
  if (!isUsable(card, now)) return 'expired';
  const months = (card.expiryYear - now.getUTCFullYear()) * 12 + card.expiryMonth - (now.getUTCMonth() + 1);
  return months <= 1 ? 'expiring' : 'ready';
}
