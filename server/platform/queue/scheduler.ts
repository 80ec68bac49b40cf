import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Platform } from '../platform.ts';

const everyMs = 1000;
/** Work of one round of a lane; the rest follows in the next. */
const mostAtOnce = 100;
/** The same where people wait to hear of so many things already: what the clock does makes more of them. */
const mostWhileBehind = 10;
const behindFrom = 500;
/** Orders that concern no other person end so many at once. */
const mostUnasked = 200;
/** So many lanes work at the same moment, each on one connection: the others are for the calls of people. */
const lanesAtOnce = 3;

/** What the clock does by itself. */
export interface Scheduler {
  /** Does everything that is due by the app's clock; each thing once, whichever process is first. */
  tick(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
  /** Every lane and task by its name, to be run once by itself: an error of it is thrown. */
  works: readonly ScheduledWork[];
}

/** One round of one lane or task. */
export interface ScheduledWork {
  name: string;
  run(): Promise<void>;
}

/** What a feature does again and again, by the app's clock. */
export interface ScheduledTask {
  name: string;
  /** The pause between two rounds. */
  everyMs: number;
  /** It may take long: it goes its own round, so that nothing else waits with it. */
  isApart?: boolean;
  run: () => Promise<void>;
}

/**
 * Things of one kind that become due, each done by itself. After an outage there may be a hundred thousand.
 */
export interface Lane {
  name: string;
  /** Does with many things in one step what concerns one person each, before the others; how many. */
  many?: readonly ((limit: number) => Promise<number>)[];
  due: (limit: number) => Promise<string[]>;
  run: (id: string) => Promise<void>;
}

/** What one feature leaves to the clock. */
export interface Schedule {
  lanes?: readonly Lane[];
  tasks?: readonly ScheduledTask[];
}

/**
 * Nothing is scheduled ahead: what is due is read from the tables, so that a restart, a pause or a jump of
 * the clock neither loses nor repeats a thing. Each kind goes its own round in bounded batches (decision
 * 0042).
 */
export function createScheduler(
  { db, clock, log, outbox, uptime }: Platform,
  schedules: readonly Schedule[],
): Scheduler {
  const lanes = schedules.flatMap((each) => each.lanes ?? []);
  const tasks = schedules.flatMap((each) => each.tasks ?? []);
  const nextAtMs = new Map<string, number>();
  const inTurn = pLimit(lanesAtOnce);
  let going = new AbortController();
  let running: Promise<unknown> = Promise.resolve();

  /** One round of a lane. Between two things another lane has its turn. */
  async function goLane(lane: Lane, most: () => Promise<number>, { signal }: AbortController): Promise<void> {
    // An outage is known before anything is concluded from what did not happen in it.
    await uptime.beat();
    const { name, many = [], due, run } = lane;
    for (const doMany of many)
      while (!signal.aborted && (await inTurn(() => doMany(mostUnasked))) === mostUnasked);
    for (const id of await due(await most())) {
      if (signal.aborted) return;
      // One thing that fails is tried again in the next round and does not hold up the others.
      await inTurn(() => run(id)).catch((error: unknown) =>
        log.error({ err: error, id, lane: name }, 'a due thing failed'),
      );
    }
  }

  /** @param sinceMs is added to the time since the last round of each task. */
  async function runTasks(some: readonly ScheduledTask[], sinceMs = 0): Promise<void> {
    for (const { name, everyMs: pauseMs, run } of some) {
      const nowMs = clock.now().getTime();
      const waitMs = (nextAtMs.get(name) ?? 0) - nowMs - sinceMs;
      // A demo's clock may have been put back: no pause is longer than itself.
      if (waitMs > 0 && waitMs <= pauseMs) continue;
      await run().catch((error: unknown) => log.error({ err: error, name }, 'a scheduled task failed'));
      nextAtMs.set(name, nowMs + pauseMs);
    }
  }

  const mostNow = async (): Promise<number> =>
    (await outbox.waiting(db, behindFrom)) < behindFrom ? mostAtOnce : mostWhileBehind;

  /** Goes round and round, with a pause before each, until `stop`. */
  async function goRound(work: () => Promise<void>, { signal }: AbortController): Promise<void> {
    while (!signal.aborted) {
      await pause(everyMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await work().catch((error: unknown) => log.error({ err: error }, 'the scheduler failed'));
    }
  }

  return {
    async tick() {
      const round = new AbortController();
      for (const lane of lanes) await goLane(lane, () => Promise.resolve(mostAtOnce), round);
      // Tests and the demo's clock ask for a round now: what goes each second goes again, however short ago
      // the last round was.
      await runTasks(tasks, everyMs);
    },
    start() {
      going = new AbortController();
      const near = tasks.filter(({ isApart }) => isApart !== true);
      const rounds = [
        ...lanes.map((lane) => goRound(() => goLane(lane, mostNow, going), going)),
        goRound(() => runTasks(near), going),
        ...tasks.filter((each) => !near.includes(each)).map((each) => goRound(() => runTasks([each]), going)),
      ];
      running = Promise.all(rounds);
    },
    async stop() {
      going.abort();
      await running;
    },
    works: [
      ...lanes.map((lane) => ({
        name: lane.name,
        run: () => goLane(lane, () => Promise.resolve(mostAtOnce), new AbortController()),
      })),
      ...tasks.map(({ name, run }) => ({ name, run })),
    ],
  };
}
