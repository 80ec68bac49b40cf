import { dayMs } from '../../../platform/clock.ts';

/**
 * A sum that should come to zero at rest and is open: since when, and how much of it all this time, negative
 * on the other side.
 */
export interface OpenSum {
  since: string;
  cents: number;
  /** The amount that admins were notified of; null where they were not. */
  toldCents: number | null;
}

/**
 * How long a sum may be open: money that a bank returns can be sent on to a driver only once it is available,
 * two business days later, over a long weekend four.
 */
const staysMs = 4 * dayMs;

/**
 * The sum after another check; null where it is closed. Money on its way at each check moves between zero and
 * another amount: the least of them is what stays.
 */
export function openSumAfter(before: OpenSum | undefined, cents: number, now: Date): OpenSum | null {
  if (cents === 0) return null;
  if (before === undefined || Math.sign(before.cents) !== Math.sign(cents))
    return { since: now.toISOString(), cents, toldCents: null };
  return { ...before, cents: Math.abs(cents) < Math.abs(before.cents) ? cents : before.cents };
}

/** Whether admins must be notified: it stays for too long, and not in the amount they were notified of. */
export const isToBeTold = ({ since, cents, toldCents }: OpenSum, now: Date): boolean =>
  now.getTime() - Date.parse(since) >= staysMs && cents !== toldCents;
