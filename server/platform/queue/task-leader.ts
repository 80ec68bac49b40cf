import type { Client, Pool } from 'pg';
import { secondMs } from '../clock.ts';
import { keepConnection, type KeptConnection } from '../database/db.ts';
import type { Log } from '../observability/log.ts';

// Any number, the same in every process: with a task's name it makes the lock of the task's leader.
const leadingLock = 7_302_007;
const askEveryMs = 2 * secondMs;

/**
 * Elects one process for each task that one does for all: who has the task's lock, on a connection of its
 * own. When that connection ends, another process takes over within seconds. Between the end of a connection
 * and its notice here two processes may do the same task, so tasks stay correct without a leader: it only
 * saves the same work.
 */
export class TaskLeader {
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
