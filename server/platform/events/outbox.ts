import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import {
  Logger,
  run,
  runMigrations,
  runOnce,
  type JobHelpers,
  type Runner,
  type Task,
  type TaskList,
} from 'graphile-worker';
import type { Pool } from 'pg';
import { z } from 'zod';
import type { RealtimeFromServer } from '#contract/realtime.ts';
import type { Actor } from '#contract/rides/moves.ts';
import { secondMs, type Clock } from '../clock.ts';
import { hasWaitedTooLong, isConnectionLost, openPoolBeside, type Db } from '../database/db.ts';
import { WorkerHeartbeat } from '../queue/worker-heartbeat.ts';
import { aboutEmail, fromQueue, type EarlierEmail, type Email, type EmailSender } from '../messages/email.ts';
import type { Log } from '../observability/log.ts';
import type { PushSender, PushMessage } from '../messages/push.ts';
import { aboutSms, type Sms, type SmsSender } from '../messages/sms.ts';

interface PaymentOf {
  holdId: string;
  bookingId: string;
  rideId: string;
  requestId: string;
  passengerId: string;
  driverId: string;
}

/**
 * Everything that features tell each other, in the past tense. Upper features listen; no feature imports a
 * listener.
 */
export interface SignalPayloads {
  'ride.moved': { rideId: string; move: string; to: string; driverId: string; actor: Actor };
  'request.moved': { requestId: string; move: string; to: string; passengerId: string };
  /** Orders that had no booking at all have expired, many at once. */
  'orders.expired': { kind: 'ride' | 'request'; orders: { id: string; ownerId: string }[] };
  'booking.moved': {
    bookingId: string;
    rideId: string;
    requestId: string;
    move: string;
    to: string;
    driverId: string;
    passengerId: string;
    actor: Actor;
  };
  /** A report that a driver did not come stands: nothing has contradicted it in time. */
  'driver.missed': { bookingId: string; by: 'passenger' | 'system' };
  /**
   * The server was away on the day of a ride: both sides are asked whether they rode, one has answered, or it
   * is over.
   */
  'booking.unclear': {
    bookingId: string;
    rideId: string;
    requestId: string;
    driverId: string;
    passengerId: string;
    what: 'asked' | 'answered';
  };
  /** `terms`: time, address or cost; `details`: anything else. */
  'order.edited': {
    kind: 'ride' | 'request';
    orderId: string;
    ownerId: string;
    what: 'terms' | 'details';
  };
  'change.proposed': { changeId: string; rideId: string; driverId: string; passengerIds: string[] };
  'change.moved': {
    changeId: string;
    rideId: string;
    to: string;
    driverId: string;
    passengerIds: string[];
    /** Whose answer did it; null where the clock did. */
    byId: string | null;
  };
  'waitlist.changed': { rideId: string; driverId: string; requestId: string; passengerId: string };
  /** To those who travel to it: another time or place, anything else, or called off. */
  'event.changed': {
    eventId: string;
    organiserId: string;
    travellers: { personId: string; kind: 'ride' | 'request'; orderId: string }[];
    what: 'moved' | 'details' | 'cancelled';
  };
  /** A plan proposes a place to a driver and a passenger. */
  'event.proposed': {
    eventId: string;
    placeId: string;
    rideId: string;
    requestId: string;
    driverId: string;
    passengerId: string;
  };
  /**
   * Something of a ride or request for it has moved, or a place was declined: those who are left may have a
   * seat.
   */
  'event.moved': { eventId: string };
  'alert.saved': { alertId: string; ownerId: string };
  'review.written': { reviewId: string; rideId: string; authorId: string; subjectId: string };
  'profile.changed': { userId: string };
  /** `met`: face to face, or by an invitation. `ended` says no more, to whom it concerns. */
  'contact.moved': {
    move: 'applied' | 'accepted' | 'denied' | 'met' | 'ended' | 'blocked';
    actorId: string;
    otherId: string;
  };
  /** A person completed the profile of an account that began with an invitation. */
  'person.invited': { personId: string; inviterId: string };
  'licence.sent': { licenceId: string; userId: string };
  'licence.decided': { licenceId: string; userId: string; status: 'Accepted' | 'Reject' };
  'user.suspended': { userId: string };
  /** An alert has found something, seldom enough to be told: once for each order. */
  'alert.hit': { alertId: string; ownerId: string; role: 'driver' | 'passenger' };
  /** A booking's payment stands otherwise now. */
  'payment.moved': PaymentOf & { state: string };
  /** It needs its passenger: a card, a word to the bank, another card. */
  'payment.needed': PaymentOf & { need: string; /** The passenger is paying just now. */ isPresent: boolean };
  'payment.captured': PaymentOf & { amountCents: number };
  'dispute.moved': {
    disputeId: string;
    bookingId: string;
    passengerId: string;
    driverId: string;
    to: string;
  };
  /** A driver's account at the card provider. */
  'account.moved': { userId: string; state: string };
  /** What people see in the open app has changed. */
  'live.changed': { userIds: string[]; changed: Changed };
}
/** What `live` says to those whose page shows a thing. */
type Changed = Parameters<RealtimeFromServer['changed']>[0];
export type SignalName = keyof SignalPayloads;
export type Signal<N extends SignalName = SignalName> = { id: number; at: Date; payload: SignalPayloads[N] };

/** A signal to deliver: to all listeners, or to the one whose turn failed. */
interface Job {
  signalId: number;
  /** Of the signal's thing; jobs of earlier versions, which are for one listener each, do not say. */
  queue?: string;
  listener?: string;
}

interface Listener {
  listener: string;
  name: SignalName;
  handle: (signal: { id: number; at: Date; payload: unknown }) => Promise<void>;
}
const keyOf = ({ listener, name }: Listener): string => `${listener}:${name}`;

/**
 * With the queue's growing pauses: emails and texts for most of a day, a push for some ten minutes, a signal
 * for days.
 */
const mostAttempts = { letter: 12, text: 12, push: 7, deliver: 25 } as const;
type TaskName = keyof typeof mostAttempts;
/** Where not even the failure could be written down, that is tried again too. */
const spareAttempts = 10;

/** A listener that failed beside others is called again after this, as the queue would do it. */
const deliverAgainMs = 2.7 * secondMs;

/**
 * The queue locks a row per name whenever a job is taken, and never forgets a name: there are few, for all
 * things together.
 */
const queueNames = 64;
const queueOf = (thing: string): string =>
  `signals-${createHash('sha256').update(thing).digest().readUInt16BE(0) % queueNames}`;

/** How many jobs a process has in hand at once. */
const concurrency = 4;
/** So long its connections may take to end. */
const endWithinMs = 5 * secondMs;
/**
 * The runner ends when the database is away for longer than it can bear; another one begins after this pause.
 */
const beginAgainMs = secondMs;
/** A minute or so, in which a database has come back or will be away for long. */
const mostTriesInPlace = 80;
/**
 * Names that earlier versions gave to queues, one for every order, are dropped so often once nothing waits in
 * them.
 */
const clearNamesMs = 10 * 60 * secondMs;

/**
 * The outbox: what leaves a transaction. `emit` writes a signal and its delivery job in the caller's
 * transaction; jobs are delivered after the commit, in order within one queue. A listener that fails is
 * called again by a job of its own, with growing pauses.
 */
export class Outbox {
  readonly #listeners = new Map<string, Listener>();
  readonly #clock: Clock;
  readonly #mail: EmailSender;
  readonly #sms: SmsSender;
  readonly #push: PushSender;
  #left: (receipt: string) => Promise<void> = async () => {};
  #delivery: Delivery | null = null;

  constructor(clock: Clock, channels: { mail: EmailSender; sms: SmsSender; push: PushSender }) {
    this.#clock = clock;
    this.#mail = channels.mail;
    this.#sms = channels.sms;
    this.#push = channels.push;
  }

  /**
   * Registers a listener under a name that stays the same over restarts. It may be called twice for one
   * signal.
   */
  on<N extends SignalName>(name: N, listener: string, handle: (signal: Signal<N>) => Promise<void>): void {
    const entry: Listener = {
      listener,
      name,
      // `emit` has written the payload under this name.
      handle: ({ payload, ...signal }) => handle({ ...signal, payload: payload as SignalPayloads[N] }),
    };
    this.#listeners.set(keyOf(entry), entry);
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
    for (const [key, each] of this.#listeners) if (each.listener === listener) this.#listeners.delete(key);
  }

  /** @param queue signals of one queue are delivered one after another, for example the ride's id. */
  async emit<N extends SignalName>(
    tx: Db,
    name: N,
    payload: SignalPayloads[N],
    queue: string,
  ): Promise<void> {
    const signal = sql`
      insert into signals (name, payload, at)
      values (${name}, ${JSON.stringify(payload)}::jsonb, ${this.#clock.now().toISOString()}) returning id`;
    if (this.#listenersTo(name).length === 0) {
      await tx.execute(signal);
      return;
    }
    // One statement: this stands inside transactions that others wait for. Jobs are taken in the order of
    // their times, so that is now and not the start of the transaction: who waited for the lock on a ride
    // comes after those who had it.
    await tx.execute(sql`
      with signal as (${signal}), job as (select ${queueOf(queue)}::text as queue)
      select added.id from signal, job, graphile_worker.add_job(
        'deliver', json_build_object('signalId', signal.id, 'queue', job.queue), job.queue, clock_timestamp(),
        ${mostAttempts.deliver + spareAttempts}::integer
      ) as added`);
  }

  /**
   * Tells people in the open app, once the transaction is committed, that something of theirs has changed:
   * also where the process that committed it ends in the next moment. News of one thing is told in the order
   * of the commits.
   */
  async tell(tx: Db, userIds: readonly string[], changed: Changed): Promise<void> {
    if (userIds.length === 0) return;
    await this.emit(tx, 'live.changed', { userIds: [...userIds], changed }, `${changed.topic}:${changed.id}`);
  }

  /** Posts an email once the transaction is committed; tried again while the mail server is away. */
  post = (tx: Db, email: Email): Promise<void> => this.again(tx, 'letter', email);

  /** The same for a text message to a phone. */
  text = (tx: Db, message: Sms): Promise<void> => this.again(tx, 'text', message);

  /** The same for a push message to a device. */
  push = (tx: Db, message: PushMessage): Promise<void> => this.again(tx, 'push', message);

  /** Puts a task into the queue, as often as it has been there before. */
  async again(tx: Db, task: TaskName, payload: unknown): Promise<void> {
    await tx.execute(
      sql`select graphile_worker.add_job(${task}::text, ${JSON.stringify(payload)}::json, max_attempts => ${mostAttempts[task] + spareAttempts})`,
    );
  }

  /**
   * A task that has failed for the last time is kept where an admin sees it, instead of being forgotten in
   * the queue.
   */
  #kept(pool: Pool, task: TaskName, work: (payload: unknown) => Promise<void>): Task {
    return async (payload: unknown, { job }: JobHelpers) => {
      try {
        await work(payload);
      } catch (error) {
        if (job.attempts < mostAttempts[task]) throw error;
        const { to, what } = await this.#described(pool, task, payload);
        await pool.query(
          'insert into undelivered (id, task, recipient, what, payload, error, attempts, at) values (gen_random_uuid(), $1, $2, $3, $4, $5, $6, $7)',
          [
            task,
            to,
            what,
            JSON.stringify(payload),
            String(error instanceof Error ? error.message : error).slice(0, 1000),
            job.attempts,
            this.#clock.now(),
          ],
        );
      }
    };
  }

  /** For whom a task was, and what it said. */
  async #described(pool: Pool, task: TaskName, payload: unknown): Promise<{ to: string; what: string }> {
    if (task === 'letter') {
      const email = payload as Email | EarlierEmail;
      return { to: email.to, what: aboutEmail(email) };
    }
    if (task === 'text') {
      const message = payload as Sms;
      return { to: message.to, what: aboutSms(message) };
    }
    if (task === 'push') {
      const { deviceId, text } = payload as PushMessage;
      const found = await pool.query<{ carrier: string; endpoint: string }>(
        'select carrier, endpoint from push_devices where id = $1',
        [deviceId],
      );
      const { carrier = '', endpoint = '' } = found.rows[0] ?? {};
      return {
        to: carrier === 'web' ? new URL(endpoint).hostname : carrier,
        what: z.object({ title: z.string() }).parse(JSON.parse(text)).title,
      };
    }
    const { listener, signalId } = payload as Job;
    return { to: listener ?? 'all listeners', what: `signal ${signalId}` };
  }

  #isTooLate = ({ goodUntilMs = Infinity }: Pick<Email, 'goodUntilMs'>): boolean =>
    goodUntilMs <= this.#clock.now().getTime();

  /**
   * Forgets the signals about some people, whose deliveries then do nothing: a demo community that was broken
   * off.
   */
  async dropSignalsOf(tx: Db, personIds: readonly string[]): Promise<void> {
    await tx.execute(sql`
      delete from signals where exists (select 1 from unnest(${sql.param([...personIds])}::text[]) person
        where person in (payload->>'driverId', payload->>'passengerId', payload->>'authorId', payload->>'userId'))`);
  }

  /**
   * A job that fails is put behind those that came after it. While the database is at fault nothing else
   * could be delivered either, so it is tried again where it stands, and the order of its queue is kept.
   */
  async #inPlace<T>(work: () => Promise<T>): Promise<T> {
    for (let tried = 1; ; tried++) {
      try {
        return await work();
      } catch (error) {
        const isPassing = isConnectionLost(error) || hasWaitedTooLong(error);
        if (!isPassing || tried === mostTriesInPlace || this.#delivery?.isStopping === true) throw error;
        await pause(Math.min(50 * tried, secondMs));
      }
    }
  }

  #listenersTo(name: string): Listener[] {
    return [...this.#listeners.values()].filter((each) => each.name === name);
  }

  /**
   * Calls the listeners of a signal, one after another. Those that fail get a job each: the others are not
   * called again.
   */
  async #deliver(pool: Pool, log: Log, { signalId, queue, listener }: Job): Promise<void> {
    const row = await this.#inPlace(async () => {
      const found = await pool.query<{ name: string; payload: unknown; at: Date }>(
        'select name, payload, at from signals where id = $1',
        [signalId],
      );
      return found.rows[0];
    });
    if (row === undefined) return;
    const signal = { id: signalId, at: row.at, payload: row.payload };
    const failed: string[] = [];
    for (const each of this.#listenersTo(row.name)) {
      const key = keyOf(each);
      // A newer version may have removed the listener.
      if (listener !== undefined && listener !== key) continue;
      try {
        await this.#inPlace(() => each.handle(signal));
      } catch (error) {
        if (listener !== undefined) throw error;
        log.error({ err: error, listener: key, signal: signalId }, 'a listener failed; it is called again');
        failed.push(key);
      }
    }
    if (failed.length > 0) await this.#deliverLater(pool, failed, { signalId, queue });
  }

  async #deliverLater(pool: Pool, listeners: readonly string[], { signalId, queue }: Job): Promise<void> {
    await this.#inPlace(() =>
      pool.query(
        `select graphile_worker.add_jobs(array_agg(row(
           'deliver', json_build_object('signalId', $1::bigint, 'queue', $2::text, 'listener', listener), $2,
           clock_timestamp() + make_interval(secs => $3), $4::integer, null, null, null
         )::graphile_worker.job_spec)) from unnest($5::text[]) as listener`,
        [signalId, queue, deliverAgainMs / secondMs, mostAttempts.deliver + spareAttempts, listeners],
      ),
    );
  }

  #tasks(pool: Pool, log: Log): TaskList {
    return {
      letter: this.#kept(pool, 'letter', async (payload) => {
        const email = fromQueue(payload as Email | EarlierEmail);
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
      deliver: async (payload, helpers) => {
        await this.#kept(pool, 'deliver', () => this.#deliver(pool, log, payload as Job))(payload, helpers);
        await freeQueue(pool, helpers.job.id);
      },
    };
  }

  /** Delivers in the background until `stop`, however often the connections to the database are cut. */
  async start(pool: Pool, log: Log): Promise<void> {
    const delivery = new Delivery(pool, log, this.#tasks(pool, log));
    this.#delivery = delivery;
    await delivery.start();
  }

  async stop(): Promise<void> {
    const delivery = this.#delivery;
    this.#delivery = null;
    await delivery?.stop();
  }

  /** How many signals, emails and messages are due, counted up to `most`. */
  async waiting(db: Db, most: number): Promise<number> {
    const counted = await db.execute<{ count: number }>(sql`
      select count(*)::int as count from (
        select from graphile_worker.jobs where run_at <= now() limit ${most}
      ) due`);
    return counted.rows[0]?.count ?? 0;
  }

  /**
   * Delivers until nothing is due any more but what another process has in its hands, or what waits for that;
   * for tests and the seed.
   * @param atATime jobs in hand at once; tests take one after another, always in the same order.
   */
  async deliverAll(pool: Pool, log: Log, atATime = 1): Promise<void> {
    for (;;) {
      // One run can end while its last job has just been added; a job that failed waits for its next try.
      const due = await pool.query(
        `select from graphile_worker.jobs j where run_at <= now() and locked_at is null and not exists (
           select from graphile_worker.jobs taken where taken.queue_name = j.queue_name and taken.locked_at is not null
         ) limit 1`,
      );
      if (due.rowCount === 0) return;
      await runOnce({
        concurrency: atATime,
        pgPool: pool,
        taskList: this.#tasks(pool, log),
        noHandleSignals: true,
        logger: quietLogger(log),
      });
    }
  }
}

/**
 * Removes a job that is done and frees its named queue at once. The runner does so too, but looks for its
 * next job meanwhile: it finds the queue still taken, and what waits in it would rest until the next look, up
 * to a second later.
 */
async function freeQueue(pool: Pool, jobId: string): Promise<void> {
  await pool
    .query(
      `with done as (
         delete from graphile_worker._private_jobs where id = $1 returning job_queue_id, locked_by
       )
       update graphile_worker._private_job_queues as queue set locked_by = null, locked_at = null
       from done where queue.id = done.job_queue_id and queue.locked_by = done.locked_by`,
      [jobId],
    )
    // The runner's own way is left: it tries again until the database is back.
    .catch(() => undefined);
}

/**
 * One process's part in delivering: a runner of the queue on connections of its own, begun again whenever it
 * has ended.
 */
class Delivery {
  readonly #log: Log;
  readonly #tasks: TaskList;
  readonly #own: Pool;
  readonly #alive: WorkerHeartbeat;
  readonly #stopping = new AbortController();
  #runner: Runner | null = null;
  #going: Promise<void> = Promise.resolve();
  #clearing: NodeJS.Timeout | null = null;

  constructor(pool: Pool, log: Log, tasks: TaskList) {
    this.#log = log;
    this.#tasks = tasks;
    // One to listen, and one for every job that is taken or given back at the same moment.
    this.#own = openPoolBeside(pool, { max: concurrency + 1, name: 'sameway jobs' }, (error) =>
      log.warn({ err: error }, 'a connection of the job queue broke'),
    );
    this.#alive = new WorkerHeartbeat(pool, log);
  }

  get isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  async start(): Promise<void> {
    await this.#alive.start();
    await this.#run();
    this.#going = this.#keepGoing();
    this.#clearing = setInterval(() => void this.#clearNames(), clearNamesMs);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    if (this.#clearing !== null) clearInterval(this.#clearing);
    const ending = this.#runner?.stop().catch(() => undefined); // It had already ended by itself.
    await Promise.race([
      Promise.all([ending, this.#going]),
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
      pollInterval: 1000,
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

  #givesUp(): Promise<void> {
    return new Promise((resolve) => {
      this.#alive.events.once('pool:gracefulShutdown', () => resolve());
    });
  }

  async #clearNames(): Promise<void> {
    await this.#own
      .query(
        `delete from graphile_worker._private_job_queues as queue
         where queue.locked_at is null and queue.queue_name not like 'signals-%'
           and not exists (select from graphile_worker._private_jobs as job where job.job_queue_id = queue.id)`,
      )
      .catch((error: unknown) => this.#log.warn({ err: error }, 'unused queues cannot be cleared away'));
  }
}

/** Creates the tables of the job queue. */
export const migrateJobs = (pool: Pool): Promise<void> => runMigrations({ pgPool: pool });

// The queue reports every job; only its warnings and errors are worth a line in the server's log. Its own
// words quote those of the error, which may quote what people have written.
function quietLogger(log: Log): Logger {
  return new Logger(() => (level, message, meta) => {
    const words = message.split(/ with error |:|\n/, 1)[0]!;
    const line = meta?.['error'] instanceof Error ? { err: meta['error'] } : {};
    if (level === 'error') log.error(line, words);
    else if (level === 'warning') log.warn(line, words);
  });
}
