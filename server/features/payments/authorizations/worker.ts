import { setTimeout as pause } from 'node:timers/promises';
import type { App } from '../../../app-type.ts';
import { hourMs, later, minuteMs, secondMs } from '../../../platform/clock.ts';
import {
  nextStep,
  refusedRetryMs,
  retryAfterMs,
  type Step,
  isReadAgain,
  wakeAt,
} from '../rules/next-step.ts';
import { performStep, noteRequest } from './perform-step.ts';
import { readPayment } from './record-payment.ts';
import * as store from './store.ts';
import type { AuthorizationRow } from './store.ts';

/** How long a worker has an authorization to itself; after that its process is taken to have died. */
const leaseMs = 2 * minuteMs;
const stuckRetryMs = hourMs;
/** After this many attempts without an answer the pause is `stuckRetryMs`. */
const mostQuickAttempts = 20;
const leaseMoreMs = secondMs;
/** A person waits for a worker that has their payment leased: how often it is read, and for how long. */
const waitStepMs = 100;
const mostWaitMs = 20 * secondMs;
const mostSteps = 8;
/** Maximum authorizations in work at once: a slow answer blocks one of these slots, not the others. */
const mostInFlight = 16;

/** Works on everything that is due, some of it side by side; each authorization in one process at a time. */
export async function workOnAuthorizations(app: App): Promise<void> {
  const { inFlight } = app.payments;
  for (;;) {
    const wasIdle = inFlight.size === 0;
    const leased = await lease(app, mostInFlight - inFlight.size);
    // All that was in flight then may have ended, and be due again, by now.
    if (wasIdle && leased.length === 0) return;
    for (const authorization of leased) begin(app, authorization);
    // A place that is free, or a second later: a person may be waiting while an answer is slow.
    if (inFlight.size > 0) await Promise.race([...inFlight, pause(leaseMoreMs, undefined, { ref: false })]);
  }
}

/**
 * Works on one booking's payment at once, where something is due, after the transaction that wanted it. Where
 * another worker has just leased it, this waits for what becomes of it, for as long as the provider may take
 * to answer.
 */
export async function workOnBooking(app: App, bookingId: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < mostWaitMs; waitedMs += waitStepMs) {
    for (const authorization of await lease(app, 1, bookingId)) await advance(app, authorization);
    if (!(await store.isLeased(app.db, bookingId, app.clock.now()))) return;
    await pause(waitStepMs, undefined, { ref: false });
  }
}

function lease(
  { db, clock, payments: { provider } }: App,
  most: number,
  bookingId?: string,
): Promise<AuthorizationRow[]> {
  const now = clock.now();
  const terms = { now, leaseEndsAt: later(now, leaseMs), most };
  return store.leaseDueAuthorizations(
    db,
    provider.kind,
    bookingId === undefined ? terms : { ...terms, bookingId },
  );
}

function begin(app: App, authorization: AuthorizationRow): void {
  const { inFlight } = app.payments;
  const work = advance(app, authorization)
    .catch((error: unknown) => app.log.error({ err: error, id: authorization.id }, 'a payment failed'))
    .finally(() => inFlight.delete(work));
  inFlight.add(work);
}

/** Takes an authorization step by step as far as it goes now, and ends its lease. */
async function advance(app: App, leased: AuthorizationRow): Promise<void> {
  let authorization = leased;
  let wasRead = false;
  for (let steps = 0; steps < mostSteps; steps++) {
    const now = app.clock.now();
    const isStuck = authorization.trouble !== null && authorization.goal === 'authorize';
    const step: Step = isStuck ? null : nextStep(authorization, now, wasRead);
    if (step === null || (step === 'read' && wasRead)) return rest(app, leased, authorization);
    const requested = step === 'place' ? await noteRequest(app, authorization) : authorization;
    if (step === 'place' && !requested.isAsked) {
      // It is not wanted any more.
      authorization = requested;
      continue;
    }
    await app.payments.calls.take();
    const after = await performStep(app, requested, step);
    if (after === null) return restUnanswered(app, leased);
    if (after.trouble !== null) return restRefused(app, leased, after);
    wasRead = step === 'read';
    authorization = after;
  }
  await restUnanswered(app, leased);
}

/** It went as far as it goes for now: it is due again when something can have changed by itself. */
async function rest(
  { db, clock }: App,
  leased: AuthorizationRow,
  authorization: AuthorizationRow,
): Promise<void> {
  const { attempts } = leased;
  const nextAt = wakeAt(authorization, clock.now(), attempts);
  const isWaiting = nextAt !== null && nextAt > clock.now() && isReadAgain(authorization, clock.now());
  await store.endLease(db, leased, {
    factsVersion: authorization.factsVersion,
    nextAt,
    attempts: isWaiting ? attempts : 0,
  });
}

async function restUnanswered({ db, clock }: App, leased: AuthorizationRow): Promise<void> {
  const seen = (await store.authorizationById(db, leased.id)) ?? leased;
  const { attempts } = leased;
  const pauseMs = attempts > mostQuickAttempts ? stuckRetryMs : retryAfterMs(attempts);
  const nextAt = later(clock.now(), pauseMs);
  await store.endLease(db, leased, { factsVersion: seen.factsVersion, nextAt, attempts });
}

/**
 * A refused authorization waits for its passenger; a refused capture or refund is repeated for some days,
 * then waits for an admin.
 */
async function restRefused(
  { db, clock }: App,
  leased: AuthorizationRow,
  { goal, factsVersion }: AuthorizationRow,
): Promise<void> {
  const { attempts } = leased;
  const pauseMs = goal === 'authorize' ? null : refusedRetryMs(attempts);
  const nextAt = pauseMs === null ? null : later(clock.now(), pauseMs);
  await store.endLease(db, leased, { factsVersion, nextAt, attempts });
}

/**
 * Reads the state of a booking's payment from the provider, before the booking ends for want of it. Waits for
 * a worker that asks the provider just then: its answer may say that the seat is paid. False while the state
 * is not known: the provider does not answer, or the bank still works on it.
 */
export async function readBeforeEnd(app: App, bookingId: string): Promise<boolean> {
  const { db, clock } = app;
  const asked = await store.currentAuthorization(db, bookingId);
  if (asked === null || !asked.isAsked) return true;
  await workOnBooking(app, bookingId);
  if (await store.isLeased(db, bookingId, clock.now())) return false;
  const authorization = (await store.currentAuthorization(db, bookingId)) ?? asked;
  const read = authorization.paymentId === null ? authorization : await readPayment(app, authorization);
  return read !== null && read.state !== 'processing' && read.state !== 'requires_confirmation';
}
