import type { App } from '../../../app-type.ts';
import type { Db } from '../../../platform/database/db.ts';
import { captureOrWaive } from '../authorizations/settle.ts';
import { currentAuthorization, lockAuthorization, updateGoal } from '../authorizations/store.ts';
import { refundAll } from '../rules/claims.ts';
import { closeClaim } from './resolve-claim.ts';
import { undecidedFares } from './store.ts';

/**
 * An admin decides a share that is due for a part of the way, before its time or at less: it is captured at
 * once, a claim is closed by it, and the rest of the authorization is canceled.
 * @returns false where nothing waits any more, or less is due.
 */
export async function settlePartWayFare(
  app: App,
  tx: Db,
  adminId: string,
  { bookingId, captureCents, note }: { bookingId: string; captureCents: number; note: string },
): Promise<boolean> {
  const authorization = await currentAuthorization(tx, bookingId, true);
  if (authorization === null) return false;
  const { id, kind, goal, capturedCents } = authorization;
  const waits = kind === 'partWay' && goal === 'capture' && capturedCents === 0;
  if (!waits || captureCents > authorization.captureCents) return false;
  const now = app.clock.now();
  const refundCents = authorization.captureCents - captureCents;
  await closeClaim(app, tx, bookingId, { refundCents, decision: note, resolvedById: adminId });
  const wanted = await captureOrWaive(tx, authorization, { cents: captureCents, captureAt: now }, now);
  await updateGoal(tx, id, { ...wanted, attempts: 0 }, now);
  return true;
}

/**
 * By the clock: a passenger pays nothing of what they object to for a ride that did not arrive, unless an
 * admin has decided so.
 */
export async function cancelUndecided(app: App): Promise<void> {
  const { db, transact, clock } = app;
  for (const { id, bookingId } of await undecidedFares(db, clock.now()))
    await transact('cancel undecided', async (tx) => {
      const authorization = await lockAuthorization(tx, id);
      if (authorization === null || !authorization.isCurrent || authorization.goal !== 'capture') return;
      const now = clock.now();
      const { refundCents, goal } = refundAll(authorization);
      await closeClaim(app, tx, bookingId, { refundCents, decision: '', resolvedById: null });
      await updateGoal(tx, id, { ...goal, nextAt: now, attempts: 0 }, now);
    });
}
