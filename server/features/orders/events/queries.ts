import { and, eq, inArray, isNull, ne, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { EventWay } from '#contract/events/plan.ts';
import { maxOpenOrders } from '#contract/units.ts';
import { openRequestStates } from '#contract/rides/moves.ts';
import type { Db } from '../../../platform/database/db.ts';
import { requests, rides, rideStops } from '../../../schema/rides.ts';
import type { BookingRow, RequestRow, RideRow } from '../queries.ts';

/** The columns of an event: its id and its place. */
interface EventPlace {
  id: SQLWrapper;
  atLon: SQLWrapper;
  atLat: SQLWrapper;
}

/** The same rule as `wayOf` in the contract. */
const goes = (way: EventWay, event: EventPlace, order: typeof rides | typeof requests): SQL => {
  const there = sql`((${order.toLon} - ${event.atLon}) ^ 2 + (${order.toLat} - ${event.atLat}) ^ 2
    <= (${order.fromLon} - ${event.atLon}) ^ 2 + (${order.fromLat} - ${event.atLat}) ^ 2)`;
  return way === 'there' ? there : sql`not ${there}`;
};

/**
 * The sum of the seats of an event's rides that are free on every leg, as an SQL value; counts rides that can
 * be joined, without private ones.
 */
export const seatsOffered = (db: Db, way: EventWay, event: EventPlace): SQL<number> => {
  const perRide = db
    .select({ free: sql<number>`min(${rideStops.seats} - ${rideStops.seatsTaken})`.as('free') })
    .from(rideStops)
    .innerJoin(rides, eq(rides.id, rideStops.rideId))
    .where(
      and(
        eq(rides.eventId, event.id),
        eq(rides.state, 'matching'),
        ne(rides.visibility, 'private'),
        ne(rideStops.kind, 'end'),
        goes(way, event, rides),
      ),
    )
    .groupBy(rideStops.rideId)
    .as('per_ride');
  return sql`(${db.select({ seats: sql`coalesce(sum(${perRide.free}), 0)::int` }).from(perRide)})`;
};

/** The sum of the seats that an event's open requests need, likewise. */
export const seatsNeeded = (db: Db, way: EventWay, event: EventPlace): SQL<number> =>
  sql`(${db
    .select({ seats: sql`coalesce(sum(${requests.seats}), 0)::int` })
    .from(requests)
    .where(
      and(
        eq(requests.eventId, event.id),
        inArray(requests.state, [...openRequestStates]),
        ne(requests.visibility, 'private'),
        goes(way, event, requests),
      ),
    )})`;

/** True for an event to or from which a person has an order, in any state. */
export const isTravelling = (eventId: SQLWrapper, personId: string): SQL =>
  sql`(exists (select 1 from rides r where r.event_id = ${eventId} and r.driver_id = ${personId})
    or exists (select 1 from requests q where q.event_id = ${eventId} and q.passenger_id = ${personId}))`;

/** A person with an order for an event that has not ended; two rows where they travel both directions. */
export interface Traveller {
  personId: string;
  kind: 'ride' | 'request';
  orderId: string;
}

export async function travellersTo(db: Db, eventId: string): Promise<Traveller[]> {
  const found = await db.execute<{ person: string; kind: Traveller['kind']; id: string }>(sql`
    select distinct on (person) person, kind, id from (
      select driver_id as person, 'ride' as kind, id, departs_at as at from rides
      where event_id = ${eventId} and ended_at is null
      union all select passenger_id, 'request', id, earliest_at from requests
      where event_id = ${eventId} and ended_at is null) orders
    order by person, at`);
  return found.rows.map(({ person, kind, id }) => ({ personId: person, kind, orderId: id }));
}

/** A person's own orders for an event that have not ended. */
export async function eventOrdersOf(
  db: Db,
  eventId: string,
  personId: string,
): Promise<{ rides: RideRow[]; requests: RequestRow[] }> {
  const [own, asked] = await Promise.all([
    db
      .select()
      .from(rides)
      .where(and(eq(rides.eventId, eventId), eq(rides.driverId, personId), isNull(rides.endedAt)))
      .limit(maxOpenOrders),
    db
      .select()
      .from(requests)
      .where(and(eq(requests.eventId, eventId), eq(requests.passengerId, personId), isNull(requests.endedAt)))
      .limit(maxOpenOrders),
  ]);
  return { rides: own, requests: asked };
}

/** The events that some requests are for, each once. */
export async function eventsOfRequests(db: Db, requestIds: readonly string[]): Promise<string[]> {
  if (requestIds.length === 0) return [];
  const found = await db.execute<{ event_id: string }>(sql`
    select distinct event_id from requests
    where id = any(${sql.param([...new Set(requestIds)])}::uuid[]) and event_id is not null`);
  return found.rows.map(({ event_id: eventId }) => eventId);
}

/** The states of a ride, of a request and of all bookings between them, each as an SQL value. */
export const statesBetween = (rideId: SQLWrapper, requestId: SQLWrapper) => ({
  // Raw SQL, so that the columns keep the names of their tables wherever the values are selected.
  ride: sql<RideRow['state']>`(${sql`select state from rides where id = ${rideId}`})`,
  request: sql<RequestRow['state']>`(${sql`select state from requests where id = ${requestId}`})`,
  bookings: sql<BookingRow['state'][]>`(${sql`select coalesce(json_agg(b.state), '[]') from bookings b
    where b.ride_id = ${rideId} and b.request_id = ${requestId}`})`,
});
