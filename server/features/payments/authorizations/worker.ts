import { setTimeout as pause } from 'node:timers/promises';
import { hourMs, later, minuteMs, secondMs } from '../../../platform/clock.ts';
import { CallBudget } from '../provider/call-budget.ts';
import { nextStep, refusedRetryMs, retryAfterMs, type Step } from '../rules/next-step.ts';
import { isReadAgain, wakeAt } from '../rules/wake-time.ts';
import type { AuthorizationContext } from './context.ts';
import { performStep } from './perform-step.ts';
import { noteRequest } from './place-authorization.ts';
import * as store from './store.ts';
import type { AuthorizationRow } from './store.ts';

/** How long a worker has an authorization to itself; after that its process is taken to have died. */
const leaseMs = 2 * minuteMs;
const stuckRetryMs = hourMs;
/** After so many attempts without an answer the pause is `stuckRetryMs`. */
const mostQuickAttempts = 20;
const leaseMoreMs = secondMs;
/** A person waits for a worker that has their payment leased: how often it is read, and for how long. */
const waitStepMs = 100;
const mostWaitMs = 20 * secondMs;
const mostSteps = 8;
/** So many are worked on side by side: one whose answer is slow keeps one place, not the others. */
const mostInFlight = 16;

/** Works on authorizations that are due, each in one process at a time. */
export function createWorker(context: AuthorizationContext) {
  const { platform, provider } = context;
  const { db, clock, log, env } = platform;
  const calls = new CallBudget(provider.kind === 'sandbox' ? Infinity : env.CARD_CALLS_PER_SECOND);
  /** Authorizations that this process works on by the clock. */
  const inFlight = new Set<Promise<void>>();

  const lease = (most: number, bookingId?: string): Promise<AuthorizationRow[]> => {
    const now = clock.now();
    const terms = { now, leaseEndsAt: later(now, leaseMs), most };
    return store.leaseDueAuthorizations(
      db,
      provider.kind,
      bookingId === undefined ? terms : { ...terms, bookingId },
    );
  };

  function begin(authorization: AuthorizationRow): void {
    const work = advance(context, calls, authorization)
      .catch((error: unknown) => log.error({ err: error, id: authorization.id }, 'a payment failed'))
      .finally(() => inFlight.delete(work));
    inFlight.add(work);
  }

  return {
    /** Works on everything that is due, some of it side by side. */
    async work(): Promise<void> {
      for (;;) {
        const wasIdle = inFlight.size === 0;
        const leased = await lease(mostInFlight - inFlight.size);
        // What was in flight then may all have ended, and be due again, by now.
        if (wasIdle && leased.length === 0) return;
        for (const authorization of leased) begin(authorization);
        // A place that is free, or a second later: a person may be waiting while an answer is slow.
        if (inFlight.size > 0)
          await Promise.race([...inFlight, pause(leaseMoreMs, undefined, { ref: false })]);
      }
    },

    /**
     * Works on one booking's payment at once, where something is due. Where another worker has just leased
     * it, this waits for what becomes of it, for as long as the provider may take to answer.
     */
    async workOn(bookingId: string): Promise<void> {
      for (let waitedMs = 0; waitedMs < mostWaitMs; waitedMs += waitStepMs) {
        for (const authorization of await lease(1, bookingId)) await advance(context, calls, authorization);
        if (!(await store.isLeased(db, bookingId, clock.now()))) return;
        await pause(waitStepMs, undefined, { ref: false });
      }
    },
  };
}

/** Takes an authorization step by step as far as it goes now, and ends its lease. */
async function advance(
  context: AuthorizationContext,
  calls: CallBudget,
  leased: AuthorizationRow,
): Promise<void> {
  let authorization = leased;
  let wasRead = false;
  for (let steps = 0; steps < mostSteps; steps++) {
    const now = context.platform.clock.now();
    const isStuck = authorization.trouble !== null && authorization.goal === 'hold';
    const step: Step = isStuck ? null : nextStep(authorization, now, wasRead);
    if (step === null || (step === 'read' && wasRead)) return rest(context, leased, authorization);
    const requested = step === 'place' ? await noteRequest(context, authorization) : authorization;
    if (step === 'place' && !requested.isAsked) {
      // It is not wanted any more.
      authorization = requested;
      continue;
    }
    await calls.take();
    const after = await performStep(context, requested, step);
    if (after === null) return restUnanswered(context, leased);
    if (after.trouble !== null) return restRefused(context, leased, after);
    wasRead = step === 'read';
    authorization = after;
  }
  await restUnanswered(context, leased);
}

/** It went as far as it goes for now: it is due again when something can have changed by itself. */
async function rest(
  { platform: { db, clock } }: AuthorizationContext,
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

async function restUnanswered(
  { platform: { db, clock } }: AuthorizationContext,
  leased: AuthorizationRow,
): Promise<void> {
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
  { platform: { db, clock } }: AuthorizationContext,
  leased: AuthorizationRow,
  { goal, factsVersion }: AuthorizationRow,
): Promise<void> {
  const { attempts } = leased;
  const pauseMs = goal === 'hold' ? null : refusedRetryMs(attempts);
  const nextAt = pauseMs === null ? null : later(clock.now(), pauseMs);
  await store.endLease(db, leased, { factsVersion, nextAt, attempts });
}
