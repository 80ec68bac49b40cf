import type { App } from '../../../app-type.ts';
import { hourMs, later, minuteMs } from '../../../platform/clock.ts';
import { retryAfterMs } from '../rules/next-step.ts';
import { readEvent } from './read-event.ts';
import * as store from './store.ts';
import type { EventRow } from './store.ts';

export const leaseMs = 2 * minuteMs;
const mostAtOnce = 200;
const sideBySide = 8;
const mostPauseMs = hourMs;
const mostErrorLetters = 500;

/** Processes one event that has just been written down, where no other process has leased it. */
export async function processEvent(app: App, id: string): Promise<void> {
  const { db, clock } = app;
  const now = clock.now();
  const lease = { now, leaseEndsAt: later(now, leaseMs), most: 1, id };
  await processTogether(app, await store.leaseDueEvents(db, lease));
}

/** Processes everything that is due, the oldest first, some things side by side. */
export async function processDueEvents(app: App): Promise<void> {
  const { db, clock } = app;
  for (;;) {
    const now = clock.now();
    const lease = { now, leaseEndsAt: later(now, leaseMs), most: mostAtOnce };
    const due = (await store.leaseDueEvents(db, lease)).toSorted((a, b) => a.at.getTime() - b.at.getTime());
    if (due.length === 0) return;
    const things = [...Map.groupBy(due, ({ accountId, kind, thingId }) => `${accountId} ${kind} ${thingId}`)];
    for (let at = 0; at < things.length; at += sideBySide)
      await Promise.all(things.slice(at, at + sideBySide).map(([, events]) => processTogether(app, events)));
  }
}

/** Processes events about one thing by reading it once; where that fails they are due again later. */
async function processTogether(app: App, events: readonly EventRow[]): Promise<void> {
  const { db, clock, log } = app;
  const [first] = events;
  if (first === undefined) return;
  const ids = events.map(({ id }) => id);
  try {
    await readEvent(app, first);
    await store.finishEvents(db, ids, { nextAt: null, error: '' });
  } catch (error) {
    log.error({ err: error, event: first.id }, 'an event of the card provider was not dealt with');
    const pauseMs = Math.min(mostPauseMs, retryAfterMs(first.attempts));
    const reason = String(error instanceof Error ? error.message : error).slice(0, mostErrorLetters);
    await store.finishEvents(db, ids, { nextAt: later(clock.now(), pauseMs), error: reason });
  }
}
