import { and, eq, gt, gte, ne, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { openRequestStates } from '#contract/rides/moves.ts';
import type { Db } from '../../../platform/database/db.ts';
import { sqlWords } from '../../../platform/database/sql-words.ts';
import { requests, rides } from '../../../schema/rides.ts';
import { contactsOfPerson } from '../../contacts/queries.ts';
import { circleReaches } from '../audience/queries.ts';

/** The longest list of open rides, and of requests. */
const mostOrdersListed = 100;
/** Maximum prices read of longer and of shorter rides, each the nearest in length. */
const mostShares = 500;

/** The 10th and 90th percentile of the price per person of open rides of similar length, or nulls. */
export async function askedShares(
  db: Db,
  driveMetres: number,
): Promise<{ low: number | null; high: number | null }> {
  // From and until whole kilometers, so that no question about a length finds that of one ride.
  const from = (Math.round((driveMetres * 0.75) / 1000) - 0.5) * 1000;
  const until = (Math.round((driveMetres * 1.25) / 1000) + 0.5) * 1000;
  const middle = Math.round(driveMetres / 1000) * 1000;
  const paid = sql`state = 'matching' and cost_cents > 0`;
  const found = await db.execute<{ low: string | null; high: string | null }>(sql`
    select percentile_disc(0.1) within group (order by share) as low, percentile_disc(0.9) within group (order by share) as high
    from (select case price_kind when 'perPerson' then cost_cents else cost_cents / seats end as share from (
        (select * from rides where ${paid} and drive_metres >= ${middle} and drive_metres < ${until}
          order by drive_metres limit ${mostShares})
        union all
        (select * from rides where ${paid} and drive_metres < ${middle} and drive_metres >= ${from}
          order by drive_metres desc limit ${mostShares})
      ) near) asked`);
  const row = found.rows[0];
  return {
    low: row?.low == null ? null : Number(row.low),
    high: row?.high == null ? null : Number(row.high),
  };
}
const degreesAround = 0.6;
/**
 * More than half a step of the rounded places: the index search is widened by it, the rounded box decides.
 */
const degreesBeside = 0.001;
/** As `roundedPoint` of the contract. */
const rounded = (degrees: SQLWrapper): SQL => sql`(floor(${degrees} * 1000 + 0.5) / 1000)`;

/** A table of orders, and what of an open one is listed: women-only orders are found by matching alone. */
const listedRides = {
  role: 'driver',
  table: rides,
  owner: rides.driverId,
  time: rides.departsAt,
  open: (now: Date) =>
    and(sql`${rides.state} = 'matching'`, gt(rides.latestDepartsAt, now), eq(rides.women, false)),
} as const;
const listedRequests = {
  role: 'passenger',
  table: requests,
  owner: requests.passengerId,
  time: requests.earliestAt,
  open: (now: Date) =>
    and(
      sql`${requests.state} in ${sqlWords(openRequestStates)}`,
      gt(requests.latestAt, now),
      eq(requests.women, false),
    ),
} as const;
type Listed = typeof listedRides | typeof listedRequests;

/** The viewer and the filter of a search among open orders. */
interface OpenLook {
  /** Null is a guest. */
  viewerId: string | null;
  /** Rides alone, or requests alone. */
  role?: Listed['role'] | undefined;
  now: Date;
}

export interface ListedOrder {
  id: string;
  role: Listed['role'];
  atMs: number;
}

/**
 * The orders that statements find among rides and among requests, with their times; soonest first. Their rows
 * are read for one page of them.
 */
async function openOrders(
  db: Db,
  { role }: OpenLook,
  finding: (listed: Listed) => SQL,
): Promise<ListedOrder[]> {
  const kinds = [listedRides, listedRequests].filter((each) => role === undefined || each.role === role);
  const found = await Promise.all(
    kinds.map(async (listed) => {
      const { rows } = await db.execute<{ id: string; at_ms: string }>(sql`
        select found.id, extract(epoch from found.at) * 1000 as at_ms from (${finding(listed)}) found
        order by found.at, found.id limit ${mostOrdersListed}`);
      return rows.map(({ id, at_ms: atMs }) => ({ id, role: listed.role, atMs: Number(atMs) }));
    }),
  );
  return found.flat().toSorted((a, b) => a.atMs - b.atMs);
}

/** Whether the viewer is in the audience of an order `o`. */
const reachesViewer = (viewerId: string | null): SQL =>
  circleReaches(
    { id: sql`o.id`, visibility: sql`o.visibility`, tagIds: sql`o.tag_ids`, women: sql`o.women` },
    sql`o.owner_id`,
    viewerId,
  );
const audienceColumns = ({ table, owner }: Listed): SQL =>
  sql`${table.id} as id, ${owner} as owner_id, ${table.visibility} as visibility, ${table.tagIds} as tag_ids, ${table.women} as women`;

const within = (degrees: SQLWrapper, at: number, around: number): SQL =>
  sql`${degrees} between ${at - around}::double precision and ${at + around}::double precision`;

/**
 * As the indexes `rides_cells` and `requests_cells_times` have it: squares of 0.3 degrees, about 30
 * kilometers.
 */
const cellDegrees = 0.3;
const cellOf = (degrees: SQLWrapper): SQL => sql`floor(${degrees} / 0.3)::int`;

/** The cells that a box around a point meets. */
function cellsAround({ lon, lat }: { lon: number; lat: number }, around: number): SQL {
  const span = (at: number) =>
    sql`generate_series(${Math.floor((at - around) / cellDegrees)}::int, ${Math.floor((at + around) / cellDegrees)}::int)`;
  return sql`${span(lon)} as x, ${span(lat)} as y`;
}

/**
 * A subquery, for a lateral join, of the ids of open requests that start in a box and whose window meets a
 * time. It reads the index cell by cell, and no requests of other cells and times.
 * @param within.box degrees of longitude and latitude
 */
export function openRequestsIn(within: { box: SQL; from: SQL; until: SQL; now: Date }): SQL {
  const { box, from, until, now } = within;
  const { id, fromLon, fromLat, earliestAt, latestAt } = requests;
  // Of a box in PostgreSQL the first corner is the greater one.
  const span = (axis: 0 | 1) => {
    const end = (corner: 0 | 1) => cellOf(sql`((${box})[${sql.raw(`${corner}`)}])[${sql.raw(`${axis}`)}]`);
    return sql`generate_series(${end(1)}, ${end(0)})`;
  };
  const isInCell = sql`${cellOf(fromLon)} = x and ${cellOf(fromLat)} = y`;
  const isOpen = sql`${requests.state} in ${sqlWords(openRequestStates)} and ${gte(latestAt, now)}`;
  // A window is a day long, and somewhat longer where a changed route has widened it.
  const meets = sql`${earliestAt} between ${from} - interval '2 days' and ${until} and ${latestAt} >= ${from}`;
  return sql`(select there.id from ${span(0)} as x, ${span(1)} as y cross join lateral (
    select ${id} from ${requests} where ${isInCell} and ${isOpen} and ${meets} offset 0) there)`;
}

/**
 * Open orders of others near a point whose audience includes the viewer; soonest first. The soonest of each
 * cell around are found by its index, however many there are elsewhere and later.
 */
export const openOrdersNear = (
  db: Db,
  at: { lon: number; lat: number },
  look: OpenLook,
): Promise<ListedOrder[]> =>
  openOrders(db, look, (listed) => {
    const { table, owner, time, open } = listed;
    const condition = and(
      sql`${cellOf(table.fromLon)} = x and ${cellOf(table.fromLat)} = y`,
      open(look.now),
      within(table.fromLon, at.lon, degreesAround + degreesBeside),
      within(table.fromLat, at.lat, degreesAround + degreesBeside),
      // Compares rounded places: moving the edge of the box over an order reveals its rounded place, nothing
      // nearer.
      within(rounded(table.fromLon), at.lon, degreesAround),
      within(rounded(table.fromLat), at.lat, degreesAround),
      look.viewerId === null ? undefined : ne(owner, look.viewerId),
    )!;
    // `offset 0` keeps the audience out of the scan: it is asked of one order after another until there are
    // enough.
    return sql`select soonest.id, soonest.at
      from ${cellsAround(at, degreesAround + degreesBeside)} cross join lateral (
        select o.id, o.at from (
          select ${audienceColumns(listed)}, ${time} as at from ${table} where ${condition} order by ${time} offset 0
        ) o where ${reachesViewer(look.viewerId)} order by o.at limit ${mostOrdersListed}
      ) soonest`;
  });

/**
 * Open orders of the viewer's contacts whose audience includes the viewer; soonest first. The query checks
 * the audience order by order, soonest first, and stops when the list is full.
 */
export const openOrdersOfContacts = (db: Db, look: OpenLook & { viewerId: string }): Promise<ListedOrder[]> =>
  openOrders(
    db,
    look,
    (listed) => sql`select o.id, o.at from (
        select own.* from ${contactsOfPerson(db, look.viewerId)} c (id) cross join lateral (
          select ${audienceColumns(listed)}, ${listed.time} as at from ${listed.table}
          where ${listed.owner} = c.id and ${listed.open(look.now)} offset 0
        ) own order by own.at, own.id offset 0
      ) o where ${reachesViewer(look.viewerId)} order by o.at, o.id limit ${mostOrdersListed}`,
  );
