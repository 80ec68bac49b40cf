import { and, asc, eq, inArray, lte, sql, type Placeholder, type SQL } from 'drizzle-orm';
import { changeMoves, type ChangeMove } from '#contract/rides/changes.ts';
import { seatedStates } from '#contract/rides/moves.ts';
import { namedStatement, type Db } from '../../../platform/database/db.ts';
import type { KeptStatements } from '../../../platform/database/kept-statements.ts';
import { sqlWords } from '../../../platform/database/sql-words.ts';
import {
  bookings,
  changeAnswers,
  changeProposals,
  requests,
  rides,
  rideStops,
} from '../../../schema/rides.ts';

import type { BookingRow, RequestRow, RideRow } from '../queries.ts';
import { bookingRows, requestRows, rideRows, type JsonRow } from '../aggregate/store.ts';

/** The sides of a booking, and its orders: they never change. */
export type BookingSides = Pick<BookingRow, 'id' | 'rideId' | 'requestId' | 'driverId' | 'passengerId'>;
export type ChangeRow = typeof changeProposals.$inferSelect;
// Limit of one scheduler round; the rest follows in the next.
const mostAtOnce = 100;

export async function insertChange(tx: Db, row: typeof changeProposals.$inferInsert): Promise<ChangeRow> {
  return (await tx.insert(changeProposals).values(row).returning())[0]!;
}

export async function changeById(db: Db, id: string): Promise<ChangeRow | null> {
  return (await db.select().from(changeProposals).where(eq(changeProposals.id, id)))[0] ?? null;
}

export async function openChangeOf(db: Db, rideId: string): Promise<ChangeRow | null> {
  const open = and(eq(changeProposals.rideId, rideId), eq(changeProposals.state, 'open'));
  return (await db.select().from(changeProposals).where(open))[0] ?? null;
}

/** Moves a proposal by its table of moves; null when it has moved on. */
export async function moveChange(
  tx: Db,
  id: string,
  move: Exclude<ChangeMove, 'propose'>,
  endedAt: Date,
): Promise<ChangeRow | null> {
  const { from, to } = changeMoves[move];
  const rows = await tx
    .update(changeProposals)
    .set({ state: to, endedAt })
    .where(and(eq(changeProposals.id, id), inArray(changeProposals.state, [...from])))
    .returning();
  return rows[0] ?? null;
}

export async function saveAnswer(tx: Db, row: typeof changeAnswers.$inferInsert): Promise<void> {
  await tx.insert(changeAnswers).values(row).onConflictDoNothing();
}

/** The bookings whose passengers have accepted a proposal. */
export async function acceptedBy(db: Db, proposalId: string): Promise<Set<string>> {
  const rows = await db
    .select({ id: changeAnswers.bookingId })
    .from(changeAnswers)
    .where(and(eq(changeAnswers.proposalId, proposalId), eq(changeAnswers.accepted, true)));
  return new Set(rows.map(({ id }) => id));
}

/** Whether a person's order could be moved by `byMs` without overlapping another of theirs. */
export async function isFreeAfter(db: Db, orderId: string, byMs: number): Promise<boolean> {
  const found = await db.execute(sql`
    select 1 from order_spans own join order_spans other
      on other.person_id = own.person_id and other.order_id <> own.order_id
      and other.during && tstzrange(lower(own.during) + ${byMs} * interval '1 millisecond', upper(own.during) + ${byMs} * interval '1 millisecond', '[)')
    where own.order_id = ${orderId} limit 1`);
  return found.rows.length === 0;
}

/** A person's own order, as it stands for who would cancel it. */
export type OwnOrder = {
  id: string;
  /** The booking that was named, where the person is a side of it. */
  booking: BookingSides | null;
} & (
  | { role: 'driver' }
  | {
      role: 'passenger';
      request: RequestRow;
      /** Oldest first. */
      bookings: BookingRow[];
      /** The ride that the passenger has joined. */
      ride: RideRow | null;
    }
);

const [ownId, ownPerson, namedBooking] = ['id', 'personId', 'bookingId'].map((name) =>
  sql.placeholder(name),
) as [Placeholder, Placeholder, Placeholder];
const seatedWords = sqlWords(seatedStates);
const readingOwn = namedStatement(sql`
  select exists (select from rides where id = ${ownId} and driver_id = ${ownPerson}) as "isRide",
    (select row_to_json(q) from requests q where q.id = ${ownId} and q.passenger_id = ${ownPerson}) as request,
    (select coalesce(json_agg(b order by b.created_at, b.id), '[]') from bookings b
      where b.request_id = ${ownId} and b.passenger_id = ${ownPerson}) as bookings,
    (select row_to_json(r) from rides r where r.id = (
      select b.ride_id from bookings b
      where b.request_id = ${ownId} and b.passenger_id = ${ownPerson} and b.state in ${seatedWords}
      order by b.created_at, b.id limit 1)) as ride,
    (select row_to_json(b) from bookings b
      where b.id = ${namedBooking} and ${ownPerson} in (b.driver_id, b.passenger_id)) as booking`);

/** Reads a person's own ride or request; null where it is none. */
export async function readOwnOrder(
  kept: Pick<KeptStatements, 'read'>,
  of: { id: string; personId: string; bookingId: string | null },
): Promise<OwnOrder | null> {
  const [found] = await kept.read<{
    isRide: boolean;
    request: JsonRow | null;
    bookings: JsonRow[];
    ride: JsonRow | null;
    booking: JsonRow | null;
  }>(readingOwn(of));
  const { isRide, request, ride } = found!;
  const own = { id: of.id, booking: found!.booking === null ? null : bookingRows.fromJson(found!.booking) };
  if (isRide) return { ...own, role: 'driver' };
  if (request === null) return null;
  return {
    ...own,
    role: 'passenger',
    request: requestRows.fromJson(request),
    bookings: found!.bookings.map((row) => bookingRows.fromJson(row)),
    ride: ride === null ? null : rideRows.fromJson(ride),
  };
}

/**
 * Shifts everything agreed about a ride by the same time: the ride, its stops, its bookings and their
 * requests, and the spans of all of them. The database refuses an overlap with another order of one of them.
 */
export async function shiftRide(
  tx: Db,
  rideId: string,
  seated: readonly { id: string; requestId: string }[],
  byMs: number,
): Promise<void> {
  const by = sql`${byMs} * interval '1 millisecond'`;
  const bookingIds = seated.map(({ id }) => id);
  const requestIds = seated.map(({ requestId }) => requestId).toSorted();
  await tx
    .update(rides)
    .set({
      earliestDepartsAt: sql`${rides.earliestDepartsAt} + ${by}`,
      latestDepartsAt: sql`${rides.latestDepartsAt} + ${by}`,
      departsAt: sql`${rides.departsAt} + ${by}`,
      arrivesAt: sql`${rides.arrivesAt} + ${by}`,
    })
    .where(eq(rides.id, rideId));
  await tx
    .update(rideStops)
    .set({ at: sql`${rideStops.at} + ${by}` })
    .where(eq(rideStops.rideId, rideId));
  if (seated.length > 0) {
    await tx
      .update(requests)
      .set({
        earliestAt: sql`${requests.earliestAt} + ${by}`,
        latestAt: sql`${requests.latestAt} + ${by}`,
        arriveBy: sql`${requests.arriveBy} + ${by}`,
        version: sql`${requests.version} + 1`,
      })
      .where(inArray(requests.id, requestIds));
    await tx
      .update(bookings)
      .set({ pickupAt: sql`${bookings.pickupAt} + ${by}`, dropoffAt: sql`${bookings.dropoffAt} + ${by}` })
      .where(inArray(bookings.id, bookingIds));
  }
  await tx.execute(sql`
    update order_spans set during = tstzrange(lower(during) + ${by}, upper(during) + ${by}, '[)')
    where order_id = any(${sql.param([rideId, ...requestIds])}::uuid[])`);
}

/**
 * Writes when reminders check bookings next; null for never again. One that has moved since it was read, or
 * that a transaction under way has locked, is checked again: waiting for several could be a deadlock.
 */
export async function remindAgain(
  db: Db,
  looked: readonly { bookingId: string; remindAt: Date; pickupAt: Date; nextAt: Date | null }[],
): Promise<void> {
  const rows = looked.map(({ bookingId, remindAt, pickupAt, nextAt }) => ({
    id: bookingId,
    seen: remindAt,
    pickup: pickupAt,
    next: nextAt,
  }));
  await db.execute(sql`
    with looked as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as looked (id uuid, seen timestamptz, pickup timestamptz, next timestamptz)
    ), still as materialized (
      select bookings.id, looked.next from bookings join looked using (id)
      where remind_at = looked.seen and pickup_at = looked.pickup
      for no key update of bookings skip locked
    )
    update bookings set remind_at = still.next from still where bookings.id = still.id`);
}

// A constant: with a parameter, a prepared plan cannot use the index of open ones.
const isChangeDue = (now: Date) =>
  and(sql`${changeProposals.state} = 'open'`, lte(changeProposals.nextAt, now));

export const isAnyChangeDue = (now: Date): SQL =>
  sql`exists (select from ${changeProposals} where ${isChangeDue(now)})`;

/** Rides whose open proposal is to be checked now: it is over, or a move may have decided it. */
export async function changesDue(db: Db, now: Date): Promise<{ rideId: string }[]> {
  return db
    .select({ rideId: changeProposals.rideId })
    .from(changeProposals)
    .where(isChangeDue(now))
    .orderBy(asc(changeProposals.nextAt))
    .limit(mostAtOnce);
}

/** Notes that the scheduler has checked an open proposal: the next check is at its end. */
export async function changeLookedAt(tx: Db, rideId: string, now: Date): Promise<void> {
  const open = and(eq(changeProposals.rideId, rideId), eq(changeProposals.state, 'open'));
  await tx
    .update(changeProposals)
    .set({ nextAt: changeProposals.expiresAt })
    .where(and(open, lte(changeProposals.nextAt, now)));
}
