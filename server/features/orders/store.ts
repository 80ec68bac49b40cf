import { and, asc, eq, inArray, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import {
  endedRequestStates,
  endedRideStates,
  onTheWayRideStates,
  openAskStates,
  ridingStates,
} from '#contract/rides/moves.ts';
import {
  namedStatement,
  noteForCommit,
  runMade,
  type Db,
  type LastPart,
} from '../../platform/database/db.ts';
import { isOneOf } from '../../platform/database/is-one-of.ts';
import { sqlWords } from '../../platform/database/sql-words.ts';
import {
  bookings,
  changeAnswers,
  changeProposals,
  moveHistory,
  orderSpans,
  requests,
  rides,
  rideStops,
  recurringDays,
  waitlist,
} from '../../schema/rides.ts';
import { neitherBlocked } from '../contacts/queries.ts';
import type { Plan } from '../matching/service.ts';
import { circleReaches } from './audience/queries.ts';
import type { BookingRow, HistoryRow, RequestRow, RideRow } from './queries.ts';
import { drawOrderNumber } from './rules/order-number.ts';
import { unitOf, type OrderUnit } from './unit/order-unit.ts';
import { stopsOfPlan } from './unit/stops.ts';
import { bookingRows, takeOrderPlaces, type JsonRow, type StopRow, type WaitRow } from './unit/store.ts';

export type { BookingRow, HistoryRow, RequestRow, RideRow } from './queries.ts';
export { bookingsByIds, requestsByIds, ridesByIds } from './unit/queries.ts';
export type { StopRow, WaitRow } from './unit/store.ts';
export type ChangeRow = typeof changeProposals.$inferSelect;

/** Makes the orders of one person wait for each other until the transaction ends. */
export const lockPerson = (tx: Db, personId: string): Promise<void> =>
  lockingUnit(tx).lockPerson(tx, personId);

/** The unit of work of the transaction that ends a lock. */
function lockingUnit(tx: Db): OrderUnit {
  const unit = unitOf(tx);
  if (unit === null) throw new Error('a lock ends with its transaction: there is none');
  return unit;
}

/**
 * The number of a person's rides and requests that have not ended; recurring rides that run count once, with
 * all their days.
 */
export async function countOpenOrders(tx: Db, personId: string): Promise<number> {
  const counted = await tx.execute<{ count: string }>(sql`
    select count(distinct thing) as count from (
      select coalesce(recurring_id, id) as thing from rides where driver_id = ${personId} and state not in ${sqlWords(endedRideStates)}
      union all
      select coalesce(recurring_id, id) from requests where passenger_id = ${personId} and state not in ${sqlWords(endedRequestStates)}
      union all
      select id from recurring_rides where owner_id = ${personId} and state = 'running'
    ) open`);
  return Number(counted.rows[0]?.count ?? 0);
}

/** Numbers to choose from: that all of them have been given out before does not happen. */
const numbersDrawn = 5;

/** A new order, the time that it takes of its person, and what it gets: a number, or why not. */
export interface NewOrder {
  id: string;
  from: Date;
  to: Date;
}
export type Place = { orderNumber: string } | 'tooMany' | 'overlap';

/**
 * Takes a person's time for new orders, and for each a number never used before. Their orders wait for each
 * other until the transaction ends; recurring rides that run count once, with all their days.
 * @param of.mostOpen how many orders of theirs may be open with each; null where any number may.
 */
export async function takePlaces(
  tx: Db,
  of: { personId: string; orders: readonly NewOrder[]; mostOpen: number | null },
): Promise<Place[]> {
  const orders = of.orders.map((order) => ({
    ...order,
    numbers: Array.from({ length: numbersDrawn }, drawOrderNumber),
  }));
  const places = await takeOrderPlaces(tx, { ...of, orders });
  return places.map(({ outcome, number }) => {
    if (outcome === 'noNumber') throw new Error('no order number is left');
    return outcome === 'taken' ? { orderNumber: number } : outcome;
  });
}

/**
 * Takes a person's time, or moves the span of an order; the database refuses an overlap with another order of
 * theirs (`order_spans_no_overlap`).
 */
export async function takeSpan(
  tx: Db,
  orderId: string,
  personId: string,
  { from, to }: { from: Date; to: Date },
): Promise<void> {
  await tx.execute(
    sql`insert into order_spans (order_id, person_id, during) values (${orderId}, ${personId}, tstzrange(${from.toISOString()}, ${to.toISOString()}, '[)'))
      on conflict (order_id) do update set during = excluded.during`,
  );
}

export async function freeSpan(tx: Db, orderId: string): Promise<void> {
  const unit = unitOf(tx);
  if (unit !== null) unit.spans.free(orderId);
  else await tx.delete(orderSpans).where(eq(orderSpans.orderId, orderId));
}

export async function insertRide(tx: Db, row: typeof rides.$inferInsert): Promise<RideRow> {
  const unit = unitOf(tx);
  if (unit !== null) return unit.insertRide(row);
  return (await tx.insert(rides).values(row).returning())[0]!;
}

export async function insertRequest(tx: Db, row: typeof requests.$inferInsert): Promise<RequestRow> {
  const unit = unitOf(tx);
  if (unit !== null) return unit.insertRequest(row);
  return (await tx.insert(requests).values(row).returning())[0]!;
}

export async function insertBooking(tx: Db, row: typeof bookings.$inferInsert): Promise<BookingRow> {
  const booking = unitOf(tx)?.insertBooking(row) ?? null;
  if (booking !== null) return booking;
  return (await tx.insert(bookings).values(row).returning())[0]!;
}

/** The lines that a transaction adds to the history, written at its end together. */
const historyLines: LastPart<HistoryLine> = {
  statements: (rows) => [{ statement: historyInsert, values: { lines: JSON.stringify(rows) } }],
};
type HistoryLine = Omit<typeof moveHistory.$inferInsert, 'id'>;

const insertingHistory = (lines: SQLWrapper): SQL => sql`
  insert into move_history (thing, thing_id, ride_id, request_id, move, from_state, to_state, actor, actor_id, note, at)
  select thing, "thingId", "rideId", "requestId", move, "fromState", "toState", actor, "actorId", note, at
  from jsonb_to_recordset(${lines}::jsonb) as line (thing text, "thingId" uuid, "rideId" uuid,
    "requestId" uuid, move text, "fromState" text, "toState" text, actor text, "actorId" uuid, note text,
    at timestamptz)`;

const historyInsert = insertingHistory(sql.placeholder('lines'));

export async function insertHistory(tx: Db, row: HistoryLine): Promise<void> {
  if (!noteForCommit(tx, historyLines, row))
    await tx.execute(insertingHistory(sql.param(JSON.stringify([row]))));
}

/** Rides whose open proposals the clock looks at, after a move that may decide them. */
const changesToLookAt: LastPart<{ rideId: string; at: Date }> = {
  statements: (rows) => [
    {
      statement: changesWake,
      values: { rideIds: [...new Set(rows.map(({ rideId }) => rideId))], at: rows[0]!.at.toISOString() },
    },
  ],
};

const wakingChanges = (rideIds: SQLWrapper, at: SQLWrapper): SQL => sql`
  update change_proposals set next_at = ${at}::timestamptz
  where ride_id = any(${rideIds}::uuid[]) and state = 'open'`;
const changesWake = wakingChanges(sql.placeholder('rideIds'), sql.placeholder('at'));

/** Makes the clock look at the open proposal of a ride, where it has one. */
export async function wakeChange(tx: Db, rideId: string, at: Date): Promise<void> {
  if (!noteForCommit(tx, changesToLookAt, { rideId, at }))
    await tx.execute(wakingChanges(sql.param([rideId]), sql.param(at.toISOString())));
}

/**
 * Reads a ride under a row lock until the transaction ends.
 *
 * The order of locks, everywhere: the ride, then every request it concerns by id, then bookings. Transactions
 * that follow it never deadlock. The lock on a ride includes those on its requests: of its open bookings, of
 * its waitlist, and of `beside`, which are about to have a booking of it. A request without a ride is locked
 * alone.
 */
export async function lockRide(tx: Db, id: string, beside: readonly string[] = []): Promise<RideRow | null> {
  return lockingUnit(tx).lockRide(tx, id, beside);
}

/** The same for several rides at once, which are then held. */
export const lockRides = (tx: Db, ids: readonly string[]): Promise<void> =>
  lockingUnit(tx).lockRides(tx, ids);

/** The open bookings of a ride that is locked, oldest first. */
export const openBookingsOf = (tx: Db, rideId: string): BookingRow[] => lockingUnit(tx).openBookings(rideId)!;

/**
 * Locks a ride and a request for a booking of the two, and says whether their owners may see each other's;
 * null where one of them is missing.
 */
export async function lockInSight(
  tx: Db,
  { rideId, requestId }: { rideId: string; requestId: string },
): Promise<{ ride: RideRow; request: RequestRow; areInSight: boolean } | null> {
  const unit = lockingUnit(tx);
  const areInSight = await unit.lockInSight(tx, rideId, requestId);
  const [ride, request] = [unit.ride(rideId), unit.request(requestId)];
  return ride === null || request === null ? null : { ride, request, areInSight };
}

/** The ride's current row, read under its transaction's lock. */
export async function lockedRide(tx: Db, id: string): Promise<RideRow | null> {
  return (
    unitOf(tx)?.ride(id) ??
    (await tx.select().from(rides).where(eq(rides.id, id)).for('no key update'))[0] ??
    null
  );
}

/**
 * A ride under its transaction's lock, and what decides how it goes on: its open bookings, the seats taken on
 * each leg that is driven, and whether its waitlist has a request.
 */
export async function settlingRide(
  tx: Db,
  id: string,
): Promise<{ ride: RideRow; open: BookingRow[]; legs: number[]; isWaitedFor: boolean } | null> {
  const ride = await lockRide(tx, id);
  if (ride === null) return null;
  const unit = unitOf(tx)!;
  return {
    ride,
    open: unit.openBookings(id)!,
    // Between two stops at the same place there is no drive: a seat that is free only there is of no use.
    legs: unit.stops(id)!.flatMap(({ toNextMs, seatsTaken }) => (toNextMs > 0 ? [seatsTaken] : [])),
    isWaitedFor: unit.waitingFor(id)!.length > 0,
  };
}

export async function lockRequest(tx: Db, id: string): Promise<RequestRow | null> {
  return (
    unitOf(tx)?.request(id) ??
    (await tx.select().from(requests).where(eq(requests.id, id)).for('no key update'))[0] ??
    null
  );
}

/** Moves a ride if its state is one of `from`; null when it has moved on. */
export async function advanceRide(
  tx: Db,
  id: string,
  from: readonly RideRow['state'][],
  set: Partial<RideRow>,
): Promise<RideRow | null> {
  const unit = unitOf(tx);
  const known = unit?.ride(id) ?? null;
  if (unit !== null && known !== null)
    return from.includes(known.state) ? unit.changeRide(id, { ...set, version: known.version + 1 }) : null;
  const where = and(eq(rides.id, id), inArray(rides.state, [...from]));
  return (
    (
      await tx
        .update(rides)
        .set({ ...set, version: sql`${rides.version} + 1` })
        .where(where)
        .returning()
    )[0] ?? null
  );
}

export async function advanceRequest(
  tx: Db,
  id: string,
  from: readonly RequestRow['state'][],
  set: Partial<RequestRow>,
): Promise<RequestRow | null> {
  const unit = unitOf(tx);
  const known = unit?.request(id) ?? null;
  if (unit !== null && known !== null)
    return from.includes(known.state) ? unit.changeRequest(id, { ...set, version: known.version + 1 }) : null;
  const where = and(eq(requests.id, id), inArray(requests.state, [...from]));
  return (
    (
      await tx
        .update(requests)
        .set({ ...set, version: sql`${requests.version} + 1` })
        .where(where)
        .returning()
    )[0] ?? null
  );
}

export async function advanceBooking(
  tx: Db,
  id: string,
  from: readonly BookingRow['state'][],
  set: Partial<BookingRow>,
): Promise<BookingRow | null> {
  const unit = unitOf(tx);
  const known = unit?.booking(id) ?? null;
  if (unit !== null && known !== null)
    return from.includes(known.state) ? unit.changeBooking(id, { ...set, version: known.version + 1 }) : null;
  const where = and(eq(bookings.id, id), inArray(bookings.state, [...from]));
  return (
    (
      await tx
        .update(bookings)
        .set({ ...set, version: sql`${bookings.version} + 1` })
        .where(where)
        .returning()
    )[0] ?? null
  );
}

/** Moves the deadline of an open ask or invitation to a later one. @returns whether it was earlier. */
export async function extendAnswer(tx: Db, booking: BookingRow, until: Date): Promise<boolean> {
  if (booking.expiresAt === null || booking.expiresAt >= until) return false;
  return (await advanceBooking(tx, booking.id, openAskStates, { expiresAt: until })) !== null;
}

/** Writes a driver's edit; the ride's state follows from its seats and is not set here. */
export async function editRide(tx: Db, id: string, set: Partial<RideRow>): Promise<RideRow> {
  const unit = unitOf(tx);
  const known = unit?.ride(id) ?? null;
  if (unit !== null && known !== null) return unit.changeRide(id, { ...set, version: known.version + 1 })!;
  const edited = { ...set, version: sql`${rides.version} + 1` };
  return (await tx.update(rides).set(edited).where(eq(rides.id, id)).returning())[0]!;
}

export async function editRequest(tx: Db, id: string, set: Partial<RequestRow>): Promise<RequestRow> {
  const edited = { ...set, version: sql`${requests.version} + 1` };
  return (await tx.update(requests).set(edited).where(eq(requests.id, id)).returning())[0]!;
}

/**
 * Notes that the driver has left one of their own stops, the first being 1; false where the ride has no such
 * stop, or is not under way.
 */
export async function passStop(tx: Db, rideId: string, stop: number): Promise<boolean> {
  const passed = await tx
    .update(rides)
    .set({ viaPassed: sql`greatest(${rides.viaPassed}, ${stop})` })
    .where(
      and(
        eq(rides.id, rideId),
        inArray(rides.state, [...onTheWayRideStates]),
        sql`${stop} <= jsonb_array_length(${rides.via})`,
      ),
    )
    .returning({ id: rides.id });
  return passed.length > 0;
}

/** Marks a day of recurring rides as edited by itself: edits of the recurring rides leave it alone. */
export async function markEdited(tx: Db, orderId: string): Promise<void> {
  await tx.update(recurringDays).set({ edited: true }).where(eq(recurringDays.orderId, orderId));
}

/** Sets the seats of each leg of a ride; the table refuses fewer than are taken. */
export async function setSeats(tx: Db, rideId: string, seats: number): Promise<void> {
  if (unitOf(tx)?.setSeats(rideId, seats) === true) return;
  await tx.update(rideStops).set({ seats }).where(eq(rideStops.rideId, rideId));
}

/** Writes columns of a booking other than its state: times, share. */
export async function updateBooking(tx: Db, id: string, set: Partial<BookingRow>): Promise<void> {
  if ((unitOf(tx)?.changeBooking(id, set) ?? null) !== null) return;
  await tx.update(bookings).set(set).where(eq(bookings.id, id));
}

/**
 * Replaces the agreed route, under the lock on the ride. A joining passenger's seats are taken afterwards, by
 * `claimSeats`; the table refuses a leg with more people than seats (`ride_stops_seats_taken`).
 */
export async function savePlan(tx: Db, rideId: string, plan: Plan): Promise<void> {
  if (unitOf(tx)?.savePlan(rideId, plan) === true) return;
  const stops = stopsOfPlan(rideId, plan);
  const departsAt = new Date(plan.departsMs).toISOString();
  const arrivesAt = stops.at(-1)!.at.toISOString();
  await tx.execute(sql`
    with plan as (
      select * from jsonb_to_recordset(${JSON.stringify(stops)}::jsonb) as stop (
        position int, kind text, "bookingId" uuid, lon float8, lat float8, at timestamptz,
        "standsMs" int, "toNextMs" int, "toNextMetres" int, "seatsTaken" int)
    ), gone as (
      delete from ride_stops where ride_id = ${rideId} and position >= ${stops.length}
    ), kept as (
      insert into ride_stops (ride_id, position, kind, booking_id, lon, lat, at, stands_ms, to_next_ms,
        to_next_metres, seats_taken, seats)
      select ${rideId}::uuid, position, kind, "bookingId", lon, lat, at, "standsMs", "toNextMs", "toNextMetres",
        "seatsTaken", ${plan.seats}::int from plan
      on conflict (ride_id, position) do update set kind = excluded.kind, booking_id = excluded.booking_id,
        lon = excluded.lon, lat = excluded.lat, at = excluded.at, stands_ms = excluded.stands_ms,
        to_next_ms = excluded.to_next_ms, to_next_metres = excluded.to_next_metres,
        seats_taken = excluded.seats_taken, seats = excluded.seats
    ), boarding as (
      select "bookingId" as id, max(at) filter (where kind = 'pickup') as pickup_at,
        max(at) filter (where kind = 'dropoff') as dropoff_at
      from plan where "bookingId" is not null group by 1
    ), timed as (
      update bookings set pickup_at = coalesce(boarding.pickup_at, bookings.pickup_at),
        dropoff_at = coalesce(boarding.dropoff_at, bookings.dropoff_at)
      from boarding where bookings.id = boarding.id and (boarding.pickup_at is distinct from bookings.pickup_at
        or boarding.dropoff_at is distinct from bookings.dropoff_at)
    )
    update rides set departs_at = ${departsAt}, arrives_at = ${arrivesAt} where id = ${rideId}
      and ((departs_at, arrives_at) is distinct from (${departsAt}::timestamptz, ${arrivesAt}::timestamptz)
        -- Written anew, the clock looks at it again: an empty ride may have to put off its departure.
        or (not exists (select from plan where "bookingId" is not null) and next_at > departs_at))`);
}

export async function rideByNumber(db: Db, orderNumber: string): Promise<RideRow | null> {
  return (await db.select().from(rides).where(eq(rides.orderNumber, orderNumber)))[0] ?? null;
}

export async function requestByNumber(db: Db, orderNumber: string): Promise<RequestRow | null> {
  return (await db.select().from(requests).where(eq(requests.orderNumber, orderNumber)))[0] ?? null;
}

export async function bookingById(db: Db, id: string): Promise<BookingRow | null> {
  const [found] = await runMade<{ booking: JsonRow }>(db, readingBooking({ id }));
  return found === undefined ? null : bookingRows.fromJson(found.booking);
}
const readingBooking = namedStatement(
  sql`select row_to_json(b) as booking from bookings b where b.id = ${sql.placeholder('id')}`,
);

/**
 * The bookings of some rides, of some requests, or of both, oldest first. A transaction that holds the
 * requests leaves out bookings that ended before their passenger had joined, where they are older or on rides
 * that it does not hold.
 */
export async function bookingsOf(
  db: Db,
  of: { rideIds?: readonly string[]; requestIds?: readonly string[] },
): Promise<BookingRow[]> {
  const { rideIds = [], requestIds = [] } = of;
  if (rideIds.length === 0 && requestIds.length === 0) return [];
  const known = rideIds.length === 0 ? (unitOf(db)?.bookingsOfRequests(requestIds) ?? null) : null;
  if (known !== null) return known;
  const byRide = rideIds.length === 0 ? undefined : isOneOf(bookings.rideId, rideIds);
  const byRequest = requestIds.length === 0 ? undefined : isOneOf(bookings.requestId, requestIds);
  return db
    .select()
    .from(bookings)
    .where(or(byRide, byRequest))
    .orderBy(asc(bookings.createdAt), asc(bookings.id));
}

export async function stopsOf(db: Db, rideIds: readonly string[]): Promise<StopRow[]> {
  const [only, ...others] = rideIds;
  if (only === undefined) return [];
  const known = others.length === 0 ? (unitOf(db)?.stops(only) ?? null) : null;
  if (known !== null) return [...known];
  return db
    .select()
    .from(rideStops)
    .where(inArray(rideStops.rideId, [...rideIds]))
    .orderBy(asc(rideStops.rideId), asc(rideStops.position));
}

export async function historyOf(db: Db, of: { rideId?: string; requestId?: string }): Promise<HistoryRow[]> {
  const where =
    of.rideId === undefined ? eq(moveHistory.requestId, of.requestId!) : eq(moveHistory.rideId, of.rideId);
  return db.select().from(moveHistory).where(where).orderBy(asc(moveHistory.id)).limit(1000);
}

/**
 * Proposals that the passengers on board of some rides can answer, each with the bookings that have accepted
 * it.
 */
export async function openChanges(
  db: Db,
  rideIds: readonly string[],
): Promise<{ change: ChangeRow; accepted: Set<string> }[]> {
  if (rideIds.length === 0) return [];
  const changes = await db
    .select()
    .from(changeProposals)
    .where(and(inArray(changeProposals.rideId, [...rideIds]), eq(changeProposals.state, 'open')));
  if (changes.length === 0) return [];
  const answers = await db
    .select()
    .from(changeAnswers)
    .where(
      and(
        inArray(
          changeAnswers.proposalId,
          changes.map(({ id }) => id),
        ),
        eq(changeAnswers.accepted, true),
      ),
    );
  return changes.map((change) => ({
    change,
    accepted: new Set(
      answers.flatMap(({ proposalId, bookingId }) => (proposalId === change.id ? [bookingId] : [])),
    ),
  }));
}

/** Puts a request at the end of a ride's waitlist; does nothing where it is on it already. */
export async function startWaiting(tx: Db, row: Omit<WaitRow, 'id'>): Promise<void> {
  if ((unitOf(tx)?.startWaiting(row) ?? null) !== null) return;
  await tx.insert(waitlist).values(row).onConflictDoNothing();
}

/**
 * Takes requests off waitlists: all of a ride, one request off all, or one off one. False where there were
 * none.
 */
export async function stopWaiting(
  tx: Db,
  of: { rideId: string; requestId?: string } | { requestId: string },
): Promise<boolean> {
  const unit = unitOf(tx);
  const places =
    'rideId' in of
      ? unit?.waitingFor(of.rideId)?.filter(({ requestId }) => requestId === (of.requestId ?? requestId))
      : unit?.waitsOf(of.requestId);
  if (unit !== null && places !== undefined && places !== null) {
    unit.stopWaiting(places);
    return places.length > 0;
  }
  const ended = await tx
    .delete(waitlist)
    .where(
      and(
        'rideId' in of ? eq(waitlist.rideId, of.rideId) : undefined,
        of.requestId === undefined ? undefined : eq(waitlist.requestId, of.requestId),
      ),
    )
    .returning({ id: waitlist.id });
  return ended.length > 0;
}

/** The waitlists of some rides, first come first. */
export async function waitingFor(db: Db, rideIds: readonly string[]): Promise<WaitRow[]> {
  const [only, ...others] = rideIds;
  if (only === undefined) return [];
  const known = others.length === 0 ? (unitOf(db)?.waitingFor(only) ?? null) : null;
  if (known !== null) return known;
  return db
    .select()
    .from(waitlist)
    .where(inArray(waitlist.rideId, [...rideIds]))
    .orderBy(asc(waitlist.id));
}

/** Locks a ride without waiting; false where another transaction has it. */
export async function claimRide(tx: Db, id: string): Promise<boolean> {
  if (unitOf(tx)?.ride(id) != null) return true;
  const { rows } = await tx.execute(sql`select from rides where id = ${id} for no key update skip locked`);
  return rows.length > 0;
}

/** Locks a request without waiting; false where another transaction has it. */
export async function claimRequest(tx: Db, id: string): Promise<boolean> {
  const { rows } = await tx.execute(sql`select from requests where id = ${id} for no key update skip locked`);
  return rows.length > 0;
}

/** Of some bookings, those that have a stop on their ride's route. */
export function bookingsOnRoute(
  db: Db,
  of: readonly { bookingId: string; rideId: string }[],
): Promise<BookingRow[]> {
  const bookingIds = sql.param(of.map(({ bookingId }) => bookingId));
  const rideIds = sql.param(of.map(({ rideId }) => rideId));
  return db
    .select()
    .from(bookings)
    .where(
      sql`${bookings.id} = any(array(select stop.booking_id from ride_stops stop
        where stop.ride_id = any(${rideIds}::uuid[]) and stop.booking_id = any(${bookingIds}::uuid[])))`,
    );
}

/** Unanswered asks and invitations between two people. */
export async function openAsksBetween(db: Db, a: string, b: string): Promise<BookingRow[]> {
  const sides = (driverId: string, passengerId: string) =>
    and(eq(bookings.driverId, driverId), eq(bookings.passengerId, passengerId));
  return db
    .select()
    .from(bookings)
    .where(and(inArray(bookings.state, [...openAskStates]), or(sides(a, b), sides(b, a))));
}

// People who share a car see the ride during it and afterwards, even after a block.
const rodeTogether = sql`b.state in ${[...ridingStates]}`;

/** Whether the viewer drives the ride, is in its audience, or has asked for it or been invited to it. */
export async function maySeeRide(db: Db, rideId: string, viewerId: string | null): Promise<boolean> {
  const own =
    viewerId === null
      ? undefined
      : or(
          eq(rides.driverId, viewerId),
          sql`exists (select 1 from bookings b where b.ride_id = ${rides.id} and b.passenger_id = ${viewerId}
            and (${rodeTogether} or ${neitherBlocked(rides.driverId, viewerId)}))`,
        );
  return (
    (await db.$count(
      rides,
      and(eq(rides.id, rideId), or(own, circleReaches(rides, rides.driverId, viewerId))),
    )) > 0
  );
}

export async function maySeeRequest(db: Db, requestId: string, viewerId: string | null): Promise<boolean> {
  const own =
    viewerId === null
      ? undefined
      : or(
          eq(requests.passengerId, viewerId),
          sql`exists (select 1 from bookings b where b.request_id = ${requests.id} and b.driver_id = ${viewerId}
            and (${rodeTogether} or ${neitherBlocked(requests.passengerId, viewerId)}))`,
        );
  return (
    (await db.$count(
      requests,
      and(eq(requests.id, requestId), or(own, circleReaches(requests, requests.passengerId, viewerId))),
    )) > 0
  );
}

/**
 * Takes seats on every leg from a booking's pick-up to its drop-off, by one conditional update; false when a
 * leg has too few (the caller's transaction must then roll back).
 */
export async function claimSeats(tx: Db, rideId: string, bookingId: string, seats: number): Promise<boolean> {
  const isClaimed = unitOf(tx)?.claimSeats(rideId, bookingId, seats) ?? null;
  if (isClaimed !== null) return isClaimed;
  const claimed = await tx.execute<{ claimed: string; legs: string }>(sql`
    with legs as (
      select position from ride_stops where ride_id = ${rideId}
        and position >= (select position from ride_stops where ride_id = ${rideId} and booking_id = ${bookingId} and kind = 'pickup')
        and position < (select position from ride_stops where ride_id = ${rideId} and booking_id = ${bookingId} and kind = 'dropoff')
    ), claimed as (
      update ride_stops set seats_taken = seats_taken + ${seats}
      where ride_id = ${rideId} and position in (select position from legs) and seats_taken + ${seats} <= seats
      returning position
    )
    select (select count(*) from claimed) as claimed, (select count(*) from legs) as legs`);
  const row = claimed.rows[0];
  return row !== undefined && Number(row.legs) > 0 && row.claimed === row.legs;
}
