const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** When canceling costs what: hours before the ride’s departure, percent of the share. */
export interface CancelTerms {
  freeBeforeHours: number;
  lateWithinHours: number;
  midPercent: number;
  latePercent: number;
  graceMinutes: number;
}

export interface CancelFee {
  cents: number;
  percent: number;
  /** Free because the passenger has joined only minutes ago. */
  isGrace: boolean;
}

/** The fee of a passenger who has joined for canceling now. */
export function cancelFee(
  booking: { fareCents: number; joinedAt: Date | null; departsAt: Date },
  now: Date,
  terms: CancelTerms,
): CancelFee {
  const { fareCents, joinedAt, departsAt } = booking;
  const leftMs = departsAt.getTime() - now.getTime();
  if (joinedAt === null || leftMs > terms.freeBeforeHours * hourMs)
    return { cents: 0, percent: 0, isGrace: false };
  if (leftMs <= terms.lateWithinHours * hourMs) return feeAt(fareCents, terms.latePercent);
  if (now.getTime() - joinedAt.getTime() < terms.graceMinutes * minuteMs)
    return { cents: 0, percent: 0, isGrace: true };
  return feeAt(fareCents, terms.midPercent);
}

/** The part of their price that a passenger who did not come owes. */
export const noShowFee = (fareCents: number, terms: Pick<CancelTerms, 'latePercent'>): number =>
  feeAt(fareCents, terms.latePercent).cents;

const feeAt = (fareCents: number, percent: number): CancelFee => ({
  cents: Math.round((fareCents * percent) / 100),
  percent,
  isGrace: false,
});
