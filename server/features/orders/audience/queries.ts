import { and, asc, eq, gt, gte, inArray, ne, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { mostEventOrders } from '#contract/events/plan.ts';
import { joinableRideStates, openRequestStates, openRideStates } from '#contract/rides/moves.ts';
import type { Db } from '../../../platform/database/db.ts';
import { isOneOf } from '../../../platform/database/is-one-of.ts';
import { findsRow } from '../../../platform/database/finds-row.ts';
import { scanFirst } from '../../../platform/database/scan-first.ts';
import { columnsOf } from '../../../platform/database/subquery-columns.ts';
import { requests, rides } from '../../../schema/rides.ts';
import {
  contactsOfPerson,
  isContactOf,
  isTagged,
  neitherBlocked,
  peopleTagged,
} from '../../contacts/queries.ts';
import { areWomen, isActive } from '../../identity/queries.ts';
import { openRequest, openRide, type RequestRow, type RideRow } from '../queries.ts';

/** The audience columns of an order, as values or as SQL columns. */
interface Audience {
  id: SQLWrapper;
  visibility: SQLWrapper;
  tagIds: SQLWrapper;
  women: SQLWrapper;
}

/**
 * True for orders whose audience includes the viewer, while neither has blocked the other. A guest (null)
 * sees what all users see. A private order is reached by invitation or link alone; opening the link to an
 * order adds a person to its audience. One for women is shown to women alone. An order of a suspended person
 * is hidden from the moment of the suspension, before it is canceled.
 */
export function circleReaches(order: Audience, owner: SQLWrapper, viewer: SQLWrapper | string | null): SQL {
  if (viewer === null)
    return sql`(${order.visibility} = 'all users' and not ${order.women} and ${isActive(owner)})`;
  return sql`(${isNamed(order, owner, viewer)} and (not ${order.women} or ${areWomen(owner, viewer)})
    and ${neitherBlocked(owner, viewer)} and ${isActive(owner)})`;
}

/** Whether the audience that an order names includes the viewer. */
const isNamed = (order: Audience, owner: SQLWrapper, viewer: SQLWrapper | string): SQL => sql`(
  ${order.visibility} = 'all users'
  or (${order.visibility} = 'all contacts' and ${isContactOf(owner, viewer)})
  or (${order.visibility} = 'tags' and ${isTagged(order.tagIds, viewer)})
  or ${findsRow(sql`from order_grants g where g.order_id = ${order.id} and g.person_id = ${viewer}`)})`;

/**
 * Whether ride and request have the same women-only choice, and the audience of each includes the other's
 * owner.
 */
const reachEachOther = and(
  eq(requests.women, rides.women),
  isNamed(rides, rides.driverId, requests.passengerId),
  isNamed(requests, requests.passengerId, rides.driverId),
  sql`(not ${rides.women} or ${areWomen(rides.driverId, requests.passengerId)})`,
  neitherBlocked(rides.driverId, requests.passengerId),
  isActive(rides.driverId),
  isActive(requests.passengerId),
);

/**
 * The rides that a passenger may see, and whose driver may see the passenger's request; with their drivers.
 * @param of.women whether the passenger rides among women only; must equal the ride's choice.
 */
export function visibleRides(
  db: Db,
  of: {
    rideIds: readonly string[];
    passengerId: string | null;
    requestId: string | null;
    women: boolean;
    now: Date;
  },
): Promise<{ id: string; personId: string }[]> {
  const { rideIds, passengerId, requestId } = of;
  if (rideIds.length === 0) return Promise.resolve([]);
  const asked = {
    id: sql`q.id`,
    visibility: sql`q.visibility`,
    tagIds: sql`q.tag_ids`,
    women: sql`q.women`,
  };
  const ride = db
    .select()
    .from(rides)
    .where(scanFirst(isOneOf(rides.id, rideIds)))
    .as('ride');
  return db
    .select({ id: ride.id, personId: ride.driverId })
    .from(ride)
    .where(
      and(
        inArray(ride.state, [...joinableRideStates]),
        gte(ride.latestDepartsAt, of.now),
        eq(ride.women, of.women),
        passengerId === null ? undefined : ne(ride.driverId, passengerId),
        circleReaches(ride, ride.driverId, passengerId),
        requestId === null
          ? undefined
          : sql`exists (select 1 from requests q where q.id = ${requestId} and ${circleReaches(asked, sql`q.passenger_id`, ride.driverId)})`,
      ),
    );
}

/**
 * The same for published requests: the pairs whose ride is open and whose owners may see each other's, with
 * the rides' drivers.
 */
export async function pairsToOffer(
  db: Db,
  pairs: readonly { rideId: string; requestId: string }[],
  now: Date,
): Promise<{ rideId: string; requestId: string; personId: string }[]> {
  if (pairs.length === 0) return [];
  const column = (of: 'rideId' | 'requestId') => sql`${sql.param(pairs.map((pair) => pair[of]))}::uuid[]`;
  return db
    .select({ rideId: rides.id, requestId: requests.id, personId: rides.driverId })
    .from(sql`unnest(${column('rideId')}, ${column('requestId')}) as pair (ride_id, request_id)`)
    .innerJoin(rides, eq(rides.id, sql`pair.ride_id`))
    .innerJoin(requests, eq(requests.id, sql`pair.request_id`))
    .where(
      and(
        openRide,
        gte(rides.latestDepartsAt, now),
        ne(rides.driverId, requests.passengerId),
        reachEachOther,
      ),
    );
}

/** The requests whose audience and the ride's include each other's owners; with their passengers. */
export function visibleRequests(
  db: Db,
  of: { ride: Pick<RideRow, 'id' | 'driverId'>; requestIds: readonly string[]; now: Date },
): Promise<{ id: string; personId: string }[]> {
  const { ride, requestIds } = of;
  if (requestIds.length === 0) return Promise.resolve([]);
  const request = db
    .select()
    .from(requests)
    .where(scanFirst(isOneOf(requests.id, requestIds)))
    .as('request');
  return db
    .select({ id: request.id, personId: request.passengerId })
    .from(request)
    .innerJoin(rides, eq(rides.id, ride.id))
    .where(
      and(
        inArray(request.state, [...openRequestStates]),
        gte(request.latestAt, of.now),
        ne(request.passengerId, ride.driverId),
        eq(request.women, rides.women),
        circleReaches(request, request.passengerId, ride.driverId),
        circleReaches(rides, rides.driverId, request.passengerId),
      ),
    );
}

/** No more are counted: they are people of all places, and a thousand of them tell as much as all. */
const mostWaiting = 1000;

/**
 * The number of people with an open request in the ride's audience, up to `mostWaiting` requests. A ride that
 * not all users see begins with the people whom it names.
 */
export async function countWaitingWhoSee(
  db: Db,
  ride: Pick<RideRow, 'id' | 'driverId' | 'visibility' | 'tagIds'>,
  now: Date,
): Promise<number> {
  const isOpen = and(openRequest, gte(requests.latestAt, now));
  const named = sql`(
    select person_id from order_grants where order_id = ${ride.id}
    ${ride.visibility === 'all contacts' ? sql`union ${contactsOfPerson(db, ride.driverId)}` : sql``}
    ${ride.visibility === 'tags' ? sql`union ${peopleTagged(ride.tagIds)}` : sql``}) as person (id)`;
  const waiting =
    ride.visibility === 'all users'
      ? sql`select ${requests.passengerId} as id, ${requests.women} as women from ${requests} where ${isOpen}`
      : sql`select open.* from ${named} cross join lateral (
          select ${requests.passengerId} as id, ${requests.women} as women from ${requests}
          where ${requests.passengerId} = person.id and ${isOpen} offset 0) open`;
  const { rows } = await db.execute<{ people: number }>(sql`
    select count(distinct seeing.id)::int as people from (
      select waiting.id from ${rides}, (${waiting}) waiting
      where ${rides.id} = ${ride.id} and waiting.id <> ${ride.driverId} and waiting.women = ${rides.women}
        and ${circleReaches(rides, rides.driverId, sql`waiting.id`)}
      limit ${mostWaiting}
    ) seeing`);
  return rows[0]?.people ?? 0;
}

/** True where the owners of a ride and a request may see each other's; does not check the roads. */
export const areInSight = (rideId: SQLWrapper, requestId: SQLWrapper): SQL => sql`
  exists (select from ${rides}, ${requests}
    where ${rides.id} = ${rideId} and ${requests.id} = ${requestId} and ${reachEachOther})`;

/** Whether two people may see each other's ride and request; does not check the roads. */
export async function seeEachOther(db: Db, rideId: string, requestId: string): Promise<boolean> {
  const rows = await db
    .select({ id: rides.id })
    .from(rides)
    .innerJoin(requests, eq(requests.id, requestId))
    .where(and(eq(rides.id, rideId), reachEachOther));
  return rows.length > 0;
}

/**
 * All pairs of some rides and requests whose owners differ and may see each other's; does not check the
 * roads.
 */
export async function pairsInSight(
  db: Db,
  rideIds: readonly string[],
  requestIds: readonly string[],
): Promise<{ rideId: string; requestId: string }[]> {
  if (rideIds.length === 0 || requestIds.length === 0) return [];
  return db
    .select({ rideId: rides.id, requestId: requests.id })
    .from(rides)
    .innerJoin(requests, inArray(requests.id, [...requestIds]))
    .where(and(inArray(rides.id, [...rideIds]), ne(rides.driverId, requests.passengerId), reachEachOther))
    .orderBy(asc(rides.id), asc(requests.id));
}

/** An order that a person can still join, or invite from. */
export interface OpenOrder {
  id: string;
  personId: string;
  role: 'driver' | 'passenger';
  recurringId: string | null;
  at: Date;
  timeZone: string;
  from: { lon: number; lat: number };
  to: { lon: number; lat: number };
  women: boolean;
}

const openOrderOf = (
  { id, recurringId, timeZone, women, fromLon, fromLat, toLon, toLat }: RideRow | RequestRow,
  of: Pick<OpenOrder, 'role' | 'personId' | 'at'>,
): OpenOrder => ({
  ...of,
  id,
  recurringId,
  timeZone,
  women,
  from: { lon: fromLon, lat: fromLat },
  to: { lon: toLon, lat: toLat },
});

/** Open orders of some people that the viewer may see, soonest first. */
export async function openOrdersOfPeople(
  db: Db,
  personIds: readonly string[],
  viewerId: string,
  now: Date,
): Promise<OpenOrder[]> {
  // One person after another: for several at once the planner may read the indexes of all open orders.
  const people = sql`unnest(${sql.param([...personIds])}::uuid[]) as person (id)`;
  const isTheirs = (owner: SQLWrapper) => sql`${owner} = person.id`;
  const ride = db
    .select()
    .from(rides)
    .where(
      scanFirst(
        sql`${isTheirs(rides.driverId)} and ${rides.state} = 'matching' and ${gt(rides.latestDepartsAt, now)}`,
      ),
    )
    .as('ride');
  const request = db
    .select()
    .from(requests)
    .where(
      scanFirst(sql`${isTheirs(requests.passengerId)} and ${openRequest} and ${gt(requests.latestAt, now)}`),
    )
    .as('request');
  const [driven, ridden] = await Promise.all([
    db
      .select(columnsOf(ride))
      .from(people)
      .innerJoinLateral(ride, circleReaches(ride, ride.driverId, viewerId)),
    db
      .select(columnsOf(request))
      .from(people)
      .innerJoinLateral(request, circleReaches(request, request.passengerId, viewerId)),
  ]);
  return [
    ...driven.map((row) => openOrderOf(row, { role: 'driver', personId: row.driverId, at: row.departsAt })),
    ...ridden.map((row) =>
      openOrderOf(row, { role: 'passenger', personId: row.passengerId, at: row.earliestAt }),
    ),
  ].toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

/** The viewer of which event's orders, and when. */
interface EventLook {
  eventId: string;
  viewerId: string | null;
  now: Date;
}

/** The event's joinable rides that a person may see; private ones only to their driver. */
export function eventRidesInSight(db: Db, { eventId, viewerId, now }: EventLook): Promise<RideRow[]> {
  const ride = db
    .select()
    .from(rides)
    .where(scanFirst(eq(rides.eventId, eventId)))
    .as('ride');
  const isOwn = viewerId === null ? undefined : eq(ride.driverId, viewerId);
  return db
    .select(columnsOf(ride))
    .from(ride)
    .where(
      and(
        inArray(ride.state, [...openRideStates]),
        gt(ride.latestDepartsAt, now),
        ne(ride.visibility, 'private'),
        or(isOwn, circleReaches(ride, ride.driverId, viewerId)),
      ),
    )
    .orderBy(asc(ride.departsAt), asc(ride.id))
    .limit(mostEventOrders);
}

/** The same for open requests. */
export function eventRequestsInSight(db: Db, { eventId, viewerId, now }: EventLook): Promise<RequestRow[]> {
  const request = db
    .select()
    .from(requests)
    .where(scanFirst(eq(requests.eventId, eventId)))
    .as('request');
  const isOwn = viewerId === null ? undefined : eq(request.passengerId, viewerId);
  return db
    .select(columnsOf(request))
    .from(request)
    .where(
      and(
        inArray(request.state, [...openRequestStates]),
        gt(request.latestAt, now),
        ne(request.visibility, 'private'),
        or(isOwn, circleReaches(request, request.passengerId, viewerId)),
      ),
    )
    .orderBy(asc(request.earliestAt), asc(request.id))
    .limit(mostEventOrders);
}
