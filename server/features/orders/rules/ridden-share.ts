import type { BookingPayment } from '#contract/payments/views.ts';

/** An agreed route, and how far the car has come on it. */
export interface Progress {
  /** Road meters from each stop to the next one. */
  legs: readonly number[];
  /** The last stop that the car has surely left. */
  passed: number;
  /** Road meters from the car to the stop after that; null where its position is unknown. */
  toNextMetres: number | null;
}

export interface Ridden {
  routeMetres: number;
  riddenMetres: number;
}

/**
 * How much of a passenger's drive, from pick-up to drop-off, has been ridden: the drive less what is still to
 * drive, and at least the legs between stops that the car has left. A car off its route has more left to
 * drive, in the passenger's favor.
 */
export function riddenOf(
  { legs, passed, toNextMetres }: Progress,
  { pickup, dropoff }: { pickup: number; dropoff: number },
): Ridden {
  const between = (from: number, to: number) =>
    legs.slice(from, Math.max(from, to)).reduce((sum, metres) => sum + metres, 0);
  const routeMetres = between(pickup, dropoff);
  const byStops = between(pickup, Math.min(passed, dropoff));
  const leftMetres = toNextMetres === null ? routeMetres : toNextMetres + between(passed + 1, dropoff);
  const riddenMetres = Math.min(routeMetres, Math.max(0, byStops, routeMetres - leftMetres));
  return { routeMetres, riddenMetres };
}

/** The part of a share that was ridden, in whole cents, rounded down. */
export const shareRidden = (fareCents: number, { routeMetres, riddenMetres }: Ridden): number =>
  routeMetres === 0 ? 0 : Math.floor((fareCents * Math.min(riddenMetres, routeMetres)) / routeMetres);

/** The columns of a payment that show what a share came to. */
export type SharePayment = Pick<BookingPayment, 'capturedCents' | 'refundedCents'> & {
  dispute: Pick<NonNullable<BookingPayment['dispute']>, 'state' | 'refundCents'> | null;
};

/** The final amount of such a share; null while it can be objected to and is not decided. */
export function settledShare(
  { shareCents, decidedCents }: { shareCents: number; decidedCents: number | null },
  payment: SharePayment | null,
): number | null {
  if (payment !== null && payment.capturedCents > 0) return payment.capturedCents - payment.refundedCents;
  if (decidedCents !== null) return decidedCents;
  if (shareCents === 0 || payment === null) return 0;
  return payment.dispute?.state === 'resolved' ? shareCents - (payment.dispute.refundCents ?? 0) : null;
}
