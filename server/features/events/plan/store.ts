import { and, asc, eq, gt, inArray, isNull, ne, or, sql } from 'drizzle-orm';
import type { EventWay } from '#contract/events/plan.ts';
import { wayOf } from '#contract/events/plan.ts';
import { openAskStates, openRequestStates, openRideStates, seatedStates } from '#contract/rides/moves.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Erasure } from '../../../platform/erasure.ts';
import { circleReaches } from '../../../schema/audience.ts';
import { eventPlaces } from '../../../schema/event-places.ts';
import { bookings, requests, rides } from '../../../schema/rides.ts';

export type PlaceRow = typeof eventPlaces.$inferSelect;
export type RideRow = typeof rides.$inferSelect;
export type RequestRow = typeof requests.$inferSelect;
export type BookingRow = typeof bookings.$inferSelect;

const openRides = inArray(rides.state, [...openRideStates]);
const openRequests = inArray(requests.state, [...openRequestStates]);

/** The rides of an event that still take people along and that somebody may see; private ones are for nobody else. */
export const ridesInSight = (
  db: Db,
  of: { eventId: string; viewerId: string | null; now: Date },
): Promise<RideRow[]> =>
  db
    .select()
    .from(rides)
    .where(
      and(
        eq(rides.eventId, of.eventId),
        openRides,
        gt(rides.latestDepartsAt, of.now),
        ne(rides.visibility, 'private'),
        or(
          of.viewerId === null ? undefined : eq(rides.driverId, of.viewerId),
          circleReaches(rides, rides.driverId, of.viewerId),
        ),
      ),
    )
    .orderBy(asc(rides.departsAt), asc(rides.id));

/** The same of requests that look for a ride. */
export const requestsInSight = (
  db: Db,
  of: { eventId: string; viewerId: string | null; now: Date },
): Promise<RequestRow[]> =>
  db
    .select()
    .from(requests)
    .where(
      and(
        eq(requests.eventId, of.eventId),
        openRequests,
        gt(requests.latestAt, of.now),
        ne(requests.visibility, 'private'),
        or(
          of.viewerId === null ? undefined : eq(requests.passengerId, of.viewerId),
          circleReaches(requests, requests.passengerId, of.viewerId),
        ),
      ),
    )
    .orderBy(asc(requests.earliestAt), asc(requests.id));

/** A person's own orders for an event that have not ended. */
export async function ordersOf(
  db: Db,
  eventId: string,
  personId: string,
): Promise<{ rides: RideRow[]; requests: RequestRow[] }> {
  const [own, asked] = await Promise.all([
    db
      .select()
      .from(rides)
      .where(and(eq(rides.eventId, eventId), eq(rides.driverId, personId), isNull(rides.endedAt))),
    db
      .select()
      .from(requests)
      .where(
        and(eq(requests.eventId, eventId), eq(requests.passengerId, personId), isNull(requests.endedAt)),
      ),
  ]);
  return { rides: own, requests: asked };
}

/** Bookings of some rides that hold a seat, or wait for an answer. */
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

/** All bookings there have been between a ride and a request, the newest first. */
export const bookingsBetween = (db: Db, of: { rideId: string; requestId: string }): Promise<BookingRow[]> =>
  db
    .select()
    .from(bookings)
    .where(and(eq(bookings.rideId, of.rideId), eq(bookings.requestId, of.requestId)))
    .orderBy(sql`${bookings.createdAt} desc`);

export const placesOf = (db: Db, eventId: string): Promise<PlaceRow[]> =>
  db.select().from(eventPlaces).where(eq(eventPlaces.eventId, eventId)).orderBy(asc(eventPlaces.createdAt));

export async function placeById(db: Db, id: string): Promise<PlaceRow | null> {
  const [row] = await db.select().from(eventPlaces).where(eq(eventPlaces.id, id));
  return row ?? null;
}

export async function insertPlaces(
  tx: Db,
  rows: readonly (typeof eventPlaces.$inferInsert)[],
): Promise<PlaceRow[]> {
  if (rows.length === 0) return [];
  return tx
    .insert(eventPlaces)
    .values([...rows])
    .onConflictDoNothing()
    .returning();
}

/** Ends an open place; false where it is open no more. */
export async function endPlace(tx: Db, id: string, state: 'declined' | 'gone', at: Date): Promise<boolean> {
  const ended = await tx
    .update(eventPlaces)
    .set({ state, endedAt: at })
    .where(and(eq(eventPlaces.id, id), eq(eventPlaces.state, 'open')))
    .returning({ id: eventPlaces.id });
  return ended.length > 0;
}

export async function setPlaceState(
  tx: Db,
  id: string,
  state: PlaceRow['state'],
  endedAt: Date | null,
): Promise<void> {
  await tx.update(eventPlaces).set({ state, endedAt }).where(eq(eventPlaces.id, id));
}

/** Open and taken places with what their states follow from. */
export async function placesWithStates(
  db: Db,
  eventId: string,
): Promise<
  {
    place: PlaceRow;
    ride: RideRow['state'];
    request: RequestRow['state'];
    bookings: BookingRow['state'][];
  }[]
> {
  const rows = await db
    .select({
      place: eventPlaces,
      ride: rides.state,
      request: requests.state,
      bookings: sql<BookingRow['state'][]>`coalesce((
        select json_agg(b.state) from bookings b
        where b.ride_id = ${eventPlaces.rideId} and b.request_id = ${eventPlaces.requestId}), '[]')`,
    })
    .from(eventPlaces)
    .innerJoin(rides, eq(rides.id, eventPlaces.rideId))
    .innerJoin(requests, eq(requests.id, eventPlaces.requestId))
    .where(and(eq(eventPlaces.eventId, eventId), inArray(eventPlaces.state, ['open', 'taken'])));
  return rows;
}

/** The event of a ride or a request, null where it has none. */
export async function eventOfOrder(db: Db, orderId: string): Promise<string | null> {
  const found = await db.execute<{ event_id: string | null }>(sql`
    select event_id from rides where id = ${orderId} union all select event_id from requests where id = ${orderId}`);
  return found.rows[0]?.event_id ?? null;
}

/** Orders by the way they go. */
export const goingBy = <O extends RideRow | RequestRow>(
  event: { atLon: number; atLat: number },
  orders: readonly O[],
  way: EventWay,
): O[] =>
  orders.filter(
    (order) =>
      wayOf(
        { lon: event.atLon, lat: event.atLat },
        {
          from: { lon: order.fromLon, lat: order.fromLat },
          to: { lon: order.toLon, lat: order.toLat },
        },
      ) === way,
  );

export const erasure = {
  event_places: (tx, personId) =>
    tx
      .delete(eventPlaces)
      .where(or(eq(eventPlaces.passengerId, personId), eq(eventPlaces.driverId, personId))),
} satisfies Erasure;
