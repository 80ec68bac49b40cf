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
import type { Actor } from '#contract/rides/moves.ts';
import type { Clock } from './clock.ts';
import type { Db } from './db.ts';
import { Delivering } from './delivering.ts';
import type { Letter, Mail } from './mail.ts';
import type { Log } from './log.ts';
import type { Push, PushMessage } from './push.ts';
import type { Sms, TextMessage } from './sms.ts';

interface PaymentOf {
  holdId: string;
  bookingId: string;
  rideId: string;
  requestId: string;
  passengerId: string;
  driverId: string;
}

/** Everything that rooms tell each other, in the past tense. Upper rooms listen; nobody imports a listener. */
export interface SignalPayloads {
  'ride.moved': { rideId: string; move: string; to: string; driverId: string; actor: Actor };
  'request.moved': { requestId: string; move: string; to: string; passengerId: string };
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
  /** Something of a ride or request for it has moved, or a place was declined: whoever is left may have a seat. */
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
  /** Somebody completed the profile of an account that began with an invitation. */
  'person.invited': { personId: string; inviterId: string };
  'licence.sent': { licenceId: string; userId: string };
  'licence.decided': { licenceId: string; userId: string; status: 'Accepted' | 'Reject' };
  'user.suspended': { userId: string };
  /** An alert has found something, seldom enough to be told: once for each order. */
  'alert.hit': { alertId: string; ownerId: string; role: 'driver' | 'passenger' };
  /** A booking's payment stands otherwise now. */
  'payment.moved': PaymentOf & { state: string };
  /** It needs its passenger: a card, a word to the bank, another card. */
  'payment.needed': PaymentOf & { need: string };
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
}
export type SignalName = keyof SignalPayloads;
export type Signal<N extends SignalName = SignalName> = { id: number; at: Date; payload: SignalPayloads[N] };

interface Job {
  listener: string;
  signalId: number;
}

/** With the queue's growing pauses: letters and texts for most of a day, a push for some ten minutes, a signal for days. */
const mostAttempts = { letter: 12, text: 12, push: 7, deliver: 25 } as const;
type TaskName = keyof typeof mostAttempts;
/** Where not even the failure could be written down, that is tried again too. */
const spareAttempts = 10;

/**
 * The outbox: what leaves a transaction. `emit` writes a signal and one delivery job per listener in the caller's transaction; jobs are delivered
 * after the commit, retried with growing pauses when they fail, in order within one queue.
 */
export class Outbox {
  readonly #listeners = new Map<
    string,
    { listener: string; name: SignalName; handle: (signal: Signal<never>) => Promise<void> }
  >();
  readonly #clock: Clock;
  readonly #mail: Mail;
  readonly #sms: Sms;
  readonly #push: Push;
  #runner: Runner | null = null;
  #delivering: Delivering | null = null;

  constructor(clock: Clock, channels: { mail: Mail; sms: Sms; push: Push }) {
    this.#clock = clock;
    this.#mail = channels.mail;
    this.#sms = channels.sms;
    this.#push = channels.push;
  }

  /** Registers a listener under a name that stays the same over restarts. It may be called twice for one signal. */
  on<N extends SignalName>(name: N, listener: string, handle: (signal: Signal<N>) => Promise<void>): void {
    this.#listeners.set(`${listener}:${name}`, { listener, name, handle });
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
    const keys = [...this.#listeners].flatMap(([key, each]) => (each.name === name ? [key] : []));
    const queues = keys.map((key) => `${this.#listeners.get(key)!.listener}:${queue}`);
    // One statement: this stands inside transactions that others wait for.
    await tx.execute(sql`
      with signal as (
        insert into signals (name, payload, at)
        values (${name}, ${JSON.stringify(payload)}::jsonb, ${this.#clock.now().toISOString()}) returning id
      ), jobs as (
        select array_agg(row(
          'deliver', json_build_object('listener', told.listener, 'signalId', signal.id), told.queue,
          null, ${mostAttempts.deliver + spareAttempts}::integer, null, null, null
        )::graphile_worker.job_spec) as specs
        from signal, unnest(${sql.param(keys)}::text[], ${sql.param(queues)}::text[]) as told(listener, queue)
      )
      select added.id from jobs, graphile_worker.add_jobs(jobs.specs) as added where jobs.specs is not null`);
  }

  /** Posts a letter once the transaction is committed; tried again while the mail server is away. */
  post = (tx: Db, letter: Letter): Promise<void> => this.again(tx, 'letter', letter);

  /** The same for a text message to a phone. */
  text = (tx: Db, message: TextMessage): Promise<void> => this.again(tx, 'text', message);

  /** The same for a push message to a device. */
  push = (tx: Db, message: PushMessage): Promise<void> => this.again(tx, 'push', message);

  /** Puts a task into the queue, as often as it has been there before. */
  async again(tx: Db, task: TaskName, payload: unknown): Promise<void> {
    await tx.execute(
      sql`select graphile_worker.add_job(${task}::text, ${JSON.stringify(payload)}::json, max_attempts => ${mostAttempts[task] + spareAttempts})`,
    );
  }

  /** A task that has failed for the last time is kept where an admin sees it, instead of being forgotten in the queue. */
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
      const { to, subject } = payload as Letter;
      return { to, what: withoutSecrets(subject) };
    }
    if (task === 'text') {
      const { to, text } = payload as TextMessage;
      return { to, what: withoutSecrets(text) };
    }
    if (task === 'push') {
      const { deviceId, text } = payload as PushMessage;
      const found = await pool.query<{ endpoint: string }>(
        'select endpoint from push_devices where id = $1',
        [deviceId],
      );
      const endpoint = found.rows[0]?.endpoint;
      return {
        to: endpoint === undefined ? '' : new URL(endpoint).hostname,
        what: (JSON.parse(text) as { title: string }).title,
      };
    }
    const { listener, signalId } = payload as Job;
    return { to: listener, what: `signal ${signalId}` };
  }

  #tasks(pool: Pool): TaskList {
    return {
      letter: this.#kept(pool, 'letter', (payload) => this.#mail.send(payload as Letter)),
      text: this.#kept(pool, 'text', (payload) => this.#sms.send(payload as TextMessage)),
      push: this.#kept(pool, 'push', (payload) => this.#push.send(payload as PushMessage)),
      deliver: this.#kept(pool, 'deliver', async (payload) => {
        const { listener, signalId } = payload as Job;
        const entry = this.#listeners.get(listener);
        if (entry === undefined) return; // The listener was removed by a newer version.
        const found = await pool.query<{ payload: unknown; at: Date }>(
          'select payload, at from signals where id = $1',
          [signalId],
        );
        const row = found.rows[0];
        if (row !== undefined)
          await entry.handle({ id: signalId, at: row.at, payload: row.payload as never });
      }),
    };
  }

  /** Delivers in the background until `stop`. */
  async start(pool: Pool, log: Log): Promise<void> {
    this.#delivering = new Delivering(pool, log);
    await this.#delivering.start();
    this.#runner = await run({
      pgPool: pool,
      events: this.#delivering.events,
      taskList: this.#tasks(pool),
      concurrency: 4,
      pollInterval: 1000,
      noHandleSignals: true,
      logger: quietLogger(log),
    });
  }

  async stop(): Promise<void> {
    await this.#runner?.stop();
    this.#runner = null;
    await this.#delivering?.stop();
    this.#delivering = null;
  }

  /** Delivers until nothing is due any more but what another process has in its hands, or what waits for that; for tests and the seed. */
  async deliverAll(pool: Pool, log: Log): Promise<void> {
    for (;;) {
      // One run can end while its last job has just been added; a job that failed waits for its next try.
      const due = await pool.query(
        `select from graphile_worker.jobs j where run_at <= now() and locked_at is null and not exists (
           select from graphile_worker.jobs taken where taken.queue_name = j.queue_name and taken.locked_at is not null
         ) limit 1`,
      );
      if (due.rowCount === 0) return;
      await runOnce({
        pgPool: pool,
        taskList: this.#tasks(pool),
        noHandleSignals: true,
        logger: quietLogger(log),
      });
    }
  }
}

/** Codes and links are their reader's alone. */
const withoutSecrets = (words: string): string =>
  words.replaceAll(/https?:\/\/\S+/g, '…').replaceAll(/\b\d{4,8}\b/g, '••••');

/** Creates the tables of the job queue. */
export const migrateJobs = (pool: Pool): Promise<void> => runMigrations({ pgPool: pool });

// The queue reports every job; only its warnings and errors are worth a line in the server's log.
function quietLogger(log: Log): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error') log.error(message);
    else if (level === 'warning') log.warn(message);
  });
}
