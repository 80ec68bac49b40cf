import type { Db } from '../../../platform/database/db.ts';
import type { Platform } from '../../../platform/platform.ts';
import { needOf } from '../rules/next-step.ts';
import type { AuthorizationRow } from './store.ts';

/**
 * Emits what has changed about a booking's payment: its state, what it needs, what was captured.
 * @param before null: it is new.
 */
export async function emitChanges(
  { outbox }: Pick<Platform, 'outbox'>,
  tx: Db,
  before: AuthorizationRow | null,
  after: AuthorizationRow,
): Promise<void> {
  if (!after.isCurrent) return;
  const { id: authorizationId, bookingId, rideId, requestId, passengerId, driverId } = after;
  const who = { authorizationId, bookingId, rideId, requestId, passengerId, driverId };
  if (before?.state !== after.state || before.capturedCents !== after.capturedCents)
    await outbox.emit(tx, 'payment.moved', { ...who, state: after.state }, bookingId);
  const need = needOf(after);
  if (need !== null && (before === null || needOf(before) !== need))
    await outbox.emit(tx, 'payment.needed', { ...who, need, isPresent: after.isPresent }, bookingId);
  if (after.capturedCents > (before?.capturedCents ?? 0))
    await outbox.emit(tx, 'payment.captured', { ...who, amountCents: after.capturedCents }, bookingId);
}
