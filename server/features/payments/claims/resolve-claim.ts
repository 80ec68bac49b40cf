import type { Dispute } from '#contract/payments/views.ts';
import type { App } from '../../../app-type.ts';
import type { CommandPlatform } from '../../../platform/command-platform.ts';
import type { Db } from '../../../platform/database/db.ts';
import { movedOn, refuseField } from '../../../platform/refusal.ts';
import { captureOrWaive } from '../authorizations/settle.ts';
import { currentAuthorization, updateGoal, type AuthorizationRow } from '../authorizations/store.ts';
import { viewClaim } from '../view.ts';
import { claimMoved, claimNotFound, emitClaim } from './claim-moved.ts';
import * as store from './store.ts';

/**
 * An admin's decision; what is refunded is at most what was captured, or will be.
 * @param adminId null for the command line
 */
export async function resolveClaim(
  app: Pick<CommandPlatform, 'transact' | 'clock' | 'audit' | 'outbox'>,
  adminId: string | null,
  input: { disputeId: string; refundCents: number; decision: string },
): Promise<Dispute> {
  const { transact, clock, audit } = app;
  const { disputeId: id, refundCents, decision } = input;
  if (decision === '') throw refuseField('dispute.reasonMissing', 'decision', 'Please enter a reason.');
  return transact('resolve claim', async (tx) => {
    const seen = await store.claimById(tx, id);
    if (seen === null) throw claimNotFound();
    const authorization = (await currentAuthorization(tx, seen.bookingId, true))!;
    const owedCents = owedOf(authorization);
    requireRefundable(authorization, owedCents, refundCents);
    const now = clock.now();
    const row = await store.moveClaim(tx, id, ['open', 'answered'], {
      state: 'resolved',
      decision,
      refundCents,
      resolvedAt: now,
      resolvedById: adminId,
    });
    if (row === null) throw claimMoved();
    if (authorization.goal === 'capture') {
      // Should the whole be captured at this very moment, what is too much is refunded.
      const goal =
        authorization.capturedCents > 0
          ? { refundGoalCents: refundCents, nextAt: now }
          : await captureOrWaive(tx, authorization, { cents: owedCents - refundCents, captureAt: now }, now);
      await updateGoal(tx, authorization.id, { ...goal, attempts: 0 }, now);
    }
    const { passengerId: personId } = row;
    await audit.note(tx, { adminId, action: 'dispute.resolved', personId, thingId: id, note: decision });
    await emitClaim(app, tx, row);
    return viewClaim(row);
  });
}

/** The amount that can be refunded: nothing of what is only authorized for a ride to come, or is canceled. */
const owedOf = ({ goal, capturedCents, captureCents }: AuthorizationRow): number =>
  goal !== 'capture' ? 0 : capturedCents > 0 ? capturedCents : captureCents;

function requireRefundable(
  { isChargedBack }: AuthorizationRow,
  owedCents: number,
  refundCents: number,
): void {
  if (refundCents > owedCents)
    throw refuseField(
      'dispute.amountTooHigh',
      'refundCents',
      `The maximum transaction amount allowed is $${owedCents / 100}.`,
      { amountCents: owedCents },
    );
  if (isChargedBack && refundCents > 0)
    throw movedOn('dispute.chargedBack', 'The bank already took this payment back, so you can’t refund it.');
}

/**
 * Closes a booking's unresolved claim, with so much for the passenger.
 * @param set `resolvedById` null: the clock decided.
 */
export async function closeClaim(
  app: App,
  tx: Db,
  bookingId: string,
  set: { refundCents: number; decision: string; resolvedById: string | null },
): Promise<void> {
  for (const { id } of await store.claimsOf(tx, [bookingId])) {
    const row = await store.moveClaim(tx, id, ['open', 'answered'], {
      ...set,
      state: 'resolved',
      resolvedAt: app.clock.now(),
    });
    if (row !== null) await emitClaim(app, tx, row);
  }
}
