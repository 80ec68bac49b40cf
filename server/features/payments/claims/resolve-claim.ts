import type { Dispute } from '#contract/payments/views.ts';
import type { OutputOf } from '#contract/define.ts';
import type { listDisputes } from '#contract/payments/endpoints.ts';
import type { App } from '../../../app-type.ts';
import type { CommandPlatform } from '../../../platform/command-platform.ts';
import type { Db } from '../../../platform/database/db.ts';
import { movedOn, refuseField, notFound } from '../../../platform/refusal.ts';
import { contactDetailsOf, peopleByIds } from '../../identity/service.ts';
import { captureOrWaive, resumeAuthorization } from '../authorizations/plan-authorization.ts';
import {
  currentAuthorization,
  updateGoal,
  type AuthorizationRow,
  lockAuthorization,
} from '../authorizations/store.ts';
import { latestReconciliation } from '../reconciliation/store.ts';
import { refundAll } from '../rules/claims.ts';
import { viewClaim, viewPayment } from '../view.ts';
import * as store from './store.ts';
import { undecidedFares, type ClaimRow } from './store.ts';

/** The driver tells their side, once. Refuses `dispute.notFound` and `dispute.moved`. */
export async function answerClaim(
  app: App,
  driverId: string,
  claimId: string,
  text: string,
): Promise<Dispute> {
  const { db, transact, clock } = app;
  const seen = await store.claimById(db, claimId);
  if (seen === null || seen.driverId !== driverId) throw claimNotFound();
  return transact('answer claim', async (tx) => {
    const row = await store.moveClaim(tx, claimId, ['open'], {
      state: 'answered',
      answer: text,
      answeredAt: clock.now(),
    });
    if (row === null) throw claimMoved();
    await emitClaim(app, tx, row);
    return viewClaim(row);
  });
}

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
async function closeClaim(
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

/** A booking goes on after all: undoes its final fare, and closes a claim about it. */
export async function resumePayment(app: App, tx: Db, bookingId: string, amountCents: number): Promise<void> {
  if (await resumeAuthorization(app, tx, bookingId, amountCents)) await closeMootClaim(app, tx, bookingId);
}

/**
 * Closes a booking's unresolved claim: the passenger is on board after all, so that what they objected to is
 * void.
 */
async function closeMootClaim(app: App, tx: Db, bookingId: string): Promise<void> {
  const claim = (await store.claimsOf(tx, [bookingId])).find(({ state }) => state !== 'resolved');
  if (claim === undefined) return;
  const { passengerId } = claim;
  const language = (await contactDetailsOf(app, [passengerId], tx)).get(passengerId)?.language;
  const decision = mootWords(language ?? 'en');
  await closeClaim(app, tx, bookingId, { refundCents: 0, decision, resolvedById: null });
}

/** The decision that both sides read of a claim about a booking that goes on after all. */
const mootWords = (language: 'en' | 'zh'): string =>
  language === 'zh'
    ? '乘客后来上了车，行程照常，本次争议就此结束。'
    : 'The passenger is on board after all and the ride goes on, so this dispute is closed.';

const claimNotFound = () => notFound('dispute.notFound', 'We couldn’t find this dispute.');
const claimMoved = () => movedOn('dispute.moved', 'This dispute just changed. Please check again.');

/** Emits that a claim has moved into its state. */
export const emitClaim = (
  { outbox }: Pick<CommandPlatform, 'outbox'>,
  tx: Db,
  { id, bookingId, passengerId, driverId, state }: ClaimRow,
): Promise<void> =>
  outbox.emit(tx, 'dispute.moved', { disputeId: id, bookingId, passengerId, driverId, to: state }, bookingId);

const pageSize = 30;

/** All claims for the admins, those to be decided first, with what the last reconciliation found. */
export async function listClaims(
  app: App,
  adminId: string,
  input: { state: ClaimRow['state'] | 'all'; offset: number },
): Promise<OutputOf<typeof listDisputes>> {
  const { db, clock, audit } = app;
  const [{ rows, total }, latest] = await Promise.all([
    store.listClaims(db, { ...input, size: pageSize }),
    latestReconciliation(db),
  ]);
  const personIds = rows.flatMap(({ claim }) => [claim.passengerId, claim.driverId]);
  await audit.noteReading(adminId, 'disputes', personIds);
  const people = await peopleByIds(app, personIds);
  const now = clock.now();
  return {
    disputes: rows.map(({ claim, authorization }) => ({
      ...viewClaim(claim),
      passenger: people.get(claim.passengerId) ?? null,
      driver: people.get(claim.driverId) ?? null,
      orderNumber: authorization.orderNumber,
      from: authorization.fromName,
      to: authorization.toName,
      rideAt: authorization.rideAt.toISOString(),
      timeZone: authorization.timeZone,
      payment: viewPayment(authorization, claim, {
        side: 'driver',
        now,
        terms: app.payments.terms,
        reminder: undefined,
      }),
    })),
    total,
    reconciliation: latest && {
      at: latest.at.toISOString(),
      checked: latest.checked,
      differences: latest.differences,
    },
  };
}
