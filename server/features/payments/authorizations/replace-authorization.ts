import { randomUUID } from 'node:crypto';
import type { App } from '../../../app-type.ts';
import type { Db } from '../../../platform/database/db.ts';
import { cardToPayWith } from '../cards/sync-cards.ts';
import { plannedOn } from './card-plan.ts';
import { emitChanges } from './signals.ts';
import * as store from './store.ts';
import type { AuthorizationRow } from './store.ts';

/**
 * Replaces an authorization that can no longer be used; what is left of the old one is canceled.
 * @param set the columns in which the new one differs.
 */
export async function replaceAuthorization(
  app: App,
  tx: Db,
  old: AuthorizationRow,
  set: Partial<AuthorizationRow>,
): Promise<AuthorizationRow> {
  const now = app.clock.now();
  await store.updateGoal(tx, old.id, { isCurrent: false, goal: 'cancel', nextAt: now, attempts: 0 }, now);
  const card = await cardToPayWith(app, tx, old.passengerId, old.rideAt);
  const fresh = await store.insertAuthorization(tx, {
    ...agreedOn(old),
    provider: app.payments.provider.kind,
    ...plannedOn(app, card, old.rideAt),
    isPresent: false,
    createdAt: now,
    updatedAt: now,
    ...set,
    id: randomUUID(),
  });
  await emitChanges(app, tx, null, fresh);
  return fresh;
}

/** A driver can be paid again: authorizations refused because they could not are placed again. */
export async function replaceRefused(app: App, driverId: string): Promise<void> {
  await app.transact('replace refused', async (tx) => {
    for (const authorization of await store.authorizationsWithoutAccount(tx, driverId))
      await replaceAuthorization(app, tx, authorization, {});
  });
}

/** The columns that a replacement has in common with its predecessor: the booking, and the goal. */
function agreedOn(
  old: AuthorizationRow,
): Omit<store.NewAuthorization, 'id' | 'provider' | 'state' | 'isPresent' | 'createdAt' | 'updatedAt'> {
  return {
    bookingId: old.bookingId,
    rideId: old.rideId,
    requestId: old.requestId,
    passengerId: old.passengerId,
    driverId: old.driverId,
    orderNumber: old.orderNumber,
    fromName: old.fromName,
    toName: old.toName,
    rideAt: old.rideAt,
    timeZone: old.timeZone,
    seats: old.seats,
    kind: old.kind,
    goal: old.goal,
    amountCents: old.amountCents,
    captureCents: old.captureCents,
    captureAt: old.captureAt,
    settledAt: old.settledAt,
    refundGoalCents: old.refundGoalCents,
  };
}
