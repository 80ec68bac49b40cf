import { noPreferences } from '../contract/rides/preferences.ts';
import { eq, inArray, sql } from 'drizzle-orm';
import type { Pool } from 'pg';
import { endedRideStates, openAskStates, seatedStates, type BookingState } from '#contract/rides/moves.ts';
import type { App } from '../server/app.ts';
import { later, hourMs, minuteMs, type MovableClock } from '../server/platform/clock.ts';
import { Refusal } from '../server/platform/refusal.ts';
import { makeDriver, saveCard } from '../server/testing/money.ts';
import { newPerson } from '../server/testing/people.ts';
import { randomFrom } from '../server/testing/random.ts';
import { bookings, requests, rides, rideStops } from '../server/schema/rides.ts';
import { inBenchApp, percentile, rounded, say } from './bench-app.ts';

const passengerCount = 144;
const clients = 24;
const rideCount = 40;
const seatsPerRide = 3;
const costCents = 2000;
/** The clock moves so far in all: many asks expire, and canceling comes to cost something. */
const clockMovesBy = 33 * hourMs;
const clockSteps = 100;
const departsInMs = 40 * hourMs;
const bareForMs = 5000;
const way = {
  from: { name: 'Mission Street', detail: '', lon: -122.0408, lat: 36.9689 },
  to: { name: 'Aptos Village', detail: '', lon: -121.9027, lat: 36.9772 },
};
const wish = {
  from: { name: 'Pacific Avenue', detail: '', lon: -122.0263, lat: 36.9741 },
  to: { name: 'Capitola', detail: '', lon: -121.9533, lat: 36.9722 },
};
const common = {
  note: '',
  contactWith: 'phone',
  flightNumber: '',
  eventId: null,
  preferences: noPreferences,
  visibility: 'all users',
  tagIds: [] as string[],
} as const;
/** Bookings that take seats of their ride; the first is kept for a passenger. */
const takesSeats: readonly BookingState[] = ['waiting for passenger acceptance', ...seatedStates];

type Moving = App & { clock: MovableClock };
type BookingRow = typeof bookings.$inferSelect;
type Stop = typeof rideStops.$inferSelect;

/**
 * Asks, instant bookings, acceptances, cancellations by either side, waitlists, withdrawals and expiries
 * against each other, from 24 clients, for 40 rides with 3 seats, of which half are paid by cards saved
 * before and half are booked at once. `oversold` counts legs with more people than seats; `lost` bookings
 * that are not on their ride's route, and legs whose seats are not those of their bookings; `doubleCharged`
 * bookings of which the card provider holds or has taken more than they cost. Beside it, on the same
 * database: the bare conditional update that a seat costs at the very least.
 */
export async function benchSeats(options: Record<string, string> = {}): Promise<Record<string, number>> {
  const operations = Number(options['operations'] ?? 20_000);
  return inBenchApp(async (app) => {
    say(`Publishing ${rideCount} rides with ${seatsPerRide} seats, saving ${passengerCount} cards …`);
    const departsAt = later(app.clock.now(), departsInMs);
    const rideIds = await publishRides(app, departsAt);
    const passengerIds = await drawPeople(app, passengerCount);
    for (const id of passengerIds) await saveCard(app, id);

    say(`${operations} operations from ${clients} clients …`);
    await app.platform.outbox.start(app.pool, app.platform.log);
    app.scheduler.start();
    const crowd = new Crowd(app, { departsAt, rideIds, operations });
    const startedAt = performance.now();
    const share = Math.ceil(passengerIds.length / clients);
    await Promise.all(
      Array.from({ length: clients }, (_, client) =>
        crowd.client(client + 1, passengerIds.slice(client * share, (client + 1) * share)),
      ),
    );
    const seconds = (performance.now() - startedAt) / 1000;
    await app.scheduler.stop();
    await app.platform.outbox.stop();
    await forgetNews(app);
    for (let round = 0; round < 5; round++) {
      await app.platform.outbox.deliverAll(app.pool, app.platform.log);
      app.clock.advance(2 * minuteMs);
      await app.scheduler.tick();
    }
    const seats = await countSeats(app, rideIds);
    const bareUpdatesPerSecond = await bareUpdates(app.pool);
    say('Driving the rides, so that everybody pays …');
    await driveAll(app, rideIds, departsAt);
    const doubleCharged = await countDoubleCharged(app);
    const perSecond = crowd.done / seconds;
    return {
      operations: crowd.done,
      ...crowd.counts,
      refused: crowd.refused,
      ...seats,
      ...doubleCharged,
      perSecond: rounded(perSecond),
      bareUpdatesPerSecond: rounded(bareUpdatesPerSecond),
      ratio: rounded(perSecond / bareUpdatesPerSecond),
      p50Ms: rounded(percentile(crowd.tookMs, 0.5)),
      p99Ms: rounded(percentile(crowd.tookMs, 0.99)),
    };
  });
}

/** Each person who wants a seat, and what they do about it until enough has been done. */
class Crowd {
  readonly #app: Moving;
  readonly #rideIds: readonly string[];
  readonly #departsAt: Date;
  readonly #operations: number;
  started = 0;
  done = 0;
  refused = 0;
  readonly tookMs: number[] = [];
  readonly counts = {
    asked: 0,
    bookedAtOnce: 0,
    accepted: 0,
    cancelled: 0,
    waited: 0,
    withdrawn: 0,
    expired: 0,
  };

  constructor(app: Moving, of: { departsAt: Date; rideIds: readonly string[]; operations: number }) {
    this.#app = app;
    this.#rideIds = of.rideIds;
    this.#departsAt = of.departsAt;
    this.#operations = of.operations;
  }

  /**
   * One client acts for its passengers, and for the drivers of whom they want something, one call after
   * another.
   */
  async client(seed: number, passengerIds: readonly string[]): Promise<void> {
    const random = randomFrom(seed);
    const wants = new Map<string, string>();
    while (this.started < this.#operations) {
      const passengerId = passengerIds[Math.floor(random() * passengerIds.length)]!;
      const requestId = await this.#requestOf(wants, passengerId);
      if (this.started >= this.#operations) return;
      const count = ++this.started;
      if (count % Math.ceil(this.#operations / clockSteps) === 0)
        this.#app.clock.advance(clockMovesBy / clockSteps);
      const rideId = this.#rideIds[Math.floor(random() * this.#rideIds.length)]!;
      await this.#act({ passengerId, requestId, rideId }, random);
    }
  }

  /** The open request of a passenger; another one where theirs has ended. */
  async #requestOf(wants: Map<string, string>, passengerId: string): Promise<string> {
    const { orders: room } = this.#app.features;
    const known = wants.get(passengerId);
    const request = known === undefined ? null : await room.requestById(known);
    if (request !== null && request.endedAt === null) return request.id;
    const fresh = await room.create(passengerId, {
      role: 'passenger',
      ...common,
      ...wish,
      earliestAt: later(this.#departsAt, -30 * minuteMs).toISOString(),
      latestAt: later(this.#departsAt, 60 * minuteMs).toISOString(),
      seats: 1,
      offerCents: null,
      walkMetres: 600,
    });
    wants.set(passengerId, fresh.id);
    return fresh.id;
  }

  async #act(
    of: { passengerId: string; requestId: string; rideId: string },
    random: () => number,
  ): Promise<void> {
    const { orders: reading } = this.#app.features;
    const { bookings: room } = reading;
    const all = await reading.bookingsOf(this.#app.platform.db, { requestIds: [of.requestId] });
    const open = all.filter(({ endedAt }) => endedAt === null);
    const seated = open.find(({ state }) => seatedStates.includes(state));
    const ask = open.find(({ state }) => openAskStates.includes(state));
    const now = this.#app.clock.now();
    const due = all.find(
      ({ expiresAt, endedAt }) => endedAt === null && expiresAt !== null && expiresAt <= now,
    );
    const draw = random();
    if (due !== undefined) await this.#time('expired', () => room.expire(due.id));
    else if (seated !== undefined) {
      const { seen } = await room.cancelPreview(of.requestId, of.passengerId);
      await this.#time('cancelled', () =>
        draw < 0.5
          ? room.cancel(of.passengerId, { id: of.requestId, reason: '', seen })
          : room.cancel(seated.driverId, {
              id: seated.rideId,
              bookingId: seated.id,
              reason: 'No room after all',
            }),
      );
    } else if (ask !== undefined && draw < 0.75) await this.#answer(ask, of.passengerId, draw);
    else if (draw < 0.35) {
      const { rideId, requestId, passengerId } = of;
      await this.#time('waited', () => room.wait(passengerId, { rideId, requestId }));
    } else {
      const { rideId, requestId, passengerId } = of;
      const ride = await reading.rideById(rideId);
      await this.#time(ride?.instant === true ? 'bookedAtOnce' : 'asked', () =>
        room.ask(passengerId, { rideId, requestId, message: '' }),
      );
    }
  }

  async #answer(booking: BookingRow, passengerId: string, draw: number): Promise<void> {
    const { bookings: room } = this.#app.features.orders;
    const { id, driverId } = booking;
    if (booking.state === 'requesting')
      await (draw < 0.5
        ? this.#time('accepted', () => room.accept(id, driverId))
        : this.#time('withdrawn', () => room.withdraw(id, passengerId)));
    else if (draw < 0.5) await this.#time('accepted', () => room.accept(id, passengerId));
    else await this.#time('withdrawn', () => room.reject(id, passengerId, ''));
  }

  /** Does and times one operation; a refusal is an answer too. */
  async #time(what: keyof Crowd['counts'], act: () => Promise<unknown>): Promise<void> {
    const startedAt = performance.now();
    try {
      await act();
      this.counts[what]++;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.refused++;
    }
    this.tookMs.push(performance.now() - startedAt);
    this.done++;
  }
}

/** Who tells people what moved; what moves seats and payments listens on. */
const onlyTell = ['index', 'chat', 'room lines', 'news', 'alerts', 'notices', 'strikes', 'plans', 'rescue'];

/**
 * Drops what waits to be sent to people, and those who would write more of it: the emails of a whole day are
 * not written.
 */
async function forgetNews({ platform, pool }: Moving): Promise<void> {
  for (const listener of onlyTell) platform.outbox.off(listener);
  // On a busy machine stopping gives up on what is under way after a while, and leaves it taken.
  await pool.query(
    `select graphile_worker.force_unlock_workers(array(
       select locked_by from graphile_worker.jobs where locked_by is not null))`,
  );
  await pool.query(
    `delete from graphile_worker._private_jobs as job using graphile_worker._private_tasks as task
     where task.id = job.task_id and task.identifier <> 'deliver' and job.locked_at is null`,
  );
}

async function publishRides(app: Moving, departsAt: Date): Promise<string[]> {
  const { orders: room } = app.features;
  const rideIds: string[] = [];
  for (const [index, driverId] of (await drawPeople(app, rideCount)).entries()) {
    const isPaid = index % 2 === 0;
    const vehicleId = isPaid ? await makeDriver(app, driverId) : null;
    const ride = await room.create(driverId, {
      role: 'driver',
      ...common,
      ...way,
      departsAt: departsAt.toISOString(),
      flexMinutes: 0,
      seats: seatsPerRide,
      vehicleId,
      priceKind: 'perPerson',
      costCents: isPaid ? costCents : 0,
      maxDetourMinutes: 15,
      instant: index % 4 < 2,
      via: [],
    });
    rideIds.push(ride.id);
  }
  return rideIds;
}

async function countSeats(app: Moving, rideIds: readonly string[]): Promise<Record<string, number>> {
  const { db } = app.platform;
  const aboard = await db
    .select()
    .from(bookings)
    .where(inArray(bookings.state, [...takesSeats]));
  const stops = await db
    .select()
    .from(rideStops)
    .where(inArray(rideStops.rideId, [...rideIds]));
  const offRoute = aboard.filter(({ id }) => stops.filter(({ bookingId }) => bookingId === id).length !== 2);
  const wrong = stops.filter(
    (stop) => stop.kind !== 'end' && stop.seatsTaken !== takenBy(stops, stop, aboard),
  );
  return {
    joined: aboard.length,
    oversold: stops.filter(({ seatsTaken, seats }) => seatsTaken > seats).length,
    lost: offRoute.length + wrong.length,
  };
}

/** Seats that those who have got in before and not yet out take on the way from a stop. */
function takenBy(stops: readonly Stop[], at: Stop, aboard: readonly BookingRow[]): number {
  const upToHere = stops.filter((stop) => stop.rideId === at.rideId && stop.position <= at.position);
  return aboard.reduce((sum, booking) => {
    const own = upToHere.filter((stop) => stop.bookingId === booking.id);
    return own.length === 1 ? sum + booking.seats : sum;
  }, 0);
}

/**
 * What the database does with a seat when nothing else is asked of it: updates a second, from as many
 * clients.
 */
async function bareUpdates(pool: Pool): Promise<number> {
  await pool.query('create table bare_seats (id int primary key, seats int not null)');
  await pool.query(
    `insert into bare_seats select n, ${seatsPerRide} from generate_series(1, ${rideCount}) n`,
  );
  const endsAt = performance.now() + bareForMs;
  let updates = 0;
  const client = async (seed: number): Promise<void> => {
    const random = randomFrom(seed);
    while (performance.now() < endsAt) {
      const ride = 1 + Math.floor(random() * rideCount);
      // What is taken is given back, so that there is always something to take.
      await pool.query(
        random() < 0.5
          ? 'update bare_seats set seats = seats - 1 where id = $1 and seats >= 1'
          : `update bare_seats set seats = seats + 1 where id = $1 and seats < ${seatsPerRide}`,
        [ride],
      );
      updates++;
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, seed) => client(seed + 1)));
  return updates / (bareForMs / 1000);
}

/** Every ride with a passenger on board is driven to its end. */
async function driveAll(app: Moving, rideIds: readonly string[], departsAt: Date): Promise<void> {
  const { trips, orders: reading } = app.features;
  app.clock.moveTo(departsAt);
  await app.scheduler.tick();
  for (const rideId of rideIds) {
    const ride = (await reading.rideById(rideId))!;
    if (ride.state !== 'waiting') continue;
    await trips.reach({ id: rideId, reason: 'I am here' }, ride.driverId);
    const coming = async () =>
      (await reading.bookingsOf(app.platform.db, { rideIds: [rideId] })).filter(
        ({ state }) => state === 'waiting' || state === 'driver reached',
      );
    const meet = async ({ id, passengerId }: BookingRow) => {
      await trips.pickUp({ bookingId: id, undo: false }, ride.driverId);
      await trips.confirmMeeting(id, false, passengerId);
    };
    for (const booking of await coming()) if (booking.state === 'driver reached') await meet(booking);
    if ((await reading.rideById(rideId))!.state === 'driver reached')
      await trips.depart(rideId, ride.driverId);
    for (const booking of await coming()) {
      await trips.reach({ id: rideId, bookingId: booking.id, reason: 'I am here' }, ride.driverId);
      await meet(booking);
    }
    await trips.arrive(rideId, undefined, ride.driverId);
  }
  for (let round = 0; round < 10; round++) {
    await forgetNews(app);
    await app.platform.outbox.deliverAll(app.pool, app.platform.log);
    app.clock.advance(hourMs);
    await app.scheduler.tick();
  }
}

/** What the card provider itself says of each booking, against what the booking costs. */
async function countDoubleCharged(app: Moving): Promise<Record<string, number>> {
  const { db } = app.platform;
  const rows = await db.select().from(bookings);
  const unfinished = await db.$count(
    rides,
    sql`${rides.state} not in (${sql.join(
      endedRideStates.map((state) => sql`${state}`),
      sql`, `,
    )})`,
  );
  const { rows: paid } = await db.execute<{
    booking: string;
    taken: string;
    held: string;
    times: string;
  }>(sql`
    select body -> 'metadata' ->> 'booking' as booking,
      sum((body ->> 'amount_received')::int) as taken, sum((body ->> 'amount_capturable')::int) as held,
      count(*) filter (where (body ->> 'amount_received')::int > 0) as times
    from sandbox_objects where kind = 'payment_intent' group by 1`);
  const of = new Map(rows.map((row) => [row.id, row]));
  const owedBy = ({ state, fault, fareCents }: BookingRow) =>
    state === 'finished' || (state === 'cancel' && fault === 'passenger') ? fareCents : 0;
  const wrong = paid.filter(({ booking, taken, held, times }) => {
    const row = of.get(booking);
    return row === undefined || Number(taken) + Number(held) > owedBy(row) || Number(times) > 1;
  });
  const finished = rows.filter(({ state, fareCents }) => state === 'finished' && fareCents > 0);
  const takenOf = new Map(paid.map(({ booking, taken }) => [booking, Number(taken)]));
  const unpaid = finished.filter(({ id, fareCents }) => takenOf.get(id) !== fareCents);
  const { differences } = await app.features.payments.reconcile(new Date(0));
  return {
    bookings: rows.length,
    requests: await db.$count(requests),
    unfinished,
    paidRides: await db.$count(rides, eq(rides.costCents, costCents)),
    charged: paid.filter(({ taken }) => Number(taken) > 0).length,
    doubleCharged: wrong.length,
    notCharged: unpaid.length,
    ledgerDifferences: differences.length,
  };
}

async function drawPeople(app: App, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) ids.push((await newPerson(app.platform, `Person ${index}`)).id);
  return ids;
}
