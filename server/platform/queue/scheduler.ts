import { setTimeout as pause } from 'node:timers/promises';
import { sql, type SQL } from 'drizzle-orm';
import pLimit from 'p-limit';
import type { Pool, Client } from 'pg';
import { secondMs } from '../clock.ts';
import { keepConnection, type KeptConnection } from '../database/db.ts';
import type { Log } from '../observability/log.ts';
import type { Platform } from '../platform.ts';

const everyMs = 1000;
/** Work of one round of a lane; the rest follows in the next. */
const mostAtOnce = 100;
/** The limit while many signals are unhandled already: the clock's work emits more of them. */
const mostWhileBehind = 10;
const behindFrom = 500;
/** Maximum orders that concern no other person ended at once. */
const mostUnasked = 200;
/**
 * Maximum lanes working at the same moment, each on one connection: the others are for the calls of people.
 */
const lanesAtOnce = 3;

/** Runs what is due by the clock. */
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

/** A task that a feature repeats, by the app's clock. */
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
  isDue?: IsDue;
  run: () => Promise<void>;
}

/**
 * Whether there is anything to do at this time, as an SQL condition that an index answers. One statement a
 * second asks all of them together, so an installation without anything to do runs no others. Without it,
 * each round runs the work itself.
 */
type IsDue = (now: Date) => SQL;

/**
 * Things of one kind that become due, each done by itself. After an outage there may be a hundred thousand.
 * All processes work on them: `run` does nothing where another has done it, or has the thing locked.
 */
interface Lane {
  name: string;
  isDue?: IsDue;
  /** Does with many things in one step what concerns one person each, before the others; how many. */
  many?: readonly ((limit: number) => Promise<number>)[];
  due: (limit: number) => Promise<string[]>;
  run: (id: string) => Promise<void>;
}

/** The lanes and tasks that one feature leaves to the scheduler. */
export interface Schedule {
  lanes?: readonly Lane[];
  tasks?: readonly ScheduledTask[];
}

/**
 * Nothing is scheduled ahead: what is due is read from the tables, so that a restart, a pause or a jump of
 * the clock neither loses nor repeats a thing. Each kind goes its own round in bounded batches (decision
 * 0042).
 */
export function createScheduler(platform: Platform, schedules: readonly Schedule[], pool: Pool): Scheduler {
  const { db, clock, log, outbox, uptime, metrics } = platform;
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

  const whatIsDue = createDueCheck(platform);
  const near = tasks.filter(({ isApart }) => isApart !== true);
  const apart = tasks.filter((each) => !near.includes(each));

  return {
    async tick() {
      const round = new AbortController();
      // One lane can make the next one due.
      for (const lane of lanes)
        if ((await whatIsDue([lane])).length > 0)
          await goLane(lane, () => Promise.resolve(mostAtOnce), round.signal);
      // Tests ask for a round now: what goes each second goes again, however short ago the last round was,
      // and whichever process leads.
      for (const task of tasks) await runTasks(await whatIsDue([task]), everyMs, () => Promise.resolve(true));
    },
    start() {
      going = new AbortController();
      const electing = (leader = new TaskLeader(pool, log, led));
      const leads = async ({ name, isShared }: ScheduledTask) => isShared === true || electing.leads(name);
      const start = createStarts(log);
      running = goRoundAndRound(async () => {
        const due = new Set((await whatIsDue([...lanes, ...tasks])).map(({ name }) => name));
        for (const lane of lanes)
          if (due.has(lane.name)) start(lane.name, () => goLane(lane, mostNow, going.signal));
        for (const task of apart) if (due.has(task.name)) start(task.name, () => runTasks([task], 0, leads));
        const dueNear = near.filter(({ name }) => due.has(name));
        if (dueNear.length > 0) start('near', () => runTasks(dueNear, 0, leads));
      }, going).then(start.ended);
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

const worksOf = (
  lanes: readonly Lane[],
  tasks: readonly ScheduledTask[],
  runLane: (lane: Lane) => Promise<void>,
): ScheduledWork[] => [
  ...lanes.map((lane) => ({ name: lane.name, run: () => runLane(lane) })),
  ...tasks.map(({ name, run }) => ({ name, run })),
];

/** Works again and again, with a pause before each round, until the signal. */
async function goRoundAndRound(work: () => Promise<void>, { signal }: AbortController): Promise<void> {
  while (!signal.aborted) {
    await pause(everyMs, undefined, { signal }).catch(() => undefined);
    if (!signal.aborted) await work();
  }
}

/** Starts works that are not waited for, each at most once at a time. */
function createStarts(log: Platform['log']) {
  const running = new Map<string, Promise<void>>();
  const start = (name: string, work: () => Promise<void>): void => {
    if (running.has(name)) return;
    const ended = work()
      .catch((error: unknown) => log.error({ err: error }, 'the scheduler failed'))
      .finally(() => running.delete(name));
    running.set(name, ended);
  };
  return Object.assign(start, { ended: () => Promise.all(running.values()) });
}

/** Finds the works that have anything to do, by one statement for all that say so by a condition. */
function createDueCheck({ kept, clock, log }: Pick<Platform, 'kept' | 'clock' | 'log'>) {
  return async function whatIsDue<W extends { isDue?: IsDue }>(works: readonly W[]): Promise<readonly W[]> {
    const now = clock.now();
    const conditions = works.flatMap(({ isDue }) => isDue ?? []).map((isDue) => sql`(${isDue(now)})`);
    if (conditions.length === 0) return works;
    try {
      const [row] = await kept.run<{ due: boolean[] }>(
        sql`select array[${sql.join(conditions, sql`, `)}] as due`,
      );
      const answers = row!.due.values();
      return works.filter(({ isDue }) => isDue === undefined || answers.next().value === true);
    } catch (error) {
      // Each work then says by itself what fails, and those that need no database go on.
      log.warn({ err: error }, 'what is due cannot be asked');
      return works;
    }
  };
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

// Any number, the same in every process: with a task's name it makes the lock of the task's leader.
const leadingLock = 7_302_007;
const askEveryMs = 2 * secondMs;

/**
 * Elects one process for each task that one does for all: who has the task's lock, on a connection of its
 * own. When that connection ends, another process takes over within seconds. Between the end of a connection
 * and its notice here two processes may do the same task, so tasks stay correct without a leader: it only
 * saves the same work.
 */
class TaskLeader {
  readonly #pool: Pool;
  readonly #log: Log;
  readonly #names: readonly string[];
  readonly #led = new Set<string>();
  #kept: KeptConnection | null = null;
  #askedAtMs = -Infinity;
  #asking: Promise<void> | null = null;
  #isStopped = false;

  /** @param names of all tasks that are done by a leader */
  constructor(pool: Pool, log: Log, names: readonly string[]) {
    this.#pool = pool;
    this.#log = log;
    this.#names = names;
  }

  /** Whether this process does the task now. */
  async leads(name: string): Promise<boolean> {
    if (!this.#led.has(name) && performance.now() - this.#askedAtMs >= askEveryMs)
      await (this.#asking ??= this.#ask().finally(() => (this.#asking = null)));
    return this.#led.has(name);
  }

  /** Gives up all tasks. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#asking;
    this.#led.clear();
    this.#kept?.end();
    this.#kept = null;
  }

  async #ask(): Promise<void> {
    if (this.#isStopped) return;
    try {
      this.#kept ??= await keepConnection(this.#pool, 'sameway leading', () => {
        this.#led.clear();
        this.#kept = null;
      });
      const asked = this.#names.filter((name) => !this.#led.has(name));
      for (const name of await tryLocks(this.#kept.client, asked)) this.#led.add(name);
    } catch (error) {
      this.#log.warn(error, 'which process does scheduled tasks cannot be asked');
    } finally {
      this.#askedAtMs = performance.now();
    }
  }
}

/** The names whose locks this connection has now. */
async function tryLocks(client: Client, names: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string; led: boolean }>(
    'select name, pg_try_advisory_lock($1, hashtext(name)) as led from unnest($2::text[]) as name',
    [leadingLock, names],
  );
  return rows.flatMap(({ name, led }) => (led ? [name] : []));
}
