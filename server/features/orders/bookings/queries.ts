import { and, asc, desc, eq, inArray, lte, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { expectedStates, failedStates, openAskStates, seatedStates } from '#contract/rides/moves.ts';
import type { Db } from '../../../platform/database/db.ts';
import { isOneOf } from '../../../platform/database/is-one-of.ts';
import { sqlWords } from '../../../platform/database/sql-words.ts';
import {
  bookings,
  interruptedBookings,
  changeAnswers,
  changeProposals,
  rides,
} from '../../../schema/rides.ts';
import type { BookingRow, RideRow } from '../queries.ts';

/**
 * True for a ride that a person has asked to join, was invited to or rides along with. An array leads to it
 * by the ride: by the person there may be thousands of bookings.
 */
export const knowsRide = (rideId: SQLWrapper, passenger: SQLWrapper): SQL =>
  sql`(${passenger} = any(array(select b.passenger_id from bookings b where b.ride_id = ${rideId} and b.state not in ${sqlWords(failedStates)})))`;

/** True for a request whose passenger has asked a person, was invited by them or rides along with them. */
export const knowsRequest = (requestId: SQLWrapper, driver: SQLWrapper): SQL =>
  sql`(${driver} = any(array(select b.driver_id from bookings b where b.request_id = ${requestId} and b.state not in ${sqlWords(failedStates)})))`;

/**
 * The places of a ride, or of an ask: rows of ride, booking, driver and passenger, as a statement.
 * @param id a ride: all who have joined it, with no booking named; or a booking: its two people while it is
 *   open.
 */
export const placesOf = (id: string): SQL => sql`
  select b.ride_id, case when b.id = ${id} then b.id end as booking_id, b.driver_id, b.passenger_id from bookings b
  where (b.ride_id = ${id} and b.state = any(${sql.param([...seatedStates])}))
    or (b.id = ${id} and b.state = any(${sql.param([...openAskStates])}))`;

/** The message of an ask or invitation, as a statement of one column; may be empty. */
export const messageOfBooking = (bookingId: SQLWrapper): SQL =>
  sql`select b.message from bookings b where b.id = ${bookingId}`;

/**
 * People's answers so far: drivers to asks, passengers to invitations. Bookings closed by others do not
 * count.
 */
export async function answersOf(
  db: Db,
  side: 'driver' | 'passenger',
  ids: readonly string[],
): Promise<Map<string, { asked: number; accepted: number }>> {
  if (ids.length === 0) return new Map();
  const person = side === 'driver' ? bookings.driverId : bookings.passengerId;
  const rows = await db
    .select({
      id: person,
      asked: sql<string>`count(*) filter (where joined_at is not null or state = 'rejected' or (state = 'expired' and reason <> 'full'))`,
      accepted: sql<string>`count(*) filter (where joined_at is not null)`,
    })
    .from(bookings)
    .where(and(isOneOf(person, ids), eq(bookings.startedBy, side === 'driver' ? 'passenger' : 'driver')))
    .groupBy(person);
  return new Map(
    rows.map(({ id, asked, accepted }) => [id, { asked: Number(asked), accepted: Number(accepted) }]),
  );
}

/** Seats joined so far in each ride, for sharing a price per car. */
export async function joinedSeats(db: Db, rideIds: readonly string[]): Promise<Map<string, number>> {
  if (rideIds.length === 0) return new Map();
  const rows = await db
    .select({ rideId: bookings.rideId, seats: sql<string>`sum(${bookings.seats})` })
    .from(bookings)
    .where(and(isOneOf(bookings.rideId, rideIds), inArray(bookings.state, [...seatedStates])))
    .groupBy(bookings.rideId);
  return new Map(rows.map((row) => [row.rideId, Number(row.seats)]));
}

/** Bookings of some rides that have a seat or wait for an answer, oldest first. */
export function standingBookings(db: Db, rideIds: readonly string[]): Promise<BookingRow[]> {
  if (rideIds.length === 0) return Promise.resolve([]);
  return db
    .select()
    .from(bookings)
    .where(
      and(
        inArray(bookings.rideId, [...rideIds]),
        inArray(bookings.state, [...seatedStates, ...openAskStates]),
      ),
    )
    .orderBy(asc(bookings.createdAt), asc(bookings.id));
}

/** All bookings ever made between a ride and a request, newest first. */
export const bookingsBetween = (db: Db, of: { rideId: string; requestId: string }): Promise<BookingRow[]> =>
  db
    .select()
    .from(bookings)
    .where(and(eq(bookings.rideId, of.rideId), eq(bookings.requestId, of.requestId)))
    .orderBy(sql`${bookings.createdAt} desc`);

/** Whether a person rode in a ride to its end, as its driver or as a passenger. */
export async function rodeIn(db: Db, rideId: string, personId: string): Promise<boolean> {
  return (
    (await db.$count(
      bookings,
      and(
        eq(bookings.rideId, rideId),
        eq(bookings.state, 'finished'),
        or(eq(bookings.driverId, personId), eq(bookings.passengerId, personId)),
      ),
    )) > 0
  );
}

/**
 * A person's finished bookings that ended within a span of time, with their rides; latest ended first.
 * @param of.condition a further condition on the booking's id.
 */
export const finishedBookingsOf = (
  db: Db,
  personId: string,
  of: { after: Date; until: Date; condition: (bookingId: SQLWrapper) => SQL; most: number },
): Promise<{ booking: BookingRow; ride: RideRow }[]> => {
  // Each side by its own index of finished bookings, however many are older.
  const ofSide = (side: SQLWrapper) => sql`(
    select ${bookings.id} from ${bookings} where ${side} = ${personId} and ${bookings.state} = 'finished'
      and ${bookings.endedAt} > ${of.after.toISOString()} and ${bookings.endedAt} <= ${of.until.toISOString()}
      and ${of.condition(bookings.id)}
    order by ${bookings.endedAt} desc limit ${of.most})`;
  const found = sql`${ofSide(bookings.driverId)} union ${ofSide(bookings.passengerId)}`;
  return db
    .select({ booking: bookings, ride: rides })
    .from(bookings)
    .innerJoin(rides, eq(rides.id, bookings.rideId))
    .where(sql`${bookings.id} = any(array(${found}))`)
    .orderBy(desc(bookings.endedAt))
    .limit(of.most);
};

export const isAnyReminderDue = (now: Date): SQL =>
  sql`exists (select from ${bookings} where ${lte(bookings.remindAt, now)})`;

/** Agreed bookings whose reminders are to be checked now, the longest due first. */
export const bookingsToRemind = (db: Db, now: Date, limit: number) =>
  db
    .select({
      bookingId: bookings.id,
      rideId: rides.id,
      requestId: bookings.requestId,
      driverId: rides.driverId,
      passengerId: bookings.passengerId,
      pickupAt: bookings.pickupAt,
      joinedAt: sql<Date>`${bookings.joinedAt}`.mapWith(bookings.joinedAt),
      /** For the driver, the ride was agreed when the first of those who come had joined. */
      agreedAt: sql<Date>`(select min(b.joined_at) from bookings b
        where b.ride_id = ${rides.id} and b.state in ${sqlWords(expectedStates)})`.mapWith(bookings.joinedAt),
      departsAt: rides.departsAt,
      timeZone: rides.timeZone,
      remindAt: sql<Date>`${bookings.remindAt}`.mapWith(bookings.remindAt),
    })
    .from(bookings)
    .innerJoin(rides, eq(rides.id, bookings.rideId))
    .where(lte(bookings.remindAt, now))
    .orderBy(asc(bookings.remindAt), asc(bookings.id))
    .limit(limit);

/** The answer states of some bookings, by id. */
export async function answerStatesOf(db: Db, bookingIds: readonly string[]) {
  const { id, state, metBy, awaits, fareCents, joinedAt, expiresAt } = bookings;
  if (bookingIds.length === 0) return new Map<string, never>();
  const rows = await db
    .select({ id, state, metBy, awaits, fareCents, joinedAt, expiresAt })
    .from(bookings)
    .where(inArray(id, [...bookingIds]));
  return new Map(rows.map((row) => [row.id, row]));
}

/** The states of some proposed changes, by id, and one passenger's answer to each; null before. */
export async function changesAskedOf(
  db: Db,
  passengerId: string,
  changeIds: readonly string[],
): Promise<Map<string, { isOpen: boolean; expiresAt: Date; accepted: boolean | null }>> {
  if (changeIds.length === 0) return new Map();
  const rows = await db
    .select({
      id: changeProposals.id,
      isOpen: sql<boolean>`${changeProposals.state} = 'open'`,
      expiresAt: changeProposals.expiresAt,
      accepted: changeAnswers.accepted,
    })
    .from(changeProposals)
    .leftJoin(
      changeAnswers,
      and(eq(changeAnswers.proposalId, changeProposals.id), eq(changeAnswers.passengerId, passengerId)),
    )
    .where(inArray(changeProposals.id, [...changeIds]));
  return new Map(rows.map((row) => [row.id, row]));
}

/** The terms on which the passengers of some bookings joined, or are about to, by booking. */
export async function joinsOf(
  db: Db,
  bookingIds: readonly string[],
): Promise<Map<string, { joinedAt: Date | null; startedBy: 'driver' | 'passenger'; isInstant: boolean }>> {
  if (bookingIds.length === 0) return new Map();
  const { id, joinedAt, startedBy } = bookings;
  const rows = await db
    .select({ id, joinedAt, startedBy, isInstant: rides.instant })
    .from(bookings)
    .innerJoin(rides, eq(rides.id, bookings.rideId))
    .where(inArray(id, [...bookingIds]));
  return new Map(rows.map((row) => [row.id, row]));
}

/** The distances ridden on rides that ended on the way, by booking. */
export async function riddenOf(
  db: Db,
  bookingIds: readonly string[],
): Promise<Map<string, { riddenMetres: number; routeMetres: number }>> {
  if (bookingIds.length === 0) return new Map();
  const { bookingId, riddenMetres, routeMetres } = interruptedBookings;
  const rows = await db
    .select({ bookingId, riddenMetres, routeMetres })
    .from(interruptedBookings)
    .where(inArray(bookingId, [...bookingIds]));
  return new Map(rows.map(({ bookingId: id, ...ridden }) => [id, ridden]));
}

/** Whether only the driver's word shows that they were at the pick-up. */
export async function isReachedByWords(db: Db, bookingId: string): Promise<boolean> {
  const [row] = await db
    .select({ reachedBy: bookings.reachedBy })
    .from(bookings)
    .where(eq(bookings.id, bookingId));
  return row?.reachedBy === 'words';
}

/** People with whom a person has ever had a booking, as a statement of ids. */
export const companionsOf = (personId: string): SQL =>
  sql`select driver_id from bookings where passenger_id = ${personId}
    union select passenger_id from bookings where driver_id = ${personId}`;
