import { sql, type SQL } from 'drizzle-orm';
import { joinableRideStates, openRequestStates, seatedStates } from '#contract/rides/moves.ts';
import { namedStatement } from '../../../platform/database/db.ts';
import { readNamed, type Reader } from '../../../platform/database/kept-statements.ts';
import type { RegionPart } from '../../../platform/process-roles.ts';
import * as queries from '../queries.ts';
import { bookingRows, requestRows, rideRows, type JsonRow, type RowsOfTable } from './store.ts';

/** Rows of a table by their ids, by a statement whose text is made once. */
function readingByIds<Row>(table: string, { fromJson }: RowsOfTable<Row>) {
  const reading = namedStatement(sql`
    select row_to_json(t) as row from ${sql.identifier(table)} t where t.id = any(${sql.placeholder('ids')}::uuid[])`);
  return async (from: Reader, ids: readonly string[]): Promise<Row[]> =>
    ids.length === 0
      ? []
      : (await readNamed<{ row: JsonRow }>(from, reading({ ids: [...ids] }))).map(({ row }) => fromJson(row));
}

export const ridesByIds = readingByIds('rides', rideRows);
export const requestsByIds = readingByIds('requests', requestRows);
export const bookingsByIds = readingByIds('bookings', bookingRows);

/** Open orders, with the agreed stops of the rides in order, and the seats joined so far, by ride. */
export interface OpenOrders {
  rides: queries.RideRow[];
  requests: queries.RequestRow[];
  stops: queries.StopWithWindow[];
  joined: Map<string, number>;
}

/** The columns of `openAsJson`. */
interface OpenJson {
  rides: JsonRow[];
  requests: JsonRow[];
  stops: (Omit<queries.StopWithWindow, 'earliestAt' | 'latestAt' | 'arriveBy'> & {
    earliestAt: string | null;
    latestAt: string | null;
    arriveBy: string | null;
  })[];
  joined: Record<string, number>;
}

/**
 * The open ones among some orders as a scalar of JSON, for a statement that reads other things too.
 * @param ids an array of their ids
 */
export const openAsJson = (ids: SQL): SQL => sql`json_build_object(
  'rides', (select coalesce(json_agg(r), '[]') from rides r
    where r.id = any(${ids}::uuid[]) and ${queries.isInState(sql`r.state`, joinableRideStates)}),
  'requests', (select coalesce(json_agg(q), '[]') from requests q
    where q.id = any(${ids}::uuid[]) and ${queries.isInState(sql`q.state`, openRequestStates)}),
  'stops', (select coalesce(json_agg(json_build_object('rideId', s.ride_id, 'kind', s.kind,
      'bookingId', s.booking_id, 'lon', s.lon, 'lat', s.lat, 'standsMs', s.stands_ms, 'toNextMs', s.to_next_ms,
      'toNextMetres', s.to_next_metres, 'seatsTaken', s.seats_taken, 'earliestAt', q.earliest_at,
      'latestAt', q.latest_at, 'arriveBy', q.arrive_by, 'pickupWalkMs', b.pickup_walk_ms,
      'dropoffWalkMs', b.dropoff_walk_ms) order by s.ride_id, s.position), '[]')
    from ride_stops s left join bookings b on b.id = s.booking_id left join requests q on q.id = b.request_id
    where s.ride_id = any(${ids}::uuid[])),
  'joined', (select coalesce(json_object_agg(j.ride_id, j.seats), '{}') from (
    select b.ride_id, sum(b.seats) as seats from bookings b
    where b.ride_id = any(${ids}::uuid[]) and ${queries.isInState(sql`b.state`, seatedStates)} group by b.ride_id) j))`;

const instant = (text: string | null): Date | null => (text === null ? null : new Date(text));

/** Open orders from `openAsJson`; those of a part of the regions alone, where one is given. */
export function openFromJson(json: unknown, part?: RegionPart): OpenOrders {
  const { rides, requests, stops, joined } = json as OpenJson;
  const isOwn = ({ regionId }: { regionId: string }) =>
    part === undefined || part.names.includes(regionId) === part.isIn;
  return {
    rides: rides.map((row) => rideRows.fromJson(row)).filter(isOwn),
    requests: requests.map((row) => requestRows.fromJson(row)).filter(isOwn),
    stops: stops.map(({ earliestAt, latestAt, arriveBy, ...stop }) => ({
      ...stop,
      earliestAt: instant(earliestAt),
      latestAt: instant(latestAt),
      arriveBy: instant(arriveBy),
    })),
    joined: new Map(Object.entries(joined)),
  };
}
