import { setTimeout as pause } from 'node:timers/promises';
import { Logger, run, runMigrations, type Runner, type TaskList, type WorkerPool } from 'graphile-worker';
import type { Pool } from 'pg';
import { secondMs } from '../clock.ts';
import { openPoolBeside } from '../database/db.ts';
import type { Log } from '../observability/log.ts';
import { WorkerHeartbeat } from './worker-heartbeat.ts';

/** How many jobs a process has in hand at once. */
const concurrency = 4;
/**
 * The queue asks for each job by a statement whose planning takes longer than its work: the plan is made once
 * on each connection. It follows the index of what is due, and does not read and sort all that waits because
 * that was little then.
 */
const options =
  '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_bitmapscan=off -c jit=off';
/**
 * How often the runner checks whether a job is due, such as a further try. A job that is added is taken at
 * once.
 */
const lookEveryMs = secondMs;
/** The queue's own workers ask so rarely, each by itself: the runner asks for all of them. */
const workerLooksEveryMs = 60 * secondMs;
const isAnyDue = {
  name: 'jobs due',
  text: 'select exists (select from graphile_worker._private_jobs where is_available and run_at <= now()) as due',
};
/** Time limit for its connections to end. */
const endWithinMs = 5 * secondMs;
/**
 * The runner ends when the database is away for longer than it can bear; another one begins after this pause.
 */
const beginAgainMs = secondMs;

/**
 * One process's part in the queue of what goes outside: a runner on connections of its own, begun again
 * whenever it has ended.
 */
export class JobRunner {
  readonly #log: Log;
  readonly #tasks: TaskList;
  readonly #own: Pool;
  readonly #alive: WorkerHeartbeat;
  readonly #stopping = new AbortController();
  #runner: Runner | null = null;
  #workers: Pick<WorkerPool, 'nudge'> | null = null;
  #going: Promise<void> = Promise.resolve();
  #looking: Promise<void> = Promise.resolve();

  constructor(pool: Pool, log: Log, tasks: TaskList) {
    this.#log = log;
    this.#tasks = tasks;
    // One to listen, and one for every job that is taken or given back at the same moment.
    this.#own = openPoolBeside(pool, { max: concurrency + 1, name: 'sameway jobs', options }, (error) =>
      log.warn({ err: error }, 'a connection of the job queue broke'),
    );
    this.#alive = new WorkerHeartbeat(pool, log);
    const { events } = this.#alive;
    events.on('pool:create', ({ workerPool }) => (this.#workers = workerPool));
    events.on('pool:gracefulShutdown', () => (this.#workers = null));
  }

  get isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  async start(): Promise<void> {
    await this.#alive.start();
    await this.#run();
    this.#going = this.#keepGoing();
    this.#looking = this.#keepLooking();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    const ending = this.#runner?.stop().catch(() => undefined); // It had already ended by itself.
    await Promise.race([
      Promise.all([ending, this.#going, this.#looking]),
      pause(2 * endWithinMs, undefined, { ref: false }),
    ]);
    await this.#alive.stop();
    // A connection that the queue was just making again is not waited for.
    await Promise.race([this.#own.end(), pause(endWithinMs, undefined, { ref: false })]);
  }

  async #run(): Promise<void> {
    this.#runner = await run({
      pgPool: this.#own,
      events: this.#alive.events,
      taskList: this.#tasks,
      concurrency,
      pollInterval: workerLooksEveryMs,
      noHandleSignals: true,
      logger: quietLogger(this.#log),
      // With a batch the queue itself deals with a job that could not be given back; without one that is a
      // rejection which nothing awaits, and the end of the process.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    });
  }

  async #keepGoing(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        if (this.#runner === null) await this.#run();
        // `stop` found no runner while this one was beginning.
        if (signal.aborted) await this.#runner!.stop();
        // A runner that gives up waits for batches it has miscounted: it is not waited for long.
        await Promise.race([this.#runner!.promise, this.#givesUp().then(() => pause(endWithinMs))]);
      } catch (error) {
        if (!signal.aborted) this.#log.warn({ err: error }, 'the job queue stopped; it begins again');
      }
      this.#runner = null;
      this.#alive.forgetRunner();
      await pause(beginAgainMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #keepLooking(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        const { rows } = await this.#own.query<{ due: boolean }>(isAnyDue);
        if (rows[0]!.due) this.#workers?.nudge(concurrency);
      } catch (error) {
        if (!signal.aborted) this.#log.warn({ err: error }, 'the job queue cannot be looked at');
      }
      await pause(lookEveryMs, undefined, { signal }).catch(() => undefined);
    }
  }

  #givesUp(): Promise<void> {
    return new Promise((resolve) => {
      this.#alive.events.once('pool:gracefulShutdown', () => resolve());
    });
  }
}

/** Creates the tables of the job queue. */
export async function migrateJobs(pool: Pool, log: (error: Error) => void): Promise<void> {
  const own = openPoolBeside(pool, { max: 1, name: 'sameway migration of jobs' }, log);
  try {
    await runMigrations({ pgPool: own });
  } finally {
    await own.end();
  }
}

// The queue reports every job; only its warnings and errors are worth a line in the server's log. Its own
// words quote those of the error, which may quote what people have written.
export function quietLogger(log: Log): Logger {
  return new Logger(() => (level, message, meta) => {
    const words = message.split(/ with error |:|\n/, 1)[0]!;
    const line = meta?.['error'] instanceof Error ? { err: meta['error'] } : {};
    if (level === 'error') log.error(line, words);
    else if (level === 'warning') log.warn(line, words);
  });
}
