import type { Platform } from '../../../platform/platform.ts';
import { dayMs, later } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Disputes } from './service.ts';
import { takeBeforeEndMs } from '../rules/next-step.ts';
import * as store from '../store.ts';

/** Where the card provider does not say how long a hold stands. */
const usualDecisionMs = 4 * dayMs;

/** Until when it must be decided what becomes of a hold; null where nothing is held. */
const decideBy = (hold: store.HoldRow, now: Date): Date | null =>
  hold.goal !== 'hold' || hold.state !== 'requires_capture'
    ? null
    : hold.holdEndsAt === null
      ? later(now, usualDecisionMs)
      : later(hold.holdEndsAt, -takeBeforeEndMs);

/**
 * Money of which two people say different things: it stays held as an objection of the passenger, until an admin decides
 * or there is no more time to; then it is let go (`letGoUndecided`).
 */
export function createContested({ clock }: Platform, disputes: Pick<Disputes, 'openFor'>) {
  return {
    /** Until when each of these bookings' money must be decided about; bookings without a hold have none. */
    async decideBy(tx: Db, bookingIds: readonly string[]): Promise<Date[]> {
      const now = clock.now();
      return (await store.currentHolds(tx, bookingIds)).flatMap((hold) => decideBy(hold, now) ?? []);
    },

    /** Leaves a booking's share to an admin; nothing is taken by itself. */
    async contest(tx: Db, { id, fareCents }: { id: string; fareCents: number }, text: string): Promise<void> {
      const hold = await store.currentHold(tx, id, true);
      if (hold === null || hold.goal !== 'hold') return;
      const now = clock.now();
      const takeAt = decideBy(hold, now);
      const takeCents = Math.min(fareCents, hold.amountCents);
      const common = { settledAt: now, attempts: 0, trouble: null };
      if (takeAt === null || takeAt <= now || takeCents === 0) {
        await store.want(tx, hold.id, { ...common, goal: 'release', nextAt: now }, now);
        return;
      }
      const waiting = { goal: 'take', kind: 'contested', takeCents, takeAt, nextAt: takeAt } as const;
      await store.want(tx, hold.id, { ...common, ...waiting }, now);
      await disputes.openFor(tx, hold, text);
    },
  };
}
