import type { Client } from 'pg';
import type { LonLat } from '../../roads/graph/geometry.ts';
import { minuteMs } from '../../server/platform/clock.ts';
import type { RideEntry } from '../../server/features/matching/engine/entries.ts';
import type { Wish } from '../../server/features/matching/rules/wish.ts';
import type { Roads } from '../region-roads.ts';

/** How far the direction from start to end may differ between ride and request. */
const mostTurnDegrees = 60;
/** How long before the passenger's window a ride may leave that still passes within it. */
const longestAheadMs = 60 * minuteMs;
const rowsAtOnce = 500;

/**
 * Searches for rides along a route as is usual in PostGIS: a spatial index of every ride's line finds lines
 * within a buffer of both places, in about the same direction, at about that time and with a free seat.
 */
export class RouteSearch {
  private readonly client: Client;
  private readonly srid: number;

  private constructor(client: Client, srid: number) {
    this.client = client;
    this.srid = srid;
  }

  /** Writes all rides into a table with indexes on line and time. */
  static async over(rides: readonly RideEntry[], roads: Roads, client: Client): Promise<RouteSearch> {
    // A projection in metres is quicker than distances on the globe, and exact enough within a region.
    const srid = utmSrid(rides[0]!.plan.stops[0]!);
    await client.query(`
      create table offers (
        number integer primary key,
        departs_at timestamptz not null,
        leaves_by timestamptz not null,
        free_seats integer not null,
        bearing real not null,
        route geometry(LineString, ${srid}) not null
      )`);
    for (let first = 0; first < rides.length; first += rowsAtOnce) {
      const some = rides.slice(first, first + rowsAtOnce).map(({ plan }, i) => ({
        number: first + i,
        departsAt: new Date(plan.earliestDepartsMs),
        leavesBy: new Date(plan.latestDepartsMs),
        freeSeats: plan.seats - Math.min(...plan.stops.slice(0, -1).map(({ seatsTaken }) => seatsTaken)),
        bearing: bearingDegrees(plan.stops[0]!, plan.stops.at(-1)!),
        line: `LINESTRING(${plan.stops
          .slice(1)
          .flatMap((stop, leg) => roads.route(plan.stops[leg]!, stop).line)
          .map(([lon, lat]) => `${lon} ${lat}`)
          .join(',')})`,
      }));
      await client.query(
        `insert into offers
         select number, departs_at, leaves_by, free_seats, bearing,
           st_transform(st_geomfromtext(line, 4326), ${srid})
         from unnest($1::int[], $2::timestamptz[], $3::timestamptz[], $4::int[], $5::real[], $6::text[])
           as each (number, departs_at, leaves_by, free_seats, bearing, line)`,
        [
          some.map(({ number }) => number),
          some.map(({ departsAt }) => departsAt),
          some.map(({ leavesBy }) => leavesBy),
          some.map(({ freeSeats }) => freeSeats),
          some.map(({ bearing }) => bearing),
          some.map(({ line }) => line),
        ],
      );
    }
    await client.query('create index on offers using gist (route)');
    await client.query('create index on offers (departs_at)');
    await client.query('vacuum analyze offers');
    return new RouteSearch(client, srid);
  }

  /**
   * The numbers of the rides, in the order of the list. `st_dwithin` asks the index for the bounding box
   * first.
   */
  async find(wish: Wish, bufferMetres: number): Promise<number[]> {
    const [from, to] = [wish.pickups[0]!, wish.dropoffs[0]!];
    const { rows } = await this.client.query<{ number: number }>({
      name: `within ${bufferMetres}`,
      text: `
        select number from offers
        where free_seats >= $1
          and departs_at between $2 and $3
          and leaves_by >= $2
          and 180 - abs(abs(bearing - $4) - 180) <= ${mostTurnDegrees}
          and st_dwithin(route, st_transform(st_setsrid(st_makepoint($5, $6), 4326), ${this.srid}), ${bufferMetres})
          and st_dwithin(route, st_transform(st_setsrid(st_makepoint($7, $8), 4326), ${this.srid}), ${bufferMetres})`,
      values: [
        wish.seats,
        new Date(wish.earliestMs - longestAheadMs),
        new Date(wish.latestMs),
        bearingDegrees(from, to),
        from.lon,
        from.lat,
        to.lon,
        to.lat,
      ],
    });
    return rows.map(({ number }) => number);
  }
}

/** The zone of the Universal Transverse Mercator grid around a place, by its number at EPSG. */
const utmSrid = ({ lon, lat }: LonLat): number =>
  (lat >= 0 ? 32_600 : 32_700) + Math.min(60, Math.floor((lon + 180) / 6) + 1);

/** Degrees clockwise from north, 0 … 360, along the great circle as it begins. */
export function bearingDegrees(from: LonLat, to: LonLat): number {
  const radians = Math.PI / 180;
  const turn = (to.lon - from.lon) * radians;
  const [a, b] = [from.lat * radians, to.lat * radians];
  const east = Math.sin(turn) * Math.cos(b);
  const north = Math.cos(a) * Math.sin(b) - Math.sin(a) * Math.cos(b) * Math.cos(turn);
  return (Math.atan2(east, north) / radians + 360) % 360;
}
