import { sql } from 'drizzle-orm';
import { Logger, run, runMigrations, runOnce, type Runner, type TaskList } from 'graphile-worker';
import type { Pool } from 'pg';
import type { Clock } from './clock.ts';
import type { Db } from './db.ts';
import type { Letter, Mail } from './mail.ts';
import type { Log } from './log.ts';
import type { Sms, TextMessage } from './sms.ts';

/** Everything that rooms tell each other, in the past tense. Upper rooms listen; nobody imports a listener. */
export interface SignalPayloads {
  'ride.moved': { rideId: string; move: string; to: string; driverId: string };
  'request.moved': { requestId: string; move: string; to: string; passengerId: string };
  'booking.moved': {
    bookingId: string;
    rideId: string;
    requestId: string;
    move: string;
    to: string;
    driverId: string;
    passengerId: string;
    actor: 'driver' | 'passenger' | 'system';
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
}
export type SignalName = keyof SignalPayloads;
export type Signal<N extends SignalName = SignalName> = { id: number; at: Date; payload: SignalPayloads[N] };

interface Job {
  listener: string;
  signalId: number;
}

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
  #runner: Runner | null = null;

  constructor(clock: Clock, mail: Mail, sms: Sms) {
    this.#clock = clock;
    this.#mail = mail;
    this.#sms = sms;
  }

  /** Registers a listener under a name that stays the same over restarts. It may be called twice for one signal. */
  on<N extends SignalName>(name: N, listener: string, handle: (signal: Signal<N>) => Promise<void>): void {
    this.#listeners.set(`${listener}:${name}`, { listener, name, handle });
  }

  /** @param queue signals of one queue are delivered one after another, for example the ride's id. */
  async emit<N extends SignalName>(
    tx: Db,
    name: N,
    payload: SignalPayloads[N],
    queue: string,
  ): Promise<void> {
    const inserted = await tx.execute<{ id: string }>(
      sql`insert into signals (name, payload, at) values (${name}, ${JSON.stringify(payload)}::jsonb, ${this.#clock.now().toISOString()}) returning id`,
    );
    const signalId = Number(inserted.rows[0]?.id);
    for (const [key, each] of this.#listeners) {
      if (each.name !== name) continue;
      const job: Job = { listener: key, signalId };
      await tx.execute(
        sql`select graphile_worker.add_job('deliver', ${JSON.stringify(job)}::json, queue_name => ${`${each.listener}:${queue}`})`,
      );
    }
  }

  /** Posts a letter once the transaction is committed; tried again while the mail server is away. */
  async post(tx: Db, letter: Letter): Promise<void> {
    await tx.execute(sql`select graphile_worker.add_job('letter', ${JSON.stringify(letter)}::json)`);
  }

  /** The same for a text message to a phone. */
  async text(tx: Db, message: TextMessage): Promise<void> {
    await tx.execute(sql`select graphile_worker.add_job('text', ${JSON.stringify(message)}::json)`);
  }

  #tasks(pool: Pool): TaskList {
    return {
      letter: (payload) => this.#mail.send(payload as Letter),
      text: (payload) => this.#sms.send(payload as TextMessage),
      deliver: async (payload) => {
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
      },
    };
  }

  /** Delivers in the background until `stop`. */
  async start(pool: Pool, log: Log): Promise<void> {
    this.#runner = await run({
      pgPool: pool,
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
  }

  /** Delivers until nothing is due any more; for tests and the seed. */
  async deliverAll(pool: Pool, log: Log): Promise<void> {
    for (;;) {
      await runOnce({
        pgPool: pool,
        taskList: this.#tasks(pool),
        noHandleSignals: true,
        logger: quietLogger(log),
      });
      // One run can end while its last job has just been added; a job that failed waits for its next try.
      const due = await pool.query(
        'select 1 from graphile_worker.jobs where run_at <= now() and locked_at is null limit 1',
      );
      if (due.rowCount === 0) return;
    }
  }
}

/** Creates the tables of the job queue. */
export const migrateJobs = (pool: Pool): Promise<void> => runMigrations({ pgPool: pool });

// The queue reports every job; only its warnings and errors are worth a line in the server's log.
function quietLogger(log: Log): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error') log.error(message);
    else if (level === 'warning') log.warn(message);
  });
}
