import type { Fit } from './alert-fits.ts';

/** The stored columns of a fit, apart from the order. */
export const hitOf = ({ alertId, verdict: { choice, fareCents } }: Fit, now: Date) => ({
  alertId,
  pickupAt: new Date(choice.pickupMs),
  dropoffAt: new Date(choice.dropoffMs),
  fareCents,
  detourMs: Math.max(0, choice.detourMs),
  foundAt: now,
});
