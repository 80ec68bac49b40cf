const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** When cancelling costs what: hours before pick-up, percent of the share. */
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

/** What a passenger who has joined owes for cancelling now. */
export function cancelFee(
  booking: { fareCents: number; joinedAt: Date | null; pickupAt: Date },
  now: Date,
  terms: CancelTerms,
): CancelFee {
  const { fareCents, joinedAt, pickupAt } = booking;
  const leftMs = pickupAt.getTime() - now.getTime();
  if (joinedAt === null || leftMs > terms.freeBeforeHours * hourMs)
    return { cents: 0, percent: 0, isGrace: false };
  if (leftMs <= terms.lateWithinHours * hourMs) return feeAt(fareCents, terms.latePercent);
  if (now.getTime() - joinedAt.getTime() < terms.graceMinutes * minuteMs)
    return { cents: 0, percent: 0, isGrace: true };
  return feeAt(fareCents, terms.midPercent);
}

const feeAt = (fareCents: number, percent: number): CancelFee => ({
  cents: Math.round((fareCents * percent) / 100),
  percent,
  isGrace: false,
});
