import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'drizzle-orm';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { z } from 'zod';
import type { Envelope } from '#contract/envelope.ts';
import { sendMessage } from '#contract/chat/endpoints.ts';
import { expectedStates } from '#contract/rides/moves.ts';
import { compareBooks } from '../server/features/payments/books/compare-books.ts';
import { reconcile } from '../server/features/payments/reconciliation/reconcile.ts';
import { buildApp, type BuiltApp } from '../server/app.ts';
import { later, minuteMs, MovableClock, secondMs } from '../server/platform/clock.ts';
import { isConnectionLost } from '../server/platform/database/db.ts';
import { readEnv } from '../server/platform/env.ts';
import type { Log } from '../server/platform/observability/log.ts';
import { openDatabase } from '../server/platform/database/open-database.ts';
import { loadRegion } from '../server/features/geo/region.ts';
import { compareLines, keptLines, type SaidLines } from '../server/testing/acknowledged/lines.ts';
import { readEnvelope } from '../server/testing/envelopes.ts';
import { makeDriver, saveCard } from '../server/testing/money.ts';
import { newPerson, type TestPerson } from '../server/testing/people.ts';
import { randomFrom } from '../server/testing/random.ts';
import { spots } from '../server/testing/orders.ts';
import { newDataFolder, startServer, type RunningServer } from './server.ts';

/** What came of killing the server again and again. */
export interface KillFigures {
  kills: number;
  /** Actions that were answered with success. */
  acknowledged: number;
  /** Bookings of passengers who were driven to where they go. */
  driven: number;
  /** Keys of answered actions that were sent again after a restart. */
  repeated: number;
  /** Answered actions of which nothing is left, and rides that a passenger rode along and did not pay. */
  lost: number;
  /**
   * Actions that happened more than once, or answered something else the second time; bookings charged twice.
   */
  doubled: number;
  /**
   * Payments of which the ledger says something else than the provider, after each restart and in the end.
   */
  ledgerDifferences: number;
  seconds: number;
}

interface Action {
  who: TestPerson;
  path: string;
  input: Record<string, unknown>;
  key: string;
}

interface Acknowledged extends Action {
  answer: Envelope<unknown>;
}

const pairCount = 6;
const linesEach = 3;
const costCents = 2000;
const waitsForMs = 4000;
/** A server under load may take its time; a run without progress is an error of its own. */
const answersWithinMs = 120_000;
/** No one is suspended in the middle of a run for what it makes drivers do. */
export const letsPeopleDown = { STRIKES_FOR_REVIEW: '1000000', STRIKES_FOR_SUSPENSION: '1000000' };
/** Refusals that no one gets who does what they may. */
const neverRight: readonly string[] = [
  'action.alreadyDone',
  'session.missing',
  'access.denied',
  'input.invalid',
];
/** What can happen to one thing once only, in a run where nothing is taken back. */
const once = [
  'publish',
  'ask',
  'accept',
  'agree',
  'reach',
  'meet',
  'board',
  'depart',
  'dropOff',
  'arrive',
  'cancel',
];

/**
 * Six drivers and six passengers plan, pay, chat, drive and cancel rides over HTTP while the server is killed
 * (-9) at random moments and started again. Every action carries an idempotency key and is repeated with it
 * until it is answered.
 */
export async function killOften(kills: number, seed = 1): Promise<KillFigures> {
  const startedAt = performance.now();
  const { folder, remove } = newDataFolder();
  const env = readEnv({
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    REGION: 'santa-cruz',
    DATA_DIR: folder,
    ...letsPeopleDown,
  });
  const log = pino({ level: 'silent' });
  // The database outlives the server: this process keeps it open and reads it.
  const database = await openDatabase(env, { onError: () => undefined });
  const clock = new MovableClock();
  const region = await loadRegion({ env });
  const app = await buildApp({ env, log, clock, region, pool: database.pool, withRealtime: false });
  try {
    await app.http.ready();
    const run = new BusyRun(app, database.pool, randomFrom(seed));
    const pairs = await run.begin();
    const found = { repeated: 0, lost: 0, doubled: 0, ledgerDifferences: 0 };
    let server = await startServer(folder, { DEMO: '0', ...letsPeopleDown });
    try {
      for (let kill = 0; kill < kills; kill++) {
        run.open(server);
        await run.untilRandomMoment();
        run.shut();
        await server.kill();
        server = await startServer(folder, { DEMO: '0', ...letsPeopleDown });
        const repeated = await run.repeatLast(server);
        found.repeated += repeated.repeated;
        found.doubled += repeated.different;
        found.ledgerDifferences += await differencesThatStay(app);
      }
      run.isOver = true;
      run.open(server);
      await Promise.all(pairs);
    } finally {
      run.isOver = true;
      run.shut();
      await server.stop();
    }
    found.ledgerDifferences += await settle({ ...app, clock }, log);
    found.lost += await run.countLost();
    found.doubled += await run.countDoubled();
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const { length: acknowledged } = run.acknowledged;
    return { kills, acknowledged, driven: await run.countDriven(), ...found, seconds };
  } finally {
    await app.http.close();
    await database.close();
    remove();
  }
}

/**
 * Delivers and does all that is due, also minutes from now.
 * @returns payments of which the ledger says something else than the provider in the end; one more if they
 *   cannot be compared
 */
export async function settle(app: BuiltApp & { clock: MovableClock }, log: Log): Promise<number> {
  await deliverWhatTheDeadHad(app, app.pool, log);
  for (let round = 0; round < 6; round++) {
    app.clock.advance(3 * minuteMs);
    await app.platform.outbox.deliverAll(app.pool, log);
    await app.scheduler.tick();
  }
  const isCompared = (await compareBooks(app.platform)) !== null;
  return (await reconcile(app.platform, new Date(0))).differences.length + (isCompared ? 0 : 1);
}

/** Whatever a dead process was delivering is free again within seconds, for the process that goes on. */
export async function deliverWhatTheDeadHad(app: BuiltApp, pool: Pool, log: Log): Promise<void> {
  await app.platform.outbox.start(pool, log);
  for (let waitedMs = 0; waitedMs < answersWithinMs; waitedMs += 100) {
    if ((await app.platform.outbox.waiting(app.platform.db, 1)) === 0) break;
    await sleep(100);
  }
  await app.platform.outbox.stop();
}

/** The server itself may be in the middle of a payment: only what differs again and again is a difference. */
async function differencesThatStay(app: BuiltApp): Promise<number> {
  const since = later(app.platform.clock.now(), -5 * minuteMs);
  let differences = 0;
  for (let look = 0; look < 4; look++) {
    differences = (await reconcile(app.platform, since)).differences.length;
    if (differences === 0) return 0;
    await sleep(secondMs / 2);
  }
  return differences;
}

/** A busy run: who does what, what was answered, and what the tables contain afterwards. */
export class BusyRun {
  app: BuiltApp;
  #pool: Pool;
  readonly #random: () => number;
  #gate = Promise.withResolvers<Pick<RunningServer, 'url'>>();
  #sinceOpened = 0;
  #answeredAt = performance.now();
  isOver = false;
  /** The longest time in which no one got an answer. */
  longestGapMs = 0;
  /** Answers that say no to what was right, and would have been done had the database not gone away. */
  refusedWrongly = 0;
  readonly acknowledged: Acknowledged[] = [];
  readonly #published = new Map<string, { keys: number; what: 'rides' | 'requests'; personId: string }>();

  constructor(app: BuiltApp, pool: Pool, random: () => number) {
    this.app = app;
    this.#pool = pool;
    this.#random = random;
  }

  /** The installation has moved: later checks read the new one. */
  moveTo(app: BuiltApp): void {
    this.app = app;
    this.#pool = app.pool;
  }

  /** Makes the people and sets them going; each waits until a server is there. */
  async begin(): Promise<Promise<void>[]> {
    const pairs: Promise<void>[] = [];
    for (let pair = 0; pair < pairCount; pair++) {
      const [driver, passenger] = [
        await newPerson(this.app.platform, 'Driver'),
        await newPerson(this.app.platform, 'Passenger'),
      ];
      const vehicleId = await makeDriver(this.app, driver.id);
      await saveCard(this.app, passenger.id);
      pairs.push(this.ride({ driver, passenger, vehicleId, isInstant: pair % 2 === 0 }));
    }
    return pairs;
  }

  open(server: Pick<RunningServer, 'url'>): void {
    this.#sinceOpened = 0;
    this.#answeredAt = performance.now();
    this.#gate.resolve(server);
  }

  /** Begins to count answers for the next random moment. */
  countAnew(): void {
    this.#sinceOpened = 0;
  }

  shut(): void {
    this.#gate = Promise.withResolvers();
  }

  /** Waits for some answers, and a little longer: the server is in the middle of others then. */
  async untilRandomMoment(): Promise<void> {
    const answers = 2 + Math.floor(this.#random() * 30);
    for (let waitedMs = 0; this.#sinceOpened < answers; waitedMs += 5) {
      if (waitedMs > answersWithinMs) throw new Error('Nothing is answered any more.');
      await sleep(5);
    }
    await sleep(this.#random() * 40);
  }

  /** Does one action, with its key, until it is answered. */
  async #act(who: TestPerson, path: string, input: Record<string, unknown>): Promise<Envelope<unknown>> {
    const action: Action = { who, path, input, key: randomUUID() };
    for (;;) {
      const server = await this.#gate.promise;
      const answer = await send(server.url, action);
      if (answer === null) {
        await sleep(20);
        continue;
      }
      this.#sinceOpened++;
      this.longestGapMs = Math.max(this.longestGapMs, performance.now() - this.#answeredAt);
      this.#answeredAt = performance.now();
      if (neverRight.includes(answer.reason ?? '')) this.refusedWrongly++;
      if (answer.code === 200) this.acknowledged.push({ ...action, answer });
      // Its process died between doing it and noting its answer: done all the same.
      const isDone = answer.code === 200 || answer.reason === 'action.alreadyDone';
      if (path === '/order/create' && isDone) this.#notePublished(action);
      return answer;
    }
  }

  #notePublished({ who, input }: Action): void {
    const what = (input['order'] as { role: string }).role === 'driver' ? 'rides' : 'requests';
    const known = this.#published.get(who.id);
    this.#published.set(who.id, { keys: (known?.keys ?? 0) + 1, what, personId: who.id });
  }

  async #one<T>(text: string, values: unknown[]): Promise<T | null> {
    for (let waitedMs = 0; ; waitedMs += 100) {
      try {
        return (await this.#pool.query(text, values)).rows[0] ?? null;
      } catch (error) {
        // This read was cut as well.
        if (!isConnectionLost(error) || waitedMs > answersWithinMs) throw error;
        await sleep(100);
      }
    }
  }

  /** Waits a while until there is such a row. */
  async #until(text: string, values: unknown[]): Promise<boolean> {
    for (let waitedMs = 0; waitedMs < waitsForMs; waitedMs += 50) {
      if ((await this.#one(text, values)) !== null) return true;
      await sleep(50);
    }
    return false;
  }

  #untilStands = (table: 'rides' | 'bookings', id: string, states: readonly string[]): Promise<boolean> =>
    this.#until(`select 1 from ${table} where id = $1 and state = any($2)`, [id, states]);

  /**
   * One driver and one passenger, ride after ride: one in three is driven, one the passenger cancels, one the
   * driver.
   */
  async ride(of: {
    driver: TestPerson;
    passenger: TestPerson;
    vehicleId: string;
    isInstant: boolean;
  }): Promise<void> {
    const { driver, passenger } = of;
    for (let round = 0; !this.isOver; round++) {
      const departsAt = later(new Date(), 40 * minuteMs);
      await this.#act(driver, '/order/create', { order: offer(departsAt, of.vehicleId, of.isInstant) });
      await this.#act(passenger, '/order/create', { order: rideRequest(departsAt) });
      const rideId = await this.#newest('rides', 'driver_id', driver.id);
      const requestId = await this.#newest('requests', 'passenger_id', passenger.id);
      await this.#act(passenger, '/order/request', { rideId, requestId });
      const booking = await this.#one<{ id: string }>('select id from bookings where request_id = $1', [
        requestId,
      ]);
      if (booking !== null)
        await this.#together({ ...of, rideId, requestId, bookingId: booking.id }, round % 3);
      // Whatever has not been ended is: the next round begins with free hands.
      await this.#act(passenger, '/order/cancel', { id: requestId, reason: '' });
      await this.#act(driver, '/order/cancel', { id: rideId, reason: 'The car broke down' });
    }
  }

  async #together(
    of: {
      driver: TestPerson;
      passenger: TestPerson;
      isInstant: boolean;
      rideId: string;
      requestId: string;
      bookingId: string;
    },
    how: number,
  ): Promise<void> {
    const { driver, passenger, rideId: id, bookingId } = of;
    if (!of.isInstant) await this.#act(driver, '/order/accept', { bookingId });
    const hasJoined = await this.#untilStands('bookings', bookingId, expectedStates);
    if (!hasJoined) return;
    await this.#talk([driver, passenger], id);
    if (how === 1) return;
    if (how === 2) {
      await this.#act(driver, '/order/cancel', { id, reason: 'The car broke down' });
      return;
    }
    if (!(await this.#untilStands('rides', id, ['waiting']))) return;
    await this.#act(driver, '/order/reach', { id, at: spots.westside });
    await this.#act(driver, '/order/pickup', { bookingId });
    await this.#act(passenger, '/order/confirm-meeting', { bookingId });
    await this.#act(driver, '/order/depart', { id });
    await this.#act(driver, '/order/arrive', { id });
  }

  /** Each writes some lines in the ride's room, as soon as a worker has opened it. */
  async #talk(two: readonly TestPerson[], roomid: string): Promise<void> {
    if (!(await this.#until('select 1 from chat_rooms where id = $1', [roomid]))) return;
    await Promise.all(
      two.map(async (who, at) => {
        for (let line = 0; line < linesEach; line++)
          await this.#act(who, sendMessage.path, {
            roomid,
            clientId: randomUUID(),
            text: `${at} says ${line}`,
          });
      }),
    );
  }

  async #newest(table: 'rides' | 'requests', column: string, personId: string): Promise<string> {
    const text = `select id from ${table} where ${column} = $1 order by created_at desc limit 1`;
    return (await this.#one<{ id: string }>(text, [personId]))!.id;
  }

  /** Sends what was answered last again, with its key: nothing may happen, and the answer stays. */
  async repeatLast(server: Pick<RunningServer, 'url'>): Promise<{ repeated: number; different: number }> {
    let different = 0;
    const last = this.acknowledged.slice(-2 * pairCount);
    for (const action of last) {
      const answer = await send(server.url, action);
      if (answer === null || !isDeepStrictEqual(answer, action.answer)) different++;
    }
    return { repeated: last.length, different };
  }

  /** The chat lines that were acknowledged, by room and person, in their order. */
  saidLines(): SaidLines[] {
    const said = this.acknowledged.filter(({ path }) => path === sendMessage.path);
    return [...Map.groupBy(said, ({ who, input }) => `${String(input['roomid'])} ${who.id}`).values()].map(
      (lines) => ({
        roomId: String(lines[0]!.input['roomid']),
        senderId: lines[0]!.who.id,
        texts: lines.map(({ input }) => String(input['text'])),
      }),
    );
  }

  /** Compares the acknowledged chat lines with what each room holds. */
  compareLines = async (): Promise<ReturnType<typeof compareLines>> =>
    compareLines(await keptLines(this.#pool), this.saidLines());

  async countDriven(): Promise<number> {
    const text = `select count(*)::int as count from bookings where state = 'finished'`;
    return (await this.#one<{ count: number }>(text, []))!.count;
  }

  /**
   * Answered actions that have left no line in the history, chat lines that are not in their room, and
   * passengers who rode along and have not paid.
   */
  async countLost(): Promise<number> {
    let lost = (await this.compareLines()).lost.length;
    for (const { path, input, answer } of this.acknowledged) {
      if (path === sendMessage.path) continue;
      const { id, bookingId, rideId, requestId } = input as Record<string, string | undefined>;
      const thing =
        path === '/order/create' ? z.object({ id: z.string() }).parse(answer.data).id : (bookingId ?? id);
      const row =
        path === '/order/request'
          ? await this.#one('select 1 from bookings where ride_id = $1 and request_id = $2', [
              rideId,
              requestId,
            ])
          : await this.#one('select 1 from move_history where thing_id = $1 and move = any($2)', [
              thing,
              movesOf[path],
            ]);
      if (row === null) lost++;
    }
    const unpaid = await this.#one<{ count: number }>(
      `select count(*)::int as count from bookings b where b.fare_cents > 0
         and (b.state = 'finished' or (b.state = 'cancel' and b.fault = 'passenger'))
         and b.fare_cents <> (select coalesce(sum(captured_cents - refunded_cents), 0) from authorizations h where h.booking_id = b.id)`,
      [],
    );
    return lost + unpaid!.count;
  }

  /**
   * Orders beyond those that were asked for, moves that happened twice, chat lines that are there twice, and
   * bookings that were charged twice.
   */
  async countDoubled(): Promise<number> {
    let doubled = 0;
    for (const { keys, what, personId } of this.#published.values()) {
      const column = what === 'rides' ? 'driver_id' : 'passenger_id';
      const row = await this.#one<{ count: number }>(
        `select count(*)::int as count from ${what} where ${column} = $1`,
        [personId],
      );
      doubled += Math.max(0, row!.count - keys);
    }
    const { rows } = await this.app.platform.db.execute(sql`
      select thing_id from move_history where move = any(${sql.param(once)}) group by thing_id, thing, move having count(*) > 1
      union all
      select null from sandbox_objects where kind = 'payment_intent'
        group by body -> 'metadata' ->> 'booking'
        having count(*) filter (where (body ->> 'amount_received')::int > 0 or body ->> 'status' = 'requires_capture') > 1`);
    return doubled + rows.length + (await this.compareLines()).doubled.length;
  }
}

/** The moves of which a call leaves at least one. */
const movesOf: Record<string, string[]> = {
  '/order/create': ['publish'],
  '/order/accept': ['accept', 'agree', 'acceptInvitation'],
  '/order/cancel': ['cancel'],
  '/order/reach': ['reach'],
  '/order/pickup': ['meet', 'board'],
  '/order/confirm-meeting': ['meet', 'board'],
  '/order/depart': ['depart'],
  '/order/arrive': ['arrive', 'endEmpty'],
};

/** The answer to an action; null when there is none. */
async function send(url: string, { who, path, input, key }: Action): Promise<Envelope<unknown> | null> {
  try {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${who.token}` },
      body: JSON.stringify({ ...input, idempotencyKey: key, signTime: Date.now(), sign: '' }),
    });
    const answer = readEnvelope(await response.json());
    // Asked to come again in a moment.
    return answer.reason === 'server.busy' ? null : answer;
  } catch {
    return null;
  }
}

const offer = (departsAt: Date, vehicleId: string, instant: boolean) => ({
  role: 'driver',
  from: spots.westside,
  to: spots.aptos,
  departsAt: departsAt.toISOString(),
  seats: 3,
  priceKind: 'perPerson',
  vehicleId,
  costCents,
  instant,
});

const rideRequest = (departsAt: Date) => ({
  role: 'passenger',
  // Where the ride begins: no one has to wait until it leaves.
  from: spots.westside,
  to: spots.capitola,
  earliestAt: later(departsAt, -10 * minuteMs).toISOString(),
  latestAt: later(departsAt, 20 * minuteMs).toISOString(),
  seats: 1,
  offerCents: null,
});
