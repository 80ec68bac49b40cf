import type { BookingPayment } from '#contract/payments/views.ts';

/** A route as it was agreed, and how far along it the car has come. */
export interface Progress {
  /** Road metres from each stop to the next one. */
  legs: readonly number[];
  /** The last stop that the car has surely left. */
  passed: number;
  /**
   * Road metres from where the car stands to the stop after that; null where nobody knows where it stands.
   */
  toNextMetres: number | null;
}

export interface Ridden {
  wayMetres: number;
  riddenMetres: number;
}

/**
 * What of a passenger's way, from their pick-up to their drop-off, has been ridden: the way less what is
 * still to drive, and at least what lies between stops that the car has left. Where the car stands off its
 * route, more is left to drive: a doubt is the passenger's gain.
 */
export function riddenOf(
  { legs, passed, toNextMetres }: Progress,
  { pickup, dropoff }: { pickup: number; dropoff: number },
): Ridden {
  const between = (from: number, to: number) =>
    legs.slice(from, Math.max(from, to)).reduce((sum, metres) => sum + metres, 0);
  const wayMetres = between(pickup, dropoff);
  const byStops = between(pickup, Math.min(passed, dropoff));
  const leftMetres = toNextMetres === null ? wayMetres : toNextMetres + between(passed + 1, dropoff);
  const riddenMetres = Math.min(wayMetres, Math.max(0, byStops, wayMetres - leftMetres));
  return { wayMetres, riddenMetres };
}

/** The part of a share that was ridden, in whole cents and never a cent too much. */
export const shareRidden = (fareCents: number, { wayMetres, riddenMetres }: Ridden): number =>
  wayMetres === 0 ? 0 : Math.floor((fareCents * Math.min(riddenMetres, wayMetres)) / wayMetres);

/** What of a payment tells what a share has come to. */
export type SharePayment = Pick<BookingPayment, 'takenCents' | 'refundedCents'> & {
  dispute: Pick<NonNullable<BookingPayment['dispute']>, 'state' | 'refundCents'> | null;
};

/** What such a part has come to; null while it may still be objected to and nobody has decided. */
export function settledShare(
  { shareCents, decidedCents }: { shareCents: number; decidedCents: number | null },
  payment: SharePayment | null,
): number | null {
  if (payment !== null && payment.takenCents > 0) return payment.takenCents - payment.refundedCents;
  if (decidedCents !== null) return decidedCents;
  if (shareCents === 0 || payment === null) return 0;
  return payment.dispute?.state === 'resolved' ? shareCents - (payment.dispute.refundCents ?? 0) : null;
}
