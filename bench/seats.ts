import { eq, gt, inArray, sql } from 'drizzle-orm';
import type { Pool } from 'pg';
import { endedRideStates } from '#contract/rides/moves.ts';
import type { BuiltApp } from '../server/app.ts';
import { createOrder } from '../server/features/orders/order-commands.ts';
import { rideById, bookingsOf } from '../server/features/orders/store.ts';
import { reconcile } from '../server/features/payments/reconciliation/reconcile.ts';
import { arrive, depart } from '../server/features/trips/depart-and-arrive.ts';
import { pickUp, confirmMeeting } from '../server/features/trips/pickup.ts';
import { reach } from '../server/features/trips/reach.ts';
import { later, hourMs, minuteMs } from '../server/platform/clock.ts';
import { bookings, requests, rides, rideStops } from '../server/schema/rides.ts';
import { takesSeats, wrongSeats } from '../server/testing/acknowledged/seats.ts';
import { costCents, rideOf, seatsPerRide } from '../server/testing/booking-plans.ts';
import { countStatements } from '../server/testing/booking-statements.ts';
import { makeDriver, saveCard } from '../server/testing/money.ts';
import { newPerson } from '../server/testing/people.ts';
import { randomFrom } from '../server/testing/random.ts';
import { inBenchApp, percentile, rounded, say } from './bench-app.ts';
import { clients, Crowd, type BenchRide, type Moving } from './seats/crowd.ts';

const passengerCount = 144;
const freeRides = 40;
const paidRides = 20;
const departsInMs = 40 * hourMs;
const bareForMs = 5000;

type BookingRow = typeof bookings.$inferSelect;

/**
 * Asks, instant bookings, acceptances, cancellations by either side, waitlists, withdrawals and expiries
 * against each other, from 24 clients: first for 40 free rides with 1 or 3 seats, then for 20 that are paid
 * by cards saved before; half of them are booked at once. `oversold` counts legs with more people than seats;
 * `lost` counts seated bookings without stops on their ride, and legs on which another number of seats is
 * taken than their bookings have; `doubleCharged` counts bookings for which the card provider has authorized
 * or captured too much. For comparison, on the same database: the bare conditional update that a seat costs
 * at the very least, and the statements of one booking.
 */
export async function benchSeats(options: Record<string, string> = {}): Promise<Record<string, unknown>> {
  const operations = Number(options['operations'] ?? 20_000);
  return inBenchApp(async (app) => {
    const statements = await countStatements(app);
    say(`Publishing ${freeRides + paidRides} rides, saving ${passengerCount} cards …`);
    const departsAt = later(app.clock.now(), departsInMs);
    const free = await publishRides(app, departsAt, { count: freeRides, arePaid: false });
    const paid = await publishRides(app, departsAt, { count: paidRides, arePaid: true });
    const passengerIds = await drawPeople(app, passengerCount);
    for (const id of passengerIds) await saveCard(app, id);

    await carryOut(app);
    await app.platform.outbox.start(app.pool, app.platform.log);
    app.scheduler.start();
    const wants = new Map<string, string>();
    say(`${operations} operations on free rides from ${clients} clients …`);
    const ofFree = new Crowd(app, { departsAt, rides: free, operations, wants });
    const freePerSecond = await ofFree.act(passengerIds);
    const paidOperations = Math.ceil(operations / 4);
    say(`${paidOperations} operations on paid rides …`);
    const ofPaid = new Crowd(app, { departsAt, rides: paid, operations: paidOperations, wants });
    const paidPerSecond = await ofPaid.act(passengerIds);
    await app.scheduler.stop();
    await app.platform.outbox.stop();
    return {
      ...figuresOf(ofFree, freePerSecond),
      paidPerSecond: rounded(paidPerSecond),
      paid: figuresOf(ofPaid, paidPerSecond),
      ...(await settle(app, { rideIds: [...free, ...paid].map(({ id }) => id), departsAt, freePerSecond })),
      statementsPerAccept: statements.accept.call + statements.accept.after,
      statements,
    };
  });
}

const figuresOf = (crowd: Crowd, perSecond: number) => ({
  operations: crowd.done,
  ...crowd.counts,
  refused: crowd.refused,
  operationsPerSecond: rounded(perSecond),
  p50Ms: rounded(percentile(crowd.tookMs, 0.5)),
  p99Ms: rounded(percentile(crowd.tookMs, 0.99)),
});

/** Counts seats, measures the bare update, drives all rides and counts what was paid. */
async function settle(
  app: Moving,
  of: { rideIds: readonly string[]; departsAt: Date; freePerSecond: number },
): Promise<Record<string, number>> {
  await forgetNews(app);
  await carryOut(app);
  const seats = await countSeats(app);
  const bareUpdatesPerSecond = await bareUpdates(app.owner);
  say('Driving the rides, so that all passengers pay …');
  await driveAll(app, of.rideIds, of.departsAt);
  return {
    ...seats,
    ...(await countDoubleCharged(app)),
    bareUpdatesPerSecond: rounded(bareUpdatesPerSecond),
    ratio: rounded(of.freePerSecond / bareUpdatesPerSecond),
  };
}

/** Carries out what is queued, due and sent by the card provider. */
async function carryOut({ platform, pool, clock, scheduler }: Moving): Promise<void> {
  for (let round = 0; round < 5; round++) {
    await platform.outbox.deliverAll(pool, platform.log);
    clock.advance(2 * minuteMs);
    await scheduler.tick();
  }
}

/** Listeners that only notify people of moves; those that move seats and payments stay. */
const onlyTell = [
  'index',
  'chat',
  'room lines',
  'notifications',
  'alerts',
  'notification_deliveries',
  'strikes',
  'plans',
  'rescue',
  'commutes',
];

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

async function publishRides(
  app: Moving,
  departsAt: Date,
  { count, arePaid }: { count: number; arePaid: boolean },
): Promise<BenchRide[]> {
  const rides: BenchRide[] = [];
  for (const [index, driverId] of (await drawPeople(app, count)).entries()) {
    const vehicleId = arePaid ? await makeDriver(app, driverId) : null;
    const isInstant = index % 2 === 0;
    // Half of the rides are full with one passenger, so that others wait for their seat.
    const seats = index % 4 < 2 ? 1 : seatsPerRide;
    const ride = rideOf({ departsAt, vehicleId, isInstant, seats });
    const { id } = await createOrder(app.platform, driverId, ride);
    rides.push({ id, isInstant });
  }
  return rides;
}

async function countSeats({ platform, pool }: Moving): Promise<Record<string, number>> {
  return {
    joined: await platform.db.$count(bookings, inArray(bookings.state, [...takesSeats])),
    oversold: await platform.db.$count(rideStops, gt(rideStops.seatsTaken, rideStops.seats)),
    lost: (await wrongSeats(pool, { isHeard: true })).length,
  };
}

/**
 * The database's speed for a seat when nothing else is asked of it: updates a second, from as many clients.
 */
async function bareUpdates(pool: Pool): Promise<number> {
  await pool.query('create table bare_seats (id int primary key, seats int not null)');
  await pool.query(
    `insert into bare_seats select n, ${seatsPerRide} from generate_series(1, ${freeRides}) n`,
  );
  const endsAt = performance.now() + bareForMs;
  let updates = 0;
  const client = async (seed: number): Promise<void> => {
    const random = randomFrom(seed);
    while (performance.now() < endsAt) {
      const ride = 1 + Math.floor(random() * freeRides);
      // A taken seat is given back, so that there is always something to take.
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
  app.clock.moveTo(departsAt);
  await app.scheduler.tick();
  for (const rideId of rideIds) {
    const ride = (await rideById(app.platform.db, rideId))!;
    if (ride.state !== 'waiting') continue;
    await reach(app.platform, { id: rideId, reason: 'I am here' }, ride.driverId);
    const coming = async () =>
      (await bookingsOf(app.platform.db, { rideIds: [rideId] })).filter(
        ({ state }) => state === 'waiting' || state === 'driver reached',
      );
    const meet = async ({ id, passengerId }: BookingRow) => {
      await pickUp(app.platform, { bookingId: id, undo: false }, ride.driverId);
      await confirmMeeting(app.platform, id, false, passengerId);
    };
    for (const booking of await coming()) if (booking.state === 'driver reached') await meet(booking);
    if ((await rideById(app.platform.db, rideId))!.state === 'driver reached')
      await depart(app.platform, rideId, ride.driverId);
    for (const booking of await coming()) {
      await reach(app.platform, { id: rideId, bookingId: booking.id, reason: 'I am here' }, ride.driverId);
      await meet(booking);
    }
    await arrive(app.platform, rideId, undefined, ride.driverId);
  }
  for (let round = 0; round < 10; round++) {
    await forgetNews(app);
    await app.platform.outbox.deliverAll(app.pool, app.platform.log);
    app.clock.advance(hourMs);
    await app.scheduler.tick();
  }
}

/** Compares the card provider's own amounts of each booking with its price. */
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
  const { differences } = await reconcile(app.platform, new Date(0));
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

async function drawPeople(app: BuiltApp, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) ids.push((await newPerson(app.platform, `Person ${index}`)).id);
  return ids;
}
