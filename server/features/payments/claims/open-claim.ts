import { randomUUID } from 'node:crypto';
import type { Dispute } from '#contract/payments/views.ts';
import type { App } from '../../../app-type.ts';
import { hourMs, later, dayMs } from '../../../platform/clock.ts';
import { brokenConstraint, type Db, inSavepoint } from '../../../platform/database/db.ts';
import { movedOn, notFound } from '../../../platform/refusal.ts';
import {
  currentAuthorization,
  updateGoal,
  type AuthorizationRow,
  currentAuthorizations,
} from '../authorizations/store.ts';
import { claimableUntil, isAbout, refundAll } from '../rules/claims.ts';
import { captureBeforeEndMs } from '../rules/next-step.ts';
import { viewClaim } from '../view.ts';
import { emitClaim } from './resolve-claim.ts';
import * as store from './store.ts';
import type { ClaimRow } from './store.ts';

/**
 * A passenger objects to what was captured or will be. Refuses what is not theirs, too late, or open already.
 */
export async function openClaim(
  app: App,
  passengerId: string,
  bookingId: string,
  text: string,
): Promise<Dispute> {
  const { db, transact } = app;
  const row = await transact('open claim', async (tx) => {
    const authorization = await currentAuthorization(tx, bookingId, true);
    if (authorization === null || authorization.passengerId !== passengerId)
      throw notFound('booking.notFound', 'We couldn’t find this.');
    return openOn(app, tx, authorization, text);
  });
  return viewClaim((await store.claimById(db, row.id)) ?? row);
}

async function openOn(app: App, tx: Db, authorization: AuthorizationRow, text: string): Promise<ClaimRow> {
  const { id: authorizationId, bookingId, passengerId, driverId } = authorization;
  const now = app.clock.now();
  const { disputeHours } = app.payments.terms.shown;
  const until = claimableUntil(authorization, disputeHours);
  if (until === null || now > until)
    throw movedOn('dispute.tooLate', 'You can no longer dispute this payment.');
  const earlier = await store.claimsOf(tx, [bookingId]);
  if (earlier.some((claim) => isAbout(claim, authorization))) throw claimExists();
  const about = { bookingId, authorizationId, passengerId, driverId };
  try {
    const claim = await inSavepoint(tx, (inner) =>
      store.insertClaim(inner, { id: randomUUID(), ...about, state: 'open', text, openedAt: now }),
    );
    if (authorization.kind === 'noShow' && (await app.ports.payments.isReachedByWords(tx, bookingId))) {
      // The driver's words alone say that they were there: against the passenger's nothing is captured.
      await decideForPassenger(app, tx, authorization, claim);
      return claim;
    }
    if (authorization.capturedCents === 0) {
      const captureAt = claimCaptureAt(authorization, now, disputeHours);
      await updateGoal(tx, authorizationId, { captureAt, nextAt: captureAt }, now);
    }
    await emitClaim(app, tx, claim);
    return claim;
  } catch (error) {
    if (brokenConstraint(error) !== 'claims_open_booking') throw error;
    throw claimExists();
  }
}

const claimExists = () =>
  movedOn('dispute.exists', 'You already disputed this payment. Please wait for the decision.');

/**
 * When a disputed fare is captured nevertheless: it waits for the decision, as long as the authorization
 * lasts.
 */
function claimCaptureAt({ kind, captureBefore }: AuthorizationRow, now: Date, disputeHours: number): Date {
  const latestAt = captureBefore === null ? null : later(captureBefore, -captureBeforeEndMs);
  if (latestAt !== null && latestAt > now) return latestAt;
  return kind === 'partWay' ? later(now, disputeHours * hourMs) : now;
}

/**
 * Decides a claim for the passenger at once: what is authorized is canceled, what was captured is refunded.
 */
async function decideForPassenger(
  app: App,
  tx: Db,
  authorization: AuthorizationRow,
  claim: ClaimRow,
): Promise<void> {
  const now = app.clock.now();
  const { refundCents, goal } = refundAll(authorization);
  await updateGoal(tx, authorization.id, { ...goal, nextAt: now, attempts: 0 }, now);
  const set = { state: 'resolved', refundCents, resolvedAt: now } as const;
  await emitClaim(app, tx, (await store.moveClaim(tx, claim.id, ['open'], set)) ?? claim);
}

/**
 * A claim that the app opens for the passenger, because two people say different things of what is
 * authorized.
 */
async function openClaimFor(
  app: App,
  tx: Db,
  { id: authorizationId, bookingId, passengerId, driverId }: AuthorizationRow,
  text: string,
): Promise<void> {
  const openedAt = app.clock.now();
  const row = { id: randomUUID(), bookingId, authorizationId, passengerId, driverId, text, openedAt };
  await emitClaim(app, tx, await store.insertClaim(tx, { ...row, state: 'open' }));
}

/** Where the card provider does not say how long an authorization lasts. */
const usualDecisionMs = 4 * dayMs;

/** Until when it must be decided what becomes of an authorization; null where nothing is authorized. */
const decideByOf = ({ goal, state, captureBefore }: AuthorizationRow, now: Date): Date | null =>
  goal !== 'authorize' || state !== 'requires_capture'
    ? null
    : captureBefore === null
      ? later(now, usualDecisionMs)
      : later(captureBefore, -captureBeforeEndMs);

/**
 * Until when each of these bookings' money must be decided about; bookings without an authorization have
 * none.
 */
export async function decideBy(app: App, tx: Db, bookingIds: readonly string[]): Promise<Date[]> {
  const now = app.clock.now();
  return (await currentAuthorizations(tx, bookingIds)).flatMap((each) => decideByOf(each, now) ?? []);
}

/**
 * Leaves a booking's share, of which two people say different things, to an admin: it stays authorized as a
 * claim of the passenger, until an admin decides or there is no more time to; then it is canceled
 * (`cancelUndecided`).
 */
export async function contestFare(
  app: App,
  tx: Db,
  { id, fareCents }: { id: string; fareCents: number },
  text: string,
): Promise<void> {
  const authorization = await currentAuthorization(tx, id, true);
  if (authorization === null || authorization.goal !== 'authorize') return;
  const now = app.clock.now();
  const captureAt = decideByOf(authorization, now);
  const captureCents = Math.min(fareCents, authorization.amountCents);
  const common = { settledAt: now, attempts: 0, trouble: null };
  if (captureAt === null || captureAt <= now || captureCents === 0) {
    await updateGoal(tx, authorization.id, { ...common, goal: 'cancel', nextAt: now }, now);
    return;
  }
  const waiting = { goal: 'capture', kind: 'contested', captureCents, captureAt, nextAt: captureAt } as const;
  await updateGoal(tx, authorization.id, { ...common, ...waiting }, now);
  await openClaimFor(app, tx, authorization, text);
}
