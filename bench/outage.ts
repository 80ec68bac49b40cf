import { setTimeout as sleep } from 'node:timers/promises';
import { eq, isNotNull, sql } from 'drizzle-orm';
import { pino, type Logger } from 'pino';
import { firstChoices } from '#contract/notifications/endpoints.ts';
import { noPreferences } from '../contract/rides/preferences.ts';
import { deliverWhatTheDeadHad } from '../e2e/kills.ts';
import { newDataFolder, startServer } from '../e2e/server.ts';
import { buildApp, type BuiltApp } from '../server/app.ts';
import { sendMessage } from '../server/features/chat/send-message.ts';
import { loadRegion } from '../server/features/geo/region.ts';
import { saveChoices } from '../server/features/notifications/channel-settings.ts';
import { sendDue } from '../server/features/notifications/send-notices.ts';
import { askToJoin } from '../server/features/orders/bookings/open-booking.ts';
import { dueRides, dueBookings, dueRequests } from '../server/features/orders/due/due-orders.ts';
import { createOrder } from '../server/features/orders/order-commands.ts';
import { bookingsOf, rideById } from '../server/features/orders/store.ts';
import { pickUp, confirmMeeting } from '../server/features/trips/pickup.ts';
import { reach } from '../server/features/trips/reach.ts';
import { hourMs, later, minuteMs, MovableClock, secondMs } from '../server/platform/clock.ts';
import { openDatabase } from '../server/platform/database/open-database.ts';
import { readEnv } from '../server/platform/env.ts';
import { notifications } from '../server/schema/notifications.ts';
import { outboxMessages } from '../server/schema/platform.ts';
import { bookings } from '../server/schema/rides.ts';
import { strikes } from '../server/schema/moderation.ts';
import { readEnvelope } from '../server/testing/envelopes.ts';
import { makeDriver, saveCard } from '../server/testing/money.ts';
import { spots } from '../server/testing/orders.ts';
import { newPerson, type TestPerson } from '../server/testing/people.ts';
import { percentile, rounded, say } from './bench-app.ts';

const awayMs = 12 * hourMs;
/** Time limit for the preparation of the outage, by the machine's clock. */
const allowanceMs = 20 * minuteMs;
/** When the last ride leaves, counted from the start of the outage; it would be given up before its end. */
const lastDepartsInMs = 8 * hourMs;
const costCents = 2000;
const readers = 2;
/** The interval of each reader's questions; an answer's time counts from the moment its question was due. */
const readEveryMs = 200;
const giveUpAfterMs = 20 * minuteMs;
/** The time that reads continue when nothing is due any more: the machine's own time for them. */
const quietForMs = 15 * secondMs;

interface Pair {
  driver: TestPerson;
  passenger: TestPerson;
  rideId: string;
  requestId: string;
  bookingId: string;
}
type Moving = BuiltApp & { clock: MovableClock };

/**
 * `--rides` (200) paid or free rides whose day falls into twelve hours without a server. They are made by an
 * app that lives twelve hours ago; some drivers stand at the pick-up already, some passengers are on board,
 * and in every room a line is written in the last seconds. Then a real server process starts, and people read
 * while it catches up. No one says whether their ride took place, so nothing may be concluded.
 */
export async function benchOutage(options: Record<string, string> = {}): Promise<Record<string, unknown>> {
  const rideCount = Number(options['rides'] ?? 200);
  const { folder, remove } = newDataFolder();
  const env = readEnv({ NODE_ENV: 'test', LOG_LEVEL: 'silent', REGION: 'santa-cruz', DATA_DIR: folder });
  const log = pino({ level: 'silent' });
  const database = await openDatabase(env, { onError: () => undefined });
  const { pool } = database;
  const clock = new MovableClock();
  let isPast = true;
  const app = await buildApp({
    env,
    log,
    clock,
    region: await loadRegion({ env }),
    pool,
    withRealtime: false,
    wallMs: () => (isPast ? clock.now().getTime() : Date.now()),
  });
  try {
    await app.http.ready();
    const pairs = await liveUntilTheOutage({ ...app, clock }, rideCount, log);
    // The last second before it went away: what waits to be heard waits for the next process.
    const before = await countThings(app);
    isPast = false;
    clock.moveTo(null);

    const startsAt = new Date();
    say('The server starts after twelve hours …');
    const startedAt = performance.now();
    const server = await startServer(folder, { DEMO: '0' });
    const reading = new Reading(server.url, pairs);
    try {
      const seconds = await untilCaughtUp(app, startedAt, pairs.length);
      const readMs = reading.take();
      await sleep(quietForMs);
      const quietMs = reading.take();
      await reading.stop();
      say(`Caught up after ${seconds} s, ${readMs.length} reads meanwhile.`);
      await server.kill();
      await deliverTheRest({ ...app, clock }, log, pairs.length);
      const after = await countThings(app);
      return {
        rides: pairs.length,
        strikes: after.strikes - before.strikes,
        released: after.released - before.released,
        charged: after.charged - before.charged,
        askedBoth: await countAskedBoth(app),
        ...(await countLetters(app, startsAt)),
        lateMessagesTold: after.messagesTold - before.messagesTold,
        catchUpSeconds: rounded(seconds),
        ...timesOf(readMs, quietMs),
        readsFailed: reading.failed,
      };
    } finally {
      await reading.stop();
      // The database serves this process as well: a server that ends in peace would take it along.
      await server.kill();
    }
  } finally {
    await app.http.close();
    await database.close();
    remove();
  }
}

/**
 * Makes the rides and begins their day, by a clock of twelve hours ago; a line is written in every room in
 * the last seconds.
 */
async function liveUntilTheOutage(app: Moving, rideCount: number, log: Logger): Promise<Pair[]> {
  const { clock, pool } = app;
  const stopsAt = later(new Date(), allowanceMs - awayMs);
  clock.moveTo(later(stopsAt, -24 * hourMs));
  say(`Making ${rideCount} rides of which the day begins at ${stopsAt.toISOString()} …`);
  const pairs = await makeRides(app, rideCount, stopsAt);
  const settle = async () => {
    await app.platform.outbox.deliverAll(pool, log);
    await app.scheduler.tick();
  };
  await settle();
  await settle();
  clock.moveTo(later(new Date(), -awayMs - 30 * secondMs));
  await settle();
  await settle();
  await beginTheDay(app, pairs);
  for (const { rideId, passenger } of pairs)
    await sendMessage(app.platform, rideId, passenger.id, {
      clientId: crypto.randomUUID(),
      text: 'See you',
    });
  clock.moveTo(later(new Date(), -awayMs));
  await app.platform.uptime.beat();
  return pairs;
}

/** Emails leave minutes after the notifications: those of the catch-up too. */
async function deliverTheRest(app: Moving, log: Logger, pairs: number): Promise<void> {
  const { clock, pool } = app;
  await deliverWhatTheDeadHad(app, pool, log);
  for (let round = 0; round < 4 * pairs; round++) {
    if (round % 20 === 0) clock.advance(minuteMs);
    await sendDue(app.platform);
    const left = await pool.query(`select from notification_deliveries where sent_at is null limit 1`);
    if (left.rowCount === 0) break;
  }
  await app.platform.outbox.deliverAll(pool, log);
}

/** How long reads took while the server caught up, and when it had nothing more to do. */
const timesOf = (readMs: readonly number[], quietMs: readonly number[]) => ({
  reads: readMs.length,
  readP50Ms: rounded(percentile(readMs, 0.5)),
  readP99Ms: rounded(percentile(readMs, 0.99)),
  readMaxMs: rounded(percentile(readMs, 1)),
  quietReadP50Ms: rounded(percentile(quietMs, 0.5)),
  quietReadP99Ms: rounded(percentile(quietMs, 0.99)),
});

/** Three of four are paid; they leave one after another from the hour in which the server goes away. */
export async function makeRides(app: Moving, count: number, stopsAt: Date): Promise<Pair[]> {
  const byLetter = Object.fromEntries(
    Object.keys(firstChoices.kinds).map((kind) => [kind, { push: true, email: true, sms: false }]),
  ) as typeof firstChoices.kinds;
  const pairs: Pair[] = [];
  for (let index = 0; index < count; index++) {
    const driver = await newPerson(app.platform, 'Driver');
    const passenger = await newPerson(app.platform, 'Passenger');
    for (const { id } of [driver, passenger])
      await saveChoices(app.platform, id, { ...firstChoices, agreed: true, kinds: byLetter });
    const isPaid = index % 4 !== 3;
    const vehicleId = isPaid ? await makeDriver(app, driver.id) : null;
    if (isPaid) await saveCard(app, passenger.id);
    const departsAt = later(stopsAt, 10 * minuteMs + (index / count) * lastDepartsInMs);
    const ride = await createOrder(app.platform, driver.id, {
      role: 'driver',
      ...common,
      from: spots.westside,
      to: spots.aptos,
      departsAt: departsAt.toISOString(),
      flexMinutes: 0,
      seats: 3,
      vehicleId,
      priceKind: 'perPerson',
      costCents: isPaid ? costCents : 0,
      maxDetourMinutes: 15,
      instant: true,
      via: [],
    });
    const request = await createOrder(app.platform, passenger.id, {
      role: 'passenger',
      ...common,
      from: spots.westside,
      to: spots.capitola,
      earliestAt: later(departsAt, -10 * minuteMs).toISOString(),
      latestAt: later(departsAt, 20 * minuteMs).toISOString(),
      seats: 1,
      offerCents: null,
      walkMetres: 600,
    });
    const ids = { rideId: ride.id, requestId: request.id };
    await askToJoin(app.platform, passenger.id, { ...ids, message: '' });
    const bookingId = await untilJoined(app, request.id);
    pairs.push({ driver, passenger, ...ids, bookingId });
  }
  return pairs;
}

/** On a busy machine the card provider answers after the call: then the seat is reserved for a moment. */
async function untilJoined(app: Moving, requestId: string): Promise<string> {
  for (let tried = 0; tried < 30; tried++) {
    const [booking] = await bookingsOf(app.platform.db, { requestIds: [requestId] });
    if (booking?.state === 'joined') return booking.id;
    await sleep(secondMs);
    await app.platform.outbox.deliverAll(app.pool, app.platform.log);
  }
  throw new Error('A passenger does not join.');
}

const common = {
  note: '',
  contactWith: 'phone',
  flightNumber: '',
  eventId: null,
  preferences: noPreferences,
  visibility: 'all users',
  tagIds: [] as string[],
} as const;

/**
 * Of the rides of the first hour every second driver is at the pick-up, and every second of those has the
 * passenger on board.
 */
async function beginTheDay(app: Moving, pairs: readonly Pair[]): Promise<void> {
  let waiting = 0;
  for (const { rideId, bookingId, driver, passenger } of pairs) {
    if ((await rideById(app.platform.db, rideId))?.state !== 'waiting') continue;
    const which = waiting++ % 4;
    if (which < 2) continue;
    await reach(app.platform, { id: rideId, reason: 'I am here' }, driver.id);
    if (which === 2) continue;
    await pickUp(app.platform, { bookingId, undo: false }, driver.id);
    await confirmMeeting(app.platform, bookingId, false, passenger.id);
  }
  say(`${waiting} rides were about to leave.`);
}

/**
 * People who read their ride, their room, their lists and what is near, at an even pace each, until `stop`.
 */
export class Reading {
  readonly #url: string;
  readonly #pairs: readonly Pair[];
  readonly #tookMs: number[] = [];
  readonly #going: Promise<unknown>;
  #isOver = false;
  failed = 0;

  constructor(url: string, pairs: readonly Pair[]) {
    this.#url = url;
    this.#pairs = pairs;
    this.#going = Promise.all(Array.from({ length: readers }, (_, reader) => this.#read(reader)));
  }

  /** The times of the reads since the last call, in milliseconds. */
  take(): readonly number[] {
    return this.#tookMs.splice(0);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#going;
  }

  async #read(reader: number): Promise<void> {
    const beganAt = performance.now() + (reader * readEveryMs) / readers;
    for (let turn = 0; !this.#isOver; turn++) {
      const dueAt = beganAt + turn * readEveryMs;
      await sleep(Math.max(0, dueAt - performance.now()));
      const pair = this.#pairs[(turn * readers + reader) % this.#pairs.length]!;
      const answer = await fetch(this.#url + pathOf(turn, pair), {
        headers: { accept: 'application/json', authorization: `Bearer ${pair.passenger.token}` },
      }).then(
        async (response) => readEnvelope(await response.json()),
        () => null,
      );
      this.#tookMs.push(performance.now() - dueAt);
      if (answer?.code !== 200) this.failed++;
    }
  }
}

/** The reads of the app on the pages of a ride, its room, one's orders and the notifications. */
function pathOf(turn: number, { requestId, rideId }: Pair): string {
  const [path, query] = [
    ['/order/detail', { id: requestId }],
    ['/order/list', {}],
    ['/im/msg-list', { roomid: rideId, offset: '0', size: '50' }],
    ['/notification/list', { offset: '0', size: '20' }],
    ['/order/next', { role: 'passenger' }],
  ][turn % 5] as [string, Record<string, string>];
  return `${path}?${new URLSearchParams({ ...query, signTime: String(Date.now()), sign: '' }).toString()}`;
}

/**
 * Seconds until nothing is due any more: no ride, no signal, no notification, and every passenger's line is
 * delivered.
 */
async function untilCaughtUp(app: BuiltApp, startedAt: number, lines: number): Promise<number> {
  const { db, clock } = app.platform;
  while (performance.now() - startedAt < giveUpAfterMs) {
    await sleep(200);
    const now = clock.now();
    const due = [
      await dueRides(app.platform, 1),
      await dueBookings(app.platform, 1),
      await dueRequests(app.platform, 1),
    ];
    const { rows } = await db.execute<{ left: number; told: number }>(sql`
      select (select count(*)::int from notification_deliveries where sent_at is null and due_at <= ${now.toISOString()}) as left,
        (select count(*)::int from notifications where word = 'messages') as told`);
    const { left, told } = rows[0]!;
    const isHeard = (await app.platform.outbox.waiting(db, 1)) === 0;
    const isDone = due.every(({ length }) => length === 0) && isHeard && left === 0 && told >= lines;
    if (isDone) return (performance.now() - startedAt) / secondMs;
  }
  throw new Error('The server does not catch up.');
}

async function countThings({ platform: { db } }: BuiltApp) {
  const { rows } = await db.execute<{ released: number; charged: number }>(sql`
    select count(*) filter (where goal = 'cancel')::int as released,
      count(*) filter (where goal = 'capture' or captured_cents > 0)::int as charged from authorizations`);
  return {
    ...rows[0]!,
    strikes: await db.$count(strikes),
    messagesTold: await db.$count(notifications, eq(notifications.word, 'messages')),
  };
}

/** Rides of which both sides were asked whether they took place. */
async function countAskedBoth({ platform: { db } }: BuiltApp): Promise<number> {
  const asked = await db
    .select({ driverId: bookings.driverId, passengerId: bookings.passengerId })
    .from(bookings)
    .where(isNotNull(bookings.unclearAt));
  const told = new Set(
    (
      await db
        .select({ userId: notifications.userId })
        .from(notifications)
        .where(eq(notifications.word, 'tookPlaceAsked'))
    ).map(({ userId }) => userId),
  );
  return asked.filter(({ driverId, passengerId }) => told.has(driverId) && told.has(passengerId)).length;
}

/**
 * Emails since the start: those that ask whether a ride took place, those about a line, and all others, which
 * come too late.
 */
async function countLetters({ platform: { db } }: BuiltApp, since: Date): Promise<Record<string, number>> {
  const letters = await db
    .select({ subject: outboxMessages.subject })
    .from(outboxMessages)
    .where(sql`${outboxMessages.at} >= ${since.toISOString()}`);
  const asking = letters.filter(({ subject }) => subject.startsWith('Did your ride'));
  const ofLines = letters.filter(({ subject }) => /[Nn]ew messages?/.test(subject));
  const stale = letters.filter((email) => !asking.includes(email) && !ofLines.includes(email));
  for (const subject of new Set(stale.map((email) => email.subject))) say(`Stale: ${subject}`);
  return { letters: letters.length, staleNewsSent: stale.length };
}
