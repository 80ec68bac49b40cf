import { splitCarPrice } from '#contract/rides/split-price.ts';

interface Place {
  id: string;
  seats: number;
  /** The most that the booking may cost. */
  fareCents: number;
  joinedAt: Date | null;
  /** The fee owed for a late cancellation or a no-show. */
  lateFeeCents: number | null;
}

const joinedFirst = (a: Place, b: Place) =>
  (a.joinedAt?.getTime() ?? 0) - (b.joinedAt?.getTime() ?? 0) || a.id.localeCompare(b.id);

/**
 * Each riding booking's payment. A price per person is the agreed one. A price per car, less the fees of
 * others, is shared by seats to the cent, the odd cents to those who joined first; no booking pays more than
 * its ceiling, and the excess is not charged.
 * @param bookings all bookings of the ride, `riders` among them.
 */
export function carShares(
  ride: { priceKind: 'perPerson' | 'perCar'; costCents: number },
  riders: readonly Place[],
  bookings: readonly Place[],
): Map<string, number> {
  if (ride.priceKind === 'perPerson') return new Map(riders.map(({ id, fareCents }) => [id, fareCents]));
  const inOrder = riders.toSorted(joinedFirst);
  const isRider = new Set(riders.map(({ id }) => id));
  const fees = bookings.reduce(
    (sum, { id, lateFeeCents }) => sum + (isRider.has(id) ? 0 : (lateFeeCents ?? 0)),
    0,
  );
  const parts = splitCarPrice(
    Math.max(0, ride.costCents - fees),
    inOrder.map(({ seats }) => seats),
  );
  return new Map(inOrder.map(({ id, fareCents }, index) => [id, Math.min(fareCents, parts[index]!)]));
}
