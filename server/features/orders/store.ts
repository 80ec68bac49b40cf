import { and, asc, eq, inArray, or, sql } from 'drizzle-orm';
import {
  endedRequestStates,
  endedRideStates,
  onTheWayRideStates,
  openAskStates,
  ridingStates,
} from '#contract/rides/moves.ts';
import type { Db } from '../../platform/database/db.ts';
import { isOneOf } from '../../platform/database/is-one-of.ts';
import type { Reader } from '../../platform/database/kept-statements.ts';
import { sqlWords } from '../../platform/database/sql-words.ts';
import {
  bookings,
  changeAnswers,
  changeProposals,
  moveHistory,
  requests,
  rides,
  rideStops,
  recurringDays,
} from '../../schema/rides.ts';
import { neitherBlocked } from '../contacts/queries.ts';
import { bookingsByIds, requestsByIds, ridesByIds } from './aggregate/queries.ts';
import { takeOrderPlaces, type StopRow } from './aggregate/store.ts';
import { circleReaches } from './audience/queries.ts';
import type { BookingRow, HistoryRow, RequestRow, RideRow } from './queries.ts';
import { drawOrderNumber } from './rules/order-number.ts';

export type { BookingRow, HistoryRow, RequestRow, RideRow } from './queries.ts';
export { bookingsByIds, requestsByIds, ridesByIds } from './aggregate/queries.ts';
export type { StopRow, WaitRow } from './aggregate/store.ts';
export type ChangeRow = typeof changeProposals.$inferSelect;

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

export async function rideById(from: Reader, id: string): Promise<RideRow | null> {
  return (await ridesByIds(from, [id]))[0] ?? null;
}

export async function requestById(from: Reader, id: string): Promise<RequestRow | null> {
  return (await requestsByIds(from, [id]))[0] ?? null;
}

export async function rideByNumber(db: Db, orderNumber: string): Promise<RideRow | null> {
  return (await db.select().from(rides).where(eq(rides.orderNumber, orderNumber)))[0] ?? null;
}

export async function requestByNumber(db: Db, orderNumber: string): Promise<RequestRow | null> {
  return (await db.select().from(requests).where(eq(requests.orderNumber, orderNumber)))[0] ?? null;
}

export async function bookingById(from: Reader, id: string): Promise<BookingRow | null> {
  return (await bookingsByIds(from, [id]))[0] ?? null;
}

/** The bookings of some rides, of some requests, or of both, oldest first. */
export async function bookingsOf(
  db: Db,
  of: { rideIds?: readonly string[]; requestIds?: readonly string[] },
): Promise<BookingRow[]> {
  const { rideIds = [], requestIds = [] } = of;
  if (rideIds.length === 0 && requestIds.length === 0) return [];
  const byRide = rideIds.length === 0 ? undefined : isOneOf(bookings.rideId, rideIds);
  const byRequest = requestIds.length === 0 ? undefined : isOneOf(bookings.requestId, requestIds);
  return db
    .select()
    .from(bookings)
    .where(or(byRide, byRequest))
    .orderBy(asc(bookings.createdAt), asc(bookings.id));
}

export async function stopsOf(db: Db, rideIds: readonly string[]): Promise<StopRow[]> {
  if (rideIds.length === 0) return [];
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

/** Locks a ride without waiting; false where another transaction has it. */
export async function claimRide(tx: Db, id: string): Promise<boolean> {
  const { rows } = await tx.execute(sql`select from rides where id = ${id} for no key update skip locked`);
  return rows.length > 0;
}

/** Makes those who write about a ride wait for each other until the transaction ends. */
export async function queueOnRide(tx: Db, id: string): Promise<void> {
  await tx.execute(sql`select from rides where id = ${id} for no key update`);
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
