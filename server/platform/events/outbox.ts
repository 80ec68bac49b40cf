import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { runOnce, type JobHelpers, type Task, type TaskList } from 'graphile-worker';
import type { Pool } from 'pg';
import type { DeliveryTask } from '#contract/notifications/endpoints.ts';
import { secondMs, type Clock } from '../clock.ts';
import { databaseOf, type Db } from '../database/db.ts';
import type { Email, EmailSender } from '../messages/email.ts';
import type { PushSender, PushMessage } from '../messages/push.ts';
import type { Sms, SmsSender } from '../messages/sms.ts';
import type { Log } from '../observability/log.ts';
import { JobRunner, quietLogger } from '../queue/job-runner.ts';
import { EventConsumers, hearAll, logChannel, type Consumer } from './event-consumers.ts';
import {
  appendingToLog,
  dropFromLog,
  logRowsOf,
  unheardRows,
  type LoggedSignal,
  type SignalDraft,
} from './event-log.ts';
import { describeDelivery, keepFailedDelivery, keepSpentJobs, lateSignal } from './failed-deliveries.ts';
import { inPlace, Listeners, type Concerns, type SignalOf } from './listeners.ts';
import { keepLogPartitions } from './log-partitions.ts';
import type { Changed, SignalName, SignalPayloads } from './signals.ts';

/**
 * With the queue's growing pauses: emails and texts for most of a day, a push for some ten minutes, a signal
 * for days.
 */
const mostAttempts = { letter: 12, text: 12, push: 7, deliver: 25 } as const satisfies Record<
  DeliveryTask,
  number
>;
/** Where not even the failure could be written down, that is tried again too. */
const spareAttempts = 10;

/** Retry delay of a failed listener, near the queue's own. */
const deliverAgainMs = 2.7 * secondMs;

type NewSignal = Pick<SignalDraft, 'name' | 'payload' | 'key'>;

/** Posts an email for the command line, which builds no app: the server sends it when it runs. */
export const postEmail = (tx: Db, email: Email): Promise<void> => addTask(tx, 'letter', email);

/** Notes a signal for the command line: the server hears it when it runs. */
export const emitByCommand = async (
  tx: Db,
  { name, payload, key }: Omit<SignalDraft, 'at'> & { name: SignalName },
  at: Date,
): Promise<void> => {
  await tx.execute(appendingToLog([{ name, key, at: at.toISOString(), payload }]));
  await tx.execute(sql`select pg_notify(${logChannel}, '')`);
};

/** Puts a task into the queue, as often as it has been there before. */
export async function addTask(tx: Db, task: DeliveryTask, payload: unknown): Promise<void> {
  await addTasks(tx, task, [payload]);
}

/** Adds several tasks in one call, because the queue plans its statement again in each. */
async function addTasks(tx: Db, task: DeliveryTask, payloads: readonly unknown[]): Promise<void> {
  if (payloads.length === 0) return;
  const list = sql.param(payloads.map((payload) => JSON.stringify(payload)));
  await tx.execute(
    sql`select count(*) from graphile_worker.add_jobs(array(
      select row(${task}::text, payload, null, null, ${mostAttempts[task] + spareAttempts}::smallint, null, null, null)
        ::graphile_worker.job_spec
      from unnest(${list}::json[]) payload))`,
  );
}

/**
 * The outbox: what leaves a transaction. `emit` notes a signal, and the transaction ends by writing all of
 * its signals into the event log, as one row. Listeners hear of them after the commit, in order within one
 * key. A signal that a listener fails at is heard again by a job of its own, with growing pauses.
 */
export class Outbox {
  readonly #listeners = new Listeners();
  readonly #clock: Clock;
  readonly #mail: EmailSender;
  readonly #sms: SmsSender;
  readonly #push: PushSender;
  #left: (receipt: string) => Promise<void> = async () => {};
  #jobs: JobRunner | null = null;
  #consumers: EventConsumers | null = null;
  /** Whether signals were emitted since the last commit. */
  #hasNew = false;

  constructor(clock: Clock, channels: { mail: EmailSender; sms: SmsSender; push: PushSender }) {
    this.#clock = clock;
    this.#mail = channels.mail;
    this.#sms = channels.sms;
    this.#push = channels.push;
  }

  /**
   * Registers a listener under a name that stays the same over restarts: its cursor in the log has that name.
   * It gets all signals of a batch together, in the order of the log. It may get a signal twice, and gets
   * signals one by one where the batch fails: what it has done for a signal, it does not do again.
   * @param concerns says beforehand which signals the listener has work for
   * @param of.restMs shortest interval between two batches, for signals that may be followed by others a
   *   moment later
   */
  listen<N extends SignalName>(
    listener: string,
    concerns: Concerns<N>,
    hear: (signals: readonly SignalOf<N>[]) => Promise<void>,
    of: { restMs: number } = { restMs: 0 },
  ): void {
    this.#listeners.listen(listener, concerns, hear, of);
  }

  /** The same for signals of one name, which are handled one after another. */
  on<N extends SignalName>(
    name: N,
    listener: string,
    handle: (signal: SignalOf<N>) => Promise<void>,
    concerns: (payload: SignalPayloads[N]) => boolean = () => true,
  ): void {
    this.listen<N>(listener, { [name]: concerns } as unknown as Concerns<N>, async (signals) => {
      for (const signal of signals) await handle(signal);
    });
  }

  /**
   * Calls back with the `receipt` of an email, text or push once its server has taken it. Like a listener it
   * may be called twice.
   */
  whenLeft(handle: (receipt: string) => Promise<void>): void {
    this.#left = handle;
  }

  /** Forgets a listener whatever it listens to: for benchmarks of what does not concern it. */
  off(listener: string): void {
    this.#listeners.off(listener);
  }

  /** @param key signals of one key are heard one after another, for example the ride's id. */
  emit<N extends SignalName>(tx: Db, name: N, payload: SignalPayloads[N], key: string): Promise<void> {
    return this.emitAll(tx, [{ name, payload, key }]);
  }

  /** The same for several signals, in their order. */
  async emitAll(tx: Db, signals: readonly NewSignal[]): Promise<void> {
    if (signals.length === 0) return;
    await tx.execute(appendingToLog(this.#dated(signals)));
  }

  /** Signals as rows of the event log, for a statement of the caller that writes them with other rows. */
  logRowsOf = (signals: readonly NewSignal[]): unknown[] => logRowsOf(this.#dated(signals));

  #dated(signals: readonly NewSignal[]): SignalDraft[] {
    this.#hasNew = true;
    const at = this.#clock.now().toISOString();
    return signals.map((signal) => ({ ...signal, at }));
  }

  /** A transaction of this process is committed: wakes the reader of the log. */
  committed(): void {
    if (!this.#hasNew) return;
    this.#hasNew = false;
    this.#consumers?.nudge();
  }

  /**
   * Notifies people in the open app, once the transaction is committed, that something of theirs has changed,
   * even if the process ends right after the commit. Changes of one thing arrive in the order of the commits.
   */
  tell(tx: Db, userIds: readonly string[], changed: Changed): Promise<void> {
    return this.tellAll(tx, [{ userIds, changed }]);
  }

  /** The same for several changes, in their order. */
  tellAll(tx: Db, news: readonly { userIds: readonly string[]; changed: Changed }[]): Promise<void> {
    const signals = news
      .filter(({ userIds }) => userIds.length > 0)
      .map(({ userIds, changed }) => ({
        name: 'live.changed' as const,
        payload: { userIds: [...userIds], changed },
        key: `${changed.topic}:${changed.id}`,
      }));
    return this.emitAll(tx, signals);
  }

  /** Posts an email once the transaction is committed; tried again while the mail server is away. */
  post = (tx: Db, email: Email): Promise<void> => this.again(tx, 'letter', email);

  /** The same for several emails. */
  postAll = (tx: Db, emails: readonly Email[]): Promise<void> => addTasks(tx, 'letter', emails);

  /** The same for a text message to a phone. */
  text = (tx: Db, message: Sms): Promise<void> => this.again(tx, 'text', message);

  /** The same for a push message to a device. */
  push = (tx: Db, message: PushMessage): Promise<void> => this.again(tx, 'push', message);

  /** Puts a task into the queue, as often as it has been there before. */
  again = addTask;

  /** Stores a task that has failed for the last time where an admin sees it, before the queue deletes it. */
  #kept(pool: Pool, task: DeliveryTask, work: (payload: unknown) => Promise<void>): Task {
    return async (payload: unknown, { job }: JobHelpers) => {
      try {
        await work(payload);
      } catch (error) {
        if (job.attempts < mostAttempts[task]) throw error;
        const db = databaseOf(pool);
        await keepFailedDelivery(db, {
          id: randomUUID(),
          task,
          ...(await describeDelivery(db, task, payload)),
          payload,
          error: String(error instanceof Error ? error.message : error).slice(0, 1000),
          attempts: job.attempts,
          at: this.#clock.now(),
        });
      }
    };
  }

  #isTooLate = ({ goodUntilMs = Infinity }: Pick<Email, 'goodUntilMs'>): boolean =>
    goodUntilMs <= this.#clock.now().getTime();

  /**
   * Forgets the signals about some people, which are then heard by none: a demo community that was broken
   * off.
   */
  dropSignalsOf = (tx: Db, personIds: readonly string[]): Promise<void> => dropFromLog(tx, personIds);

  #consumersOf(pool: Pool, log: Log): Consumer[] {
    const isStopping = () => this.#jobs?.isStopping === true;
    const keep = async (listener: string, signal: LoggedSignal) => {
      await inPlace({ isStopping }, () =>
        pool.query(
          `select graphile_worker.add_job('deliver', $1::json, run_at => clock_timestamp() + make_interval(secs => $2),
             max_attempts => $3::integer)`,
          [
            JSON.stringify({ listener, signal }),
            deliverAgainMs / secondMs,
            mostAttempts.deliver + spareAttempts,
          ],
        ),
      );
    };
    return this.#listeners.consumers({ log, keep, isStopping });
  }

  #tasks(pool: Pool): TaskList {
    return {
      letter: this.#kept(pool, 'letter', async (payload) => {
        const email = payload as Email;
        if (this.#isTooLate(email)) return;
        await this.#mail.send(email);
        if (email.receipt !== undefined) await this.#left(email.receipt);
      }),
      text: this.#kept(pool, 'text', async (payload) => {
        const message = payload as Sms;
        if (this.#isTooLate(message)) return;
        await this.#sms.send(message);
        if (message.receipt !== undefined) await this.#left(message.receipt);
      }),
      push: this.#kept(pool, 'push', async (payload) => {
        const message = payload as PushMessage;
        const isTaken = await this.#push.send(message);
        if (isTaken && message.receipt !== undefined) await this.#left(message.receipt);
      }),
      deliver: this.#kept(pool, 'deliver', async (payload) => {
        const { listener, signal } = lateSignal.parse(payload);
        const isStopping = () => this.#jobs?.isStopping === true;
        await inPlace({ isStopping }, () => this.#listeners.hearAgain(listener, signal));
      }),
    };
  }

  /**
   * Delivers in the background until `stop`, however often the connections to the database are cut.
   * @param of.isAlone no other process serves this database: the log is quiet while this one writes nothing.
   */
  async start(pool: Pool, log: Log, of: { isAlone: boolean } = { isAlone: false }): Promise<void> {
    this.#consumers = new EventConsumers(pool, log, () => this.#consumersOf(pool, log), of);
    this.#consumers.start();
    this.#jobs = new JobRunner(pool, log, this.#tasks(pool));
    await this.#jobs.start();
  }

  async stop(): Promise<void> {
    const [consumers, jobs] = [this.#consumers, this.#jobs];
    await Promise.all([consumers?.stop(), jobs?.stop()]);
    [this.#consumers, this.#jobs] = [null, null];
  }

  /** How many operations, emails and messages are due, counted up to `most`. */
  async waiting(db: Db, most: number): Promise<number> {
    const counted = await db.execute<{ count: number }>(sql`
      select count(*)::int as count from (
        select from graphile_worker.jobs where run_at <= now() limit ${most}
      ) due`);
    return (counted.rows[0]?.count ?? 0) + (await unheardRows(db, this.#listeners.names, most));
  }

  /** Makes failed deliveries of jobs that are tried no more. */
  keepSpentJobs = (db: Db): Promise<void> => keepSpentJobs(db, this.#clock.now());

  /** The names of all listeners of the log, each with its own cursor. */
  get consumerNames(): readonly string[] {
    return this.#listeners.names;
  }

  /** Gives the event log partitions for the coming days, and drops what is old and heard. */
  keepLog = (db: Db): Promise<void> => keepLogPartitions(db, this.#listeners.names);

  /**
   * Delivers until nothing is due any more but what another process has in its hands; for tests and the seed.
   * @param atATime how many jobs are in hand at once; tests take one after another, always in the same order.
   */
  async deliverAll(pool: Pool, log: Log, atATime = 1): Promise<void> {
    for (;;) {
      await hearAll(pool, this.#consumersOf(pool, log));
      const { rows } = await pool.query<{ due: boolean }>(
        'select exists (select from graphile_worker.jobs where run_at <= now() and locked_at is null) as due',
      );
      if (!rows[0]!.due) return;
      await runOnce({
        concurrency: atATime,
        pgPool: pool,
        taskList: this.#tasks(pool),
        noHandleSignals: true,
        logger: quietLogger(log),
      });
    }
  }
}
