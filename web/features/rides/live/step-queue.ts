import { useMemo, useSyncExternalStore } from 'react';
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
import { errorWords, type Refused } from '../../../core/errors.ts';
import { invalidate } from '../../../core/query-client.ts';
import { offlineQueue, queuedItem, type OfflineQueue } from '../../../core/offline-queue.ts';
import { readSession } from '../../../core/session.ts';
import * as shape from '../../../core/shape.ts';
import { newId } from '../../../core/new-id.ts';
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

const queued = shape.fields({
  ...queuedItem,
  /** Made here once, so that a step that is sent twice is done once. */
  key: shape.text,
  rideId: shape.text,
  name: shape.oneOf(...(Object.keys(endpoints) as StepName[])),
  input: shape.named(shape.anything),
  /** Whom it is about, for the words; empty where it is about the ride. */
  person: shape.text,
  at: shape.text,
  /** Why the server would not do it; null while it waits to be sent. */
  refused: shape.fields({ words: shape.text, movedOn: shape.flag }).nullable(),
});
export type QueuedStep = shape.Shaped<typeof queued>;

// Steps made at the curb without a connection are sent when it is back.
const queue: OfflineQueue<QueuedStep> = offlineQueue({
  name: 'steps',
  schema: queued,
  keyOf: ({ key }) => key,
  thingOf: ({ rideId }) => rideId,
  send: async (step) => {
    const endpoint: Endpoint = endpoints[step.name];
    // A step without a connection is sent with its time: it may contradict what others say.
    const input = step.name === 'reach' && step.waited ? { ...step.input, doneAt: step.at } : step.input;
    await call(endpoint, input, { idempotencyKey: step.key, quiet: true });
    // Read first: the page must not fall back for a moment to what was before the step.
    await invalidate(...touchedByRides);
  },
  onRefused: settleRefused,
});

/** Sends what an earlier visit left, and whatever waits when the connection is back. */
export const startStepQueue = queue.start;

/** Takes a refused step off the page, once it has been read. */
export const forgetStep = queue.forget;

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
    key: newId(),
    userId: readSession().id,
    rideId: about.rideId,
    name,
    input: { ...input },
    person: about.person ?? '',
    at: new Date(now()).toISOString(),
    waited: false,
    refused: null,
  };
  queue.add(step);
  return step.key;
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
    queue.amend(step.key, { refused: { words: errorWords(refused), movedOn: refused.code === 409 } });
  else {
    forgetStep(step.key);
    toast.error(errorWords(refused));
  }
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
