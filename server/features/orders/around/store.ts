import { getTableColumns, sql, type SQL } from 'drizzle-orm';
import type { BookingState } from '#contract/rides/moves.ts';
import { mostOfOne } from '#contract/units.ts';
import { namedStatement } from '../../../platform/database/db.ts';
import { findsRow } from '../../../platform/database/finds-row.ts';
import type { KeptStatements } from '../../../platform/database/kept-statements.ts';
import { sqlWords } from '../../../platform/database/sql-words.ts';
import { requests as requestsTable } from '../../../schema/rides.ts';
import { licenseStatusOf } from '../../drivers/licenses/queries.ts';
import { peopleAsJson } from '../../identity/queries.ts';
import type { PersonRow } from '../../identity/service.ts';
import type { BookingRow, RequestRow, RideRow } from '../queries.ts';
import {
  bookingRows,
  requestRows,
  rideRows,
  stopRows,
  waitRows,
  type JsonRow,
  type StopRow,
  type WaitRow,
} from '../aggregate/store.ts';

/** Final states of bookings that reached the day of the ride. */
const riddenStates: readonly BookingState[] = ['finished', 'missed'];

/** Of bookings that ended without a ride and without a fee the latest ones are shown. */
const mostEndedShown = 5;
/** The most bookings that matter in a view, open ones first; with the others up to `mostOfOne`. */
const mostOfOrder = mostOfOne - 4 * mostEndedShown;

/**
 * Whether a booking `b` is open, was ridden or missed, or owes a fee; the index `bookings_of_ride_that_count`
 * has these.
 */
const thatCount = sql`(b.ended_at is null or b.state in ${sqlWords(riddenStates)} or b.late_fee_cents > 0)`;
/** Whether a booking `b` is on its ride's route. */
const isOnRoute = findsRow(
  sql`from ride_stops stop where stop.ride_id = b.ride_id and stop.booking_id = b.id`,
);

/** Orders that are read already, and bookings that are read with them, however long they have ended. */
export interface AroundOrders {
  rideIds: readonly string[];
  requestIds: readonly string[];
  bookingIds: readonly string[];
  /** Null is a guest. */
  viewerId: string | null;
}

/** Rows that the views of some orders need in addition to their own. */
export interface OrdersAround {
  /** Rides that the requests are booked on. */
  rides: RideRow[];
  /**
   * Requests of the bookings and of the waitlists. Of their meeting points they have the nearest of each end
   * alone: what is shown of them depends on whether there are any.
   */
  requests: RequestRow[];
  /**
   * The bookings that count of the rides, and of those that the requests are booked on; of these rides and
   * requests, and of the viewer, the latest others too. Oldest first.
   */
  bookings: BookingRow[];
  stops: StopRow[];
  /** The waitlists of all these rides, and of those that the requests wait for; first come first. */
  waiting: WaitRow[];
  /** The rides that have an open proposal. */
  changingIds: string[];
  /** The drivers and passengers. */
  people: PersonRow[];
}

const [rideIds, requestIds, bookingIds, viewer] = [
  sql`${sql.placeholder('rideIds')}::uuid[]`,
  sql`${sql.placeholder('requestIds')}::uuid[]`,
  sql`${sql.placeholder('bookingIds')}::uuid[]`,
  sql`${sql.placeholder('viewerId')}::uuid`,
];

const latestOf = (ids: SQL, which: SQL): SQL => sql`
  select latest.id from unnest(${ids}) as thing (id) cross join lateral (
    select b.id from bookings b where ${which} order by b.created_at desc, b.id desc limit ${sql.raw(String(mostEndedShown))}
  ) latest`;
const mostOfEach = (ids: SQL, which: SQL): SQL => sql`
  select those.id from unnest(${ids}) as thing (id) cross join lateral (
    select b.id from bookings b where ${which}
    order by b.ended_at is null desc, b.created_at desc limit ${sql.raw(String(mostOfOrder))}
  ) those`;
/** The bookings that count of some rides; asks that came to nothing, which may be many, are not read. */
const countingOfRides = (ids: SQL): SQL => sql`
  ${mostOfEach(ids, sql`${isOfRide} and ${thatCount}`)}
  union select stop.booking_id from ride_stops stop where stop.ride_id = any(${ids}) and stop.booking_id is not null`;
const isOfRide = sql`b.ride_id = thing.id`;
const isOfRequest = sql`b.request_id = thing.id`;
const ridesOfRequests = sql`array(select distinct o.ride_id from bookings o where o.request_id = any(${requestIds})
  and (o.ended_at is null or o.joined_at is not null))`;

const shown = sql.join(
  [
    countingOfRides(rideIds),
    latestOf(rideIds, isOfRide),
    latestOf(rideIds, sql`${isOfRide} and b.passenger_id = ${viewer}`),
    mostOfEach(requestIds, sql`${isOfRequest} and (${thatCount} or ${isOnRoute})`),
    latestOf(requestIds, isOfRequest),
    countingOfRides(ridesOfRequests),
    sql`select unnest(${bookingIds})`,
  ].map((statement) => sql`(${statement})`),
  sql` union `,
);

const listOf = (rows: SQL): SQL => sql`(select coalesce(json_agg(o), '[]') from ${rows} o)`;

/** The columns of requests `q`; of the meeting points, the largest part of a request, the nearest ones. */
const requestColumns = sql.join(
  Object.entries(getTableColumns(requestsTable)).map(([key, { name }]) => {
    const column = sql`q.${sql.identifier(name)}`;
    if (key !== 'pickupMeetingPoints' && key !== 'dropoffMeetingPoints') return column;
    return sql`jsonb_path_query_array(${column}, '$[0]') as ${sql.identifier(name)}`;
  }),
  sql`, `,
);

/** Arrays, looked up by index: PostgreSQL would compare subqueries within `or` with all rows. */
export const readingAround = namedStatement(sql`
  with shown as materialized (
    select b.* from bookings b where b.id = any(array(${shown}))
  ), ride_ids as materialized (
    select unnest(${rideIds}) as id union select ride_id from shown where request_id = any(${requestIds})
  ), waiting as materialized (
    select w.* from waitlist w where w.ride_id = any(array(
      select id from ride_ids union select ride_id from waitlist where request_id = any(${requestIds})))
  ), request_ids as materialized (
    select unnest(${requestIds}) as id union select request_id from shown union select request_id from waiting
  )
  select ${listOf(sql`(select * from shown order by created_at, id)`)} as bookings,
    ${listOf(sql`(select * from rides r where r.id = any(array(select id from ride_ids)) and r.id <> all(${rideIds}))`)}
      as rides,
    ${listOf(sql`(select ${requestColumns} from requests q where q.id = any(array(select id from request_ids))
      and q.id <> all(${requestIds}))`)} as requests,
    ${listOf(sql`(select * from ride_stops s where s.ride_id = any(array(select id from ride_ids))
      order by s.ride_id, s.position)`)} as stops,
    ${listOf(sql`(select * from waiting order by id)`)} as waiting,
    (select coalesce(json_agg(c.ride_id), '[]') from change_proposals c
      where c.ride_id = any(array(select id from ride_ids)) and c.state = 'open') as "changingIds",
    ${peopleAsJson(
      sql`array(select r.driver_id from rides r where r.id = any(array(select id from ride_ids))
        union select q.passenger_id from requests q where q.id = any(array(select id from request_ids)))`,
      licenseStatusOf,
    )} as people`);

type ReadRows = { [name in 'rides' | 'requests' | 'bookings' | 'stops' | 'waiting']: JsonRow[] };
type Reading = Pick<KeptStatements, 'read'>;

const rowsOf = ({ rides, requests, bookings, stops, waiting }: ReadRows) => ({
  rides: rides.map((each) => rideRows.fromJson(each)),
  requests: requests.map((each) => requestRows.fromJson(each)),
  bookings: bookings.map((each) => bookingRows.fromJson(each)),
  stops: stops.map((each) => stopRows.fromJson(each)),
  waiting: waiting.map((each) => waitRows.fromJson(each)),
});

/** Reads the rows that the views of some orders need in addition to their own. */
export async function ordersAround(kept: Reading, of: AroundOrders): Promise<OrdersAround> {
  const [row] = await kept.read<ReadRows & Pick<OrdersAround, 'changingIds' | 'people'>>(
    readingAround({ ...of }),
  );
  const { changingIds, people, ...rows } = row!;
  return { ...rowsOf(rows), changingIds, people };
}
