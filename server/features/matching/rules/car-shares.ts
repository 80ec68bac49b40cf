import { splitCarPrice } from './price.ts';

interface Place {
  id: string;
  seats: number;
  /** The most that it may come to cost. */
  fareCents: number;
  joinedAt: Date | null;
  /** What was owed for canceling late, or not coming. */
  lateFeeCents: number | null;
}

const joinedFirst = (a: Place, b: Place) =>
  (a.joinedAt?.getTime() ?? 0) - (b.joinedAt?.getTime() ?? 0) || a.id.localeCompare(b.id);

/**
 * What each of those who ride pays. A price per person is what was agreed. A car's price, less what others
 * owe for their places, is shared by seats to the cent, the odd cents to those who joined first; no one pays
 * more than their ceiling, and what lies above it is no one's.
 * @param bookings all that the ride has had, `riders` among them.
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
