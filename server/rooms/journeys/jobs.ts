import { setTimeout as pause } from 'node:timers/promises';
import type { Base } from '../../base/base.ts';
import type { AlertsService } from '../alerts/service.ts';
import type { BookingsService } from '../bookings/service.ts';
import type { ReviewsService } from '../reviews/service.ts';
import type { RidesService } from '../rides/service.ts';
import type { JourneysService } from './service.ts';

const everyMs = 1000;

/** What the clock does by itself: expires asks, invitations and requests, gathers rides, ends what was forgotten. */
export interface Timers {
  /** Does everything that is due by the house's clock; each thing once, whoever else is looking. */
  tick(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

/** What a room that knows nothing of rides has to do now and then, by the house's clock. */
export interface Chore {
  name: string;
  /** The pause between two rounds. */
  everyMs: number;
  /** It waits for somebody outside: it goes its own round, so that nothing else waits with it. */
  isApart?: boolean;
  run: () => Promise<void>;
}

/**
 * Nothing is scheduled ahead: what is due is read from the tables, so that a restart, a pause or a jump of the clock
 * neither loses nor repeats a thing.
 */
export function createTimers(
  { clock, log, uptime }: Base,
  rooms: {
    rides: RidesService;
    alerts: AlertsService;
    bookings: BookingsService;
    journeys: JourneysService;
    reviews: ReviewsService;
  },
  chores: readonly Chore[] = [],
): Timers {
  const { rides, alerts, bookings, journeys, reviews } = rooms;
  const nextAtMs = new Map<string, number>();
  let going = new AbortController();
  let running: Promise<unknown> = Promise.resolve();

  async function own(): Promise<void> {
    // An outage is known before anything is concluded from what did not happen in it.
    await uptime.beat();
    const due = await rides.due(clock.now());
    const reports = await rides.reports.due(clock.now());
    const overdue = await rides.unclear.overdue(clock.now());
    const work = [
      ...due.bookings.map((id) => ({ id, run: bookings.expire })),
      ...due.rides.map((id) => ({ id, run: journeys.catchUp })),
      ...reports.map((id) => ({ id, run: journeys.settleReport })),
      ...overdue.map((id) => ({ id, run: journeys.concludeUnclear })),
      ...due.requests.map((id) => ({ id, run: bookings.expireRequest })),
    ];
    for (const { id, run } of work) {
      // One thing that fails is tried again in the next round and does not hold up the others.
      await run(id).catch((error: unknown) => log.error({ err: error, id }, 'a timer failed'));
    }
    await reviews.publishOverdue();
    await alerts.catchUp();
  }

  async function doChores(some: readonly Chore[]): Promise<void> {
    for (const { name, everyMs: pauseMs, run } of some) {
      const nowMs = clock.now().getTime();
      const waitMs = (nextAtMs.get(name) ?? 0) - nowMs;
      // A demo's clock may have been put back: no pause is longer than itself.
      if (waitMs > 0 && waitMs <= pauseMs) continue;
      await run().catch((error: unknown) => log.error({ err: error, name }, 'a chore failed'));
      nextAtMs.set(name, nowMs + pauseMs);
    }
  }

  async function tick(): Promise<void> {
    await own();
    await doChores(chores);
  }

  /** Goes round and round, with a pause before each, until `stop`. */
  async function goRound(work: () => Promise<void>, { signal }: AbortController): Promise<void> {
    while (!signal.aborted) {
      await pause(everyMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await work().catch((error: unknown) => log.error({ err: error }, 'the timers failed'));
    }
  }

  return {
    tick,
    start() {
      going = new AbortController();
      const near = chores.filter(({ isApart }) => isApart !== true);
      const rounds = [
        goRound(async () => {
          await own();
          await doChores(near);
        }, going),
        ...chores
          .filter((each) => !near.includes(each))
          .map((each) => goRound(() => doChores([each]), going)),
      ];
      running = Promise.all(rounds);
    },
    async stop() {
      going.abort();
      await running;
    },
  };
}
