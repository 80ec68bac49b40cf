import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { BuiltApp } from '../../server/app.ts';
import { rounded } from '../bench-app.ts';
import { cpuMsOfTree, postmasterPid } from './process-cpu.ts';

/** The cost of one action, the listeners of its signals included. */
export interface ActionCost {
  action: string;
  /** How often it was done. */
  count: number;
  /** CPU time of the server process, its threads included, and of PostgreSQL. */
  serverMs: number;
  databaseMs: number;
  /** Bytes written to PostgreSQL's log; a full copy of a page after each checkpoint included. */
  walBytes: number;
  /** Rows that are there afterwards and were not before. */
  rows: number;
}

const idleSeconds = 10;
const settlesWithinMs = 120_000;

/** Measures what actions cost a server process and its database, less what both use while nothing happens. */
export class CostMeter {
  readonly #app: BuiltApp;
  readonly #pool: Pool;
  readonly #serverPid: number;
  readonly #databasePid: number;
  /** CPU time per millisecond while nothing happens. */
  #idle = { server: 0, database: 0 };
  readonly costs: ActionCost[] = [];

  private constructor(app: BuiltApp, pool: Pool, serverPid: number, databasePid: number) {
    this.#app = app;
    this.#pool = pool;
    this.#serverPid = serverPid;
    this.#databasePid = databasePid;
  }

  /**
   * @param app another app on the same database, which tells when all signals have been heard
   * @param owner the way of the database's owner, who alone may ask where its files are
   */
  static async open(
    app: BuiltApp,
    { pool, owner, serverPid }: { pool: Pool; owner: Pool; serverPid: number },
  ): Promise<CostMeter> {
    const meter = new CostMeter(app, pool, serverPid, await postmasterPid(owner));
    await meter.#settle();
    const [before, began] = [meter.#cpu(), performance.now()];
    await sleep(idleSeconds * 1000);
    const [after, ms] = [meter.#cpu(), performance.now() - began];
    meter.#idle = {
      server: (after.server - before.server) / ms,
      database: (after.database - before.database) / ms,
    };
    return meter;
  }

  /** CPU of a second in which nothing happens. */
  get idleMsPerSecond(): { server: number; database: number } {
    return { server: rounded(this.#idle.server * 1000), database: rounded(this.#idle.database * 1000) };
  }

  /** Does an action `count` times, as `act` does it, and notes what one of them costs. */
  async measure(action: string, count: number, act: () => Promise<unknown>): Promise<void> {
    await this.#settle();
    const rowsBefore = await this.#rows();
    const [before, began, walBefore] = [this.#cpu(), performance.now(), await this.#wal()];
    await act();
    await this.#settle();
    const [after, ms] = [this.#cpu(), performance.now() - began];
    const each = (sum: number) => rounded(Math.max(0, sum) / count);
    this.costs.push({
      action,
      count,
      serverMs: each(after.server - before.server - this.#idle.server * ms),
      databaseMs: each(after.database - before.database - this.#idle.database * ms),
      walBytes: Math.round(((await this.#wal()) - walBefore) / count),
      rows: each((await this.#rows()) - rowsBefore),
    });
  }

  /** Waits until every listener has heard every signal, and no job is due. */
  async #settle(): Promise<void> {
    const { db, outbox } = this.#app.platform;
    for (let waitedMs = 0; waitedMs < settlesWithinMs; waitedMs += 100) {
      if ((await outbox.waiting(db, 1)) === 0) return;
      await sleep(100);
    }
    throw new Error(`Still waiting after two minutes: ${await this.#waiting()}`);
  }

  async #waiting(): Promise<string> {
    const { rows: jobs } = await this.#pool.query(
      `select task_identifier, attempts, last_error, locked_at from graphile_worker.jobs where run_at <= now() limit 10`,
    );
    const { rows: cursors } = await this.#pool.query('select consumer, seq from event_cursors');
    const { rows: last } = await this.#pool.query(
      `select seq, id, left(items::text, 200) as items from event_log order by seq desc limit 3`,
    );
    return JSON.stringify({ jobs, cursors, last }, null, 1);
  }

  #cpu(): { server: number; database: number } {
    return { server: cpuMsOfTree(this.#serverPid), database: cpuMsOfTree(this.#databasePid) };
  }

  async #wal(): Promise<number> {
    const { rows } = await this.#pool.query<{ bytes: string }>(
      `select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes`,
    );
    return Number(rows[0]!.bytes);
  }

  /** Rows of all tables, counted one by one: statistics of the server come a second late. */
  async #rows(): Promise<number> {
    const { rows: tables } = await this.#pool.query<{ name: string }>(
      `select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables
       where relid not in (select inhrelid from pg_inherits)`,
    );
    let sum = 0;
    for (const { name } of tables) {
      const { rows } = await this.#pool.query<{ count: number }>(
        `select count(*)::int as count from ${name}`,
      );
      sum += rows[0]!.count;
    }
    return sum;
  }
}
