import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Pool } from 'pg';
import { secondMs } from '../clock.ts';
import type { Platform } from '../platform.ts';
import { TaskLeader } from './task-leader.ts';

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
  /**
   * Every process does it: it is about the process itself, or processes share the work by skipping what
   * another has locked or leased. Otherwise one process does it for all (`TaskLeader`).
   */
  isShared?: boolean;
  run: () => Promise<void>;
}

/**
 * Things of one kind that become due, each done by itself. After an outage there may be a hundred thousand.
 * All processes work on them: `run` does nothing where another has done it, or has the thing locked.
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
  { db, clock, log, outbox, uptime, metrics }: Platform,
  schedules: readonly Schedule[],
  pool: Pool,
): Scheduler {
  const lanes = schedules.flatMap((each) => each.lanes ?? []);
  const tasks = schedules.flatMap((each) => each.tasks ?? []);
  const runTasks = createTaskRounds({ clock, log, metrics });
  const goLane = createLaneRounds({ log, uptime, metrics });
  const led = tasks.filter(({ isShared }) => isShared !== true).map(({ name }) => name);
  let leader: TaskLeader | null = null;
  let going = new AbortController();
  let running: Promise<unknown> = Promise.resolve();

  const mostNow = async (): Promise<number> =>
    (await outbox.waiting(db, behindFrom)) < behindFrom ? mostAtOnce : mostWhileBehind;

  const goRound = (work: () => Promise<void>, round: AbortController) => goRoundAndRound(log, work, round);

  return {
    async tick() {
      const round = new AbortController();
      for (const lane of lanes) await goLane(lane, () => Promise.resolve(mostAtOnce), round.signal);
      // Tests ask for a round now: what goes each second goes again, however short ago the last round was,
      // and whichever process leads.
      await runTasks(tasks, everyMs, () => Promise.resolve(true));
    },
    start() {
      going = new AbortController();
      const electing = (leader = new TaskLeader(pool, log, led));
      const leads = async ({ name, isShared }: ScheduledTask) => isShared === true || electing.leads(name);
      const near = tasks.filter(({ isApart }) => isApart !== true);
      const apart = tasks.filter((each) => !near.includes(each));
      const rounds = [
        ...lanes.map((lane) => goRound(() => goLane(lane, mostNow, going.signal), going)),
        goRound(() => runTasks(near, 0, leads), going),
        ...apart.map((each) => goRound(() => runTasks([each], 0, leads), going)),
      ];
      running = Promise.all(rounds);
    },
    async stop() {
      going.abort();
      await running;
      await leader?.stop();
    },
    works: worksOf(lanes, tasks, (lane) =>
      goLane(lane, () => Promise.resolve(mostAtOnce), new AbortController().signal),
    ),
  };
}

/** Runs rounds of lanes, a few at the same time. */
function createLaneRounds({ log, uptime, metrics }: Pick<Platform, 'log' | 'uptime' | 'metrics'>) {
  const inTurn = pLimit(lanesAtOnce);

  /** @returns whether one of the due items failed */
  async function goThrough(lane: Lane, most: () => Promise<number>, signal: AbortSignal): Promise<boolean> {
    // Detects an outage before conclusions are drawn from what did not happen.
    await uptime.beat();
    const { name, many = [], due, run } = lane;
    let hasFailed = false;
    for (const doMany of many)
      while (!signal.aborted && (await inTurn(() => doMany(mostUnasked))) === mostUnasked);
    const ids = await due(mostAtOnce);
    // How much people wait to hear of is only asked where it would make a difference.
    const now = ids.length > mostWhileBehind ? ids.slice(0, await most()) : ids;
    for (const id of now) {
      if (signal.aborted) break;
      // A failed item is retried in the next round and does not delay the others.
      await inTurn(() => run(id)).catch((error: unknown) => {
        hasFailed = true;
        log.error({ err: error, id, lane: name }, 'a due thing failed');
      });
    }
    return hasFailed;
  }

  /** One round of a lane. Other lanes can run between two items. */
  return async (lane: Lane, most: () => Promise<number>, signal: AbortSignal): Promise<void> => {
    const startedAt = performance.now();
    let hasFailed = true;
    try {
      hasFailed = await goThrough(lane, most, signal);
    } finally {
      metrics.noteRound({ name: lane.name, hasFailed, seconds: (performance.now() - startedAt) / secondMs });
    }
  };
}

/** Lanes and tasks, to be run one by one. */
const worksOf = (
  lanes: readonly Lane[],
  tasks: readonly ScheduledTask[],
  runLane: (lane: Lane) => Promise<void>,
): ScheduledWork[] => [
  ...lanes.map((lane) => ({ name: lane.name, run: () => runLane(lane) })),
  ...tasks.map(({ name, run }) => ({ name, run })),
];

/** Works again and again, with a pause before each round, until the signal. */
async function goRoundAndRound(
  log: Platform['log'],
  work: () => Promise<void>,
  { signal }: AbortController,
): Promise<void> {
  while (!signal.aborted) {
    await pause(everyMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    await work().catch((error: unknown) => log.error({ err: error }, 'the scheduler failed'));
  }
}

/** Runs tasks whose pause is over, and keeps when each is next. */
function createTaskRounds({ clock, log, metrics }: Pick<Platform, 'clock' | 'log' | 'metrics'>) {
  const nextAtMs = new Map<string, number>();

  /**
   * @param sinceMs is added to the time since the last round of each task.
   * @param leads whether this process does a task; where it does not, it asks again in a moment.
   */
  return async function runTasks(
    some: readonly ScheduledTask[],
    sinceMs: number,
    leads: (task: ScheduledTask) => Promise<boolean>,
  ): Promise<void> {
    for (const task of some) {
      const { name, everyMs: pauseMs, run } = task;
      const nowMs = clock.now().getTime();
      const waitMs = (nextAtMs.get(name) ?? 0) - nowMs - sinceMs;
      // A demo's clock may have been put back: no pause is longer than itself.
      if (waitMs > 0 && waitMs <= pauseMs) continue;
      if (!(await leads(task))) continue;
      const startedAt = performance.now();
      let hasFailed = false;
      await run().catch((error: unknown) => {
        hasFailed = true;
        log.error({ err: error, name }, 'a scheduled task failed');
      });
      metrics.noteRound({ name, hasFailed, seconds: (performance.now() - startedAt) / secondMs });
      nextAtMs.set(name, nowMs + pauseMs);
    }
  };
}
