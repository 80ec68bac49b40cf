import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { WorkerEvents } from 'graphile-worker';
import type { Client, Pool } from 'pg';
import { secondMs } from '../clock.ts';
import { keepConnection, type KeptConnection } from '../database/db.ts';
import type { Log } from '../observability/log.ts';

// Any number, the same in every process: with a runner's name it makes the lock that says that the runner
// lives.
const deliveringLock = 7_302_004;
const lookEveryMs = 5 * secondMs;

/**
 * Shows that this process's runner of the queue is alive, by a lock that ends with its connection, and frees
 * the jobs of runners that have died: the queue itself would wait four hours for them to come back.
 */
export class WorkerHeartbeat {
  /** The queue's runner reports here the name under which it takes jobs. */
  readonly events: WorkerEvents = new EventEmitter();
  readonly #pool: Pool;
  readonly #log: Log;
  readonly #runners = new Set<string>();
  #alive: KeptConnection | null = null;
  #timer: NodeJS.Timeout | null = null;
  /** One thing after another on the one connection. */
  #asked: Promise<void> = Promise.resolve();

  constructor(pool: Pool, log: Log) {
    this.#pool = pool;
    this.#log = log;
    this.events.on('pool:create', ({ workerPool }) => {
      this.#runners.add(workerPool.id);
      void this.#ask((alive) => alive.query(sayAlive, [deliveringLock, [workerPool.id]]));
    });
  }

  /** Starts the checks: one now, then at an interval. */
  async start(): Promise<void> {
    await this.#look();
    this.#timer = setInterval(() => void this.#look(), lookEveryMs);
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    // A question on a connection that was just cut is not waited for long.
    await Promise.race([this.#asked, pause(2 * secondMs, undefined, { ref: false })]);
    // Its connection ends, and the locks with it.
    this.#alive?.end();
    this.#alive = null;
  }

  /** The runner has ended: what it had in its hands is free for the next one. */
  forgetRunner(): void {
    const ended = [...this.#runners];
    this.#runners.clear();
    void this.#ask((alive) => alive.query(sayEnded, [deliveringLock, ended]));
  }

  #look = (): Promise<void> => this.#ask((alive) => alive.query(freeTheDead, [deliveringLock]));

  #ask(question: (alive: Client) => Promise<unknown>): Promise<void> {
    this.#asked = this.#asked
      .then(async () => question((this.#alive ??= await this.#connect()).client))
      .then(
        () => undefined,
        (error: unknown) => this.#log.warn(error, 'what other processes deliver cannot be looked at'),
      );
    return this.#asked;
  }

  async #connect(): Promise<KeptConnection> {
    const kept = await keepConnection(this.#pool, 'sameway delivering', () => {
      this.#alive = null;
    });
    try {
      await kept.client.query(sayAlive, [deliveringLock, [...this.#runners]]);
    } catch (error) {
      kept.end();
      throw error;
    }
    return kept;
  }
}

const sayAlive = 'select pg_advisory_lock($1, hashtext(name)) from unnest($2::text[]) as name';

const sayEnded = 'select pg_advisory_unlock($1, hashtext(name)) from unnest($2::text[]) as name';

// A runner is named a moment before it is known to live, so what has just been taken is left alone.
const freeTheDead = `
  select graphile_worker.force_unlock_workers(dead.workers) from (
    select array_agg(distinct locked_by) as workers from graphile_worker.jobs
    where locked_by is not null and locked_at < now() - interval '3 seconds' and not exists (
      select from pg_locks
      where locktype = 'advisory' and objsubid = 2 and classid = $1
        and objid::bigint = hashtext(locked_by)::bigint & 4294967295
        and database = (select oid from pg_database where datname = current_database())
    )
  ) as dead where dead.workers is not null`;
