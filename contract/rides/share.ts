import type { Booking, Ride } from './views.ts';

/** A passenger's price: the captured amount, less refunds, or else their share. */
export const shareOf = ({ fareCents, payment }: Pick<Booking, 'fareCents' | 'payment'>): number =>
  payment !== null && payment.capturedCents > 0 ? payment.capturedCents - payment.refundedCents : fareCents;

/** The least that a share may come to; nothing where it is known. */
export const leastOf = ({
  fareCents,
  leastCents,
  payment,
}: Pick<Booking, 'fareCents' | 'leastCents' | 'payment'>): { leastCents?: number } =>
  (payment?.capturedCents ?? 0) > 0 || leastCents >= fareCents ? {} : { leastCents };

/**
 * The certainty of a share: of a car's price it is known at the end, of a ride that is over it has been paid.
 */
export type ShareIs = 'exact' | 'upTo' | 'paid';

/** The one answer, for the list, the ride's page and its price lines, to whether a share may still change. */
export function shareIs(
  { state, payment }: Pick<Booking, 'state' | 'payment'>,
  priceKind: Ride['priceKind'],
): ShareIs {
  if (payment !== null && payment.capturedCents > 0) return 'paid';
  if (state === 'finished') return 'exact';
  return priceKind === 'perCar' ? 'upTo' : 'exact';
}
