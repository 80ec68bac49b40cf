import type { Platform } from '../../../platform/platform.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Disputes } from './service.ts';
import { wantedFor } from '../authorizations/capture-or-waive.ts';
import * as store from '../store.ts';

/**
 * A share that is due for a part of the way, because the ride ended there: it waits while it can be objected to. An admin
 * may settle it earlier, or at less; what was objected to and nobody has decided in time is let go.
 */
export function createPartWay({ db, transact, clock }: Platform, disputes: Pick<Disputes, 'close'>) {
  return {
    /**
     * Takes so much at once, and closes an objection by it; the rest of the hold is let go.
     * @returns false where nothing waits any more, or less is due.
     */
    async settlePartWay(
      tx: Db,
      adminId: string,
      { bookingId, takeCents, note }: { bookingId: string; takeCents: number; note: string },
    ): Promise<boolean> {
      const hold = await store.currentHold(tx, bookingId, true);
      const waits = hold !== null && hold.kind === 'partWay' && hold.goal === 'take' && hold.takenCents === 0;
      if (!waits || takeCents > hold.takeCents) return false;
      const now = clock.now();
      const refundCents = hold.takeCents - takeCents;
      await disputes.close(tx, bookingId, { refundCents, decision: note, resolvedById: adminId });
      const wanted = await wantedFor(tx, hold.id, { cents: takeCents, takeAt: now }, now);
      await store.want(tx, hold.id, { ...wanted, attempts: 0 }, now);
      return true;
    },

    /** By the clock: nobody pays what they object to for a ride that did not arrive, unless an admin has decided so. */
    async letGoUndecided(): Promise<void> {
      for (const { id, bookingId } of await store.undecidedPartWays(db, clock.now()))
        await transact(async (tx) => {
          const hold = await store.lockHold(tx, id);
          if (hold === null || !hold.isCurrent || hold.goal !== 'take') return;
          const now = clock.now();
          const isTaken = hold.takenCents > 0;
          const refundCents = isTaken ? hold.takenCents : hold.takeCents;
          await disputes.close(tx, bookingId, { refundCents, decision: '', resolvedById: null });
          const wanted = isTaken ? { refundGoalCents: refundCents } : ({ goal: 'release' } as const);
          await store.want(tx, id, { ...wanted, nextAt: now, attempts: 0 }, now);
        });
    },
  };
}
