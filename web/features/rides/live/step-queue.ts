import { useMemo, useSyncExternalStore } from 'react';
import { z } from 'zod';
import type { Endpoint, InputOf } from '#contract/define.ts';
import {
  arrive,
  confirmMeeting,
  depart,
  noShow,
  noteContact,
  passStop,
  pickUp,
  reach,
  reportDriver,
} from '#contract/rides/endpoints.ts';
import { call } from '../../../core/api.ts';
import { now } from '../../../core/clock.ts';
import { errorWords, Refused } from '../../../core/errors.ts';
import { invalidate } from '../../../core/query-client.ts';
import { isSignedIn, readSession } from '../../../core/session.ts';
import { stored } from '../../../core/stored.ts';
import { toast } from '../../../ui/toasts.tsx';
import { touchedByRides } from '../../../domain/ride/use-ride-action.ts';

const endpoints = {
  reach,
  depart,
  passStop,
  pickUp,
  confirmMeeting,
  noteContact,
  noShow,
  reportDriver,
  arrive,
};
export type StepName = keyof typeof endpoints;
type StepInput<N extends StepName> = InputOf<(typeof endpoints)[N]>;

const queued = z.object({
  /** Made here once, so that a step that is sent twice is done once. */
  key: z.string(),
  userId: z.string(),
  rideId: z.string(),
  name: z.enum(Object.keys(endpoints) as [StepName, ...StepName[]]),
  input: z.record(z.string(), z.unknown()),
  /** Whom it is about, for the words; empty where it is about the ride. */
  person: z.string(),
  at: z.string(),
  /** The connection was away when it was first tried. */
  waited: z.boolean(),
  /** Why the server would not do it; null while it waits to be sent. */
  refused: z.object({ words: z.string(), movedOn: z.boolean() }).nullable(),
});
export type QueuedStep = z.output<typeof queued>;

// Kept in the browser: what was done at the curb without a connection is told when it is back, even after a
// reload.
const queue = stored('steps', (raw): QueuedStep[] => {
  const parsed = z.array(queued).safeParse(raw);
  return parsed.success ? parsed.data : [];
});

const retryMs = { first: 1000, most: 15_000 };
let working = false;
let failures = 0;
let timer: ReturnType<typeof setTimeout> | null = null;

const change = (edit: (all: QueuedStep[]) => QueuedStep[]) => queue.write(edit(queue.reread()));
const mark = (key: string, part: Partial<QueuedStep>) =>
  change((all) => all.map((each) => (each.key === key ? { ...each, ...part } : each)));

/** Takes a refused step off the page, once it has been read. */
export const forgetStep = (key: string): void => change((all) => all.filter((each) => each.key !== key));

/**
 * What became of a step when it was first sent: `waits` for a connection, or why the server would not do it.
 */
export type FirstTry = { kind: 'done' } | { kind: 'waits' } | { kind: 'refused'; words: string };

/** Who asked what becomes of a step, by its key. */
const askers = new Map<string, (outcome: FirstTry) => void>();
const answer = (key: string, outcome: FirstTry) => {
  askers.get(key)?.(outcome);
  askers.delete(key);
};

/** Takes a step as `takeStep` does, for a screen that says itself why it was refused. */
export function tryStep<N extends StepName>(...step: Parameters<typeof takeStep<N>>): Promise<FirstTry> {
  return new Promise((resolve) => {
    const key = takeStep(...step);
    askers.set(key, resolve);
    // Another tab may be the one that sends it.
    const stop = queue.subscribe(() => {
      const left = queue.read().find((each) => each.key === key);
      if (left === undefined) answer(key, { kind: 'done' });
      else if (left.refused !== null) answer(key, { kind: 'refused', words: left.refused.words });
      else if (left.waited) answer(key, { kind: 'waits' });
      if (!askers.has(key)) stop();
    });
  });
}

/**
 * Puts a step of the day at the end of the queue and starts sending. Without a connection it waits there.
 * @returns its key in the queue.
 */
export function takeStep<N extends StepName>(
  name: N,
  input: StepInput<N>,
  about: { rideId: string; person?: string },
): string {
  const step: QueuedStep = {
    key: crypto.randomUUID(),
    userId: readSession().id,
    rideId: about.rideId,
    name,
    input: { ...input },
    person: about.person ?? '',
    at: new Date(now()).toISOString(),
    waited: false,
    refused: null,
  };
  change((all) => [...all, step]);
  // After this call has returned its key.
  queueMicrotask(() => void sendSteps());
  return step.key;
}

/**
 * Sends what waits, one after the other in the order it was done; tries again later when there is no
 * connection.
 */
async function sendSteps(): Promise<void> {
  if (working) return;
  working = true;
  if (timer !== null) clearTimeout(timer);
  timer = null;
  try {
    // One tab at a time, so that the order holds over all of them.
    await ('locks' in navigator ? navigator.locks.request('sameway.steps', drain) : drain());
  } finally {
    working = false;
  }
}

async function drain(): Promise<void> {
  for (;;) {
    const user = readSession();
    const next = queue.reread().find((each) => each.userId === user.id && each.refused === null);
    if (!next || !isSignedIn(user)) return;
    try {
      const endpoint: Endpoint = endpoints[next.name];
      // What was done without a connection is told with its time: it may contradict what others say.
      const input = next.name === 'reach' && next.waited ? { ...next.input, doneAt: next.at } : next.input;
      await call(endpoint, input, { idempotencyKey: next.key, quiet: true });
      failures = 0;
      // Read first: the page must not fall back for a moment to what was before the step.
      await invalidate(...touchedByRides);
      forgetStep(next.key);
    } catch (error) {
      if (error instanceof Refused && error.code !== 429) {
        if (error.code === 400) return;
        failures = 0;
        await settleRefused(next, error);
        continue;
      }
      if (!next.waited) mark(next.key, { waited: true });
      const wanted = error instanceof Refused ? Number(error.data['retryAfterSeconds']) * 1000 : 0;
      const backoff = Math.min(retryMs.first * 2 ** failures, retryMs.most);
      failures += 1;
      timer = setTimeout(() => void sendSteps(), Math.max(backoff, wanted || 0));
      return;
    }
  }
}

async function settleRefused(step: QueuedStep, refused: Refused): Promise<void> {
  await invalidate(...touchedByRides);
  // Its first sending arrived, only the answer did not.
  if (refused.reason === 'action.alreadyDone') {
    forgetStep(step.key);
  } else if (askers.has(step.key)) {
    // Answered first: a step that is merely gone counts as done.
    answer(step.key, { kind: 'refused', words: errorWords(refused) });
    forgetStep(step.key);
  } else if (step.waited)
    mark(step.key, { refused: { words: errorWords(refused), movedOn: refused.code === 409 } });
  else {
    forgetStep(step.key);
    toast.error(errorWords(refused));
  }
}

/**
 * Sends what an earlier visit left, and whatever waits when the connection is back. Called once, at launch.
 */
export function startStepQueue(): void {
  void sendSteps();
  addEventListener('online', () => void sendSteps());
}

/**
 * My steps of a ride: those that wait for a connection, those that were refused, and whether one is being
 * sent just now.
 */
export function useSteps(rideId: string): { waiting: QueuedStep[]; refused: QueuedStep[]; busy: boolean } {
  const all = useSyncExternalStore(queue.subscribe, queue.read);
  const userId = readSession().id;
  return useMemo(() => {
    const own = all.filter((each) => each.rideId === rideId && each.userId === userId);
    const open = own.filter(({ refused }) => refused === null);
    const stuck = open.some(({ waited }) => waited);
    return {
      waiting: stuck ? open : [],
      refused: own.filter(({ refused }) => refused !== null),
      busy: open.length > 0 && !stuck,
    };
  }, [all, rideId, userId]);
}
