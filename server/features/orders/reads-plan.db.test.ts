import { randomUUID } from 'node:crypto';
import { sql, type SQL } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endedRequestStates, endedRideStates } from '#contract/rides/moves.ts';
import { namedStatement } from '../../platform/database/db.ts';
import { statementsOf } from '../../testing/booking-statements.ts';
import { publishRequest, publishRide } from '../../testing/orders.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { isSignedIn } from '../identity/queries.ts';
import { isAnyPaid } from '../payments/queries.ts';
import { readingAround } from './around/store.ts';
import {
  circleReaches,
  eventRequestsInSight,
  eventRidesInSight,
  openOrdersOfPeople,
  visibleRequests,
  visibleRides,
} from './audience/queries.ts';
import { openRequestsAmong, openRidesAmong } from './queries.ts';
import { openAsJson } from './aggregate/queries.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
  // Tables that are not small; the triggers of foreign keys are off, so that rows may refer to nothing.
  const client = await app.pool.connect();
  try {
    await client.query(`
      set session_replication_role = replica;
      insert into order_grants (order_id, person_id, link_id, at)
        select md5('o' || i)::uuid, md5('p' || i)::uuid, md5('l' || i)::uuid, now() from generate_series(1, 20000) i;
      insert into sessions (id, user_id, family, access_hash, refresh_hash, expires_at, refresh_expires_at, created_at)
        select md5('s' || i)::uuid, md5('p' || i)::uuid, md5('f' || i)::uuid, 'a' || i, 'r' || i, now(), now() + interval '9 days', now()
        from generate_series(1, 20000) i;
      insert into contacts (owner_id, other_id, origin, created_at)
        select md5('d' || i)::uuid, md5('p' || i)::uuid, 'DIRECT', now() from generate_series(1, 20000) i;
      insert into tagged_contacts (tag_id, user_id)
        select md5('t' || i)::uuid, md5('p' || i)::uuid from generate_series(1, 20000) i;
      insert into authorizations (id, provider, booking_id, passenger_id, driver_id, ride_id, request_id, order_number,
          from_name, to_name, ride_at, time_zone, seats, goal, amount_cents, is_present, state, created_at, updated_at)
        select md5('h' || i)::uuid, 'sandbox', md5('b' || i)::uuid, md5('p' || i)::uuid, md5('d' || i)::uuid,
          md5('r' || i)::uuid, md5('q' || i)::uuid, 'SW-' || i, '', '', now(), 'UTC', 1, 'capture', 100, true, 'succeeded',
          now(), now()
        from generate_series(1, 20000) i;
      insert into bookings (id, ride_id, request_id, driver_id, passenger_id, state, version, started_by, seats, pickup_lon,
          pickup_lat, dropoff_lon, dropoff_lat, pickup_walk_metres, dropoff_walk_metres, pickup_walk_ms, dropoff_walk_ms, fare_cents, detour_ms, detour_metres, pickup_at, dropoff_at, created_at, ended_at)
        select md5('b' || i)::uuid, md5('r' || i % 20)::uuid, md5('q' || i)::uuid, md5('d' || i % 20)::uuid, md5('p' || i)::uuid,
          'rejected', 1, 'passenger', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, now(), now(), now(), now() from generate_series(1, 20000) i;
      analyze bookings, order_grants, sessions, contacts, tagged_contacts, authorizations;
      set session_replication_role = origin`);
  } finally {
    client.release();
  }
});
afterAll(() => app.close());

/** A node of a plan that was carried out, as PostgreSQL says it. */
interface PlanNode {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** How many rows of a table a plan has read. */
function rowsOf(node: PlanNode, table: string): number {
  const read = node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0));
  const below = (node.Plans ?? []).reduce((sum, each) => sum + rowsOf(each, table), 0);
  return (node['Relation Name'] === table ? read : 0) + below;
}

async function planOf(statement: SQL): Promise<string> {
  const { rows } = await app.platform.db.execute<{ 'QUERY PLAN': string }>(sql`explain ${statement}`);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

test('the grants, contacts and tags of an order and the open sessions of a sign-in are looked up by index for each row', async () => {
  const order = { id: sql`o.id`, visibility: sql`o.visibility`, tagIds: sql`o.tag_ids`, women: sql`o.women` };
  const orders = sql`(
    select md5('o' || i)::uuid as id, md5('d' || i)::uuid as owner_id, md5('p' || i)::uuid as viewer_id,
      'tags' || i as visibility, '{}'::uuid[] as tag_ids, i = 0 as women
    from generate_series(1, 20000) i) o`;
  const seen = await planOf(
    sql`select count(*) from ${orders} where ${circleReaches(order, sql`o.owner_id`, sql`o.viewer_id`)}`,
  );
  expect(seen).toMatch(/Scan using order_grants/);
  expect(seen).toMatch(/Scan using contacts/);
  for (const table of ['order_grants', 'contacts', 'tagged_contacts'])
    expect(seen).not.toContain(`Seq Scan on ${table}`);

  const signedIn = await planOf(
    sql`select not ${isSignedIn(sql`f.family`, app.clock.now())} from (
      select md5('f' || i)::uuid as family from generate_series(1, 20000) i) f`,
  );
  expect(signedIn).toMatch(/Scan using sessions/);
  expect(signedIn).not.toContain('Seq Scan on sessions');
});

test('whether a ride is paid is looked up by its bookings, not compared with every payment', async () => {
  const bookings = sql`select id from bookings where ride_id = locked.id and ended_at is null`;
  // As in a transaction that locks orders, whose plans are reused while tables grow.
  const plan = await app.platform.transact('test', async (tx) => {
    await tx.execute(
      sql`set local enable_seqscan = off; set local enable_hashjoin = off; set local enable_mergejoin = off`,
    );
    const { rows } = await tx.execute<{ 'QUERY PLAN': string }>(
      sql`explain select locked.id from unnest(${sql.param([randomUUID()])}::uuid[]) as locked (id) where ${isAnyPaid(bookings)}`,
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  expect(plan).toMatch(/Index Cond: \(booking_id = ANY/);
  expect(plan).not.toContain('Join');
});

test('open orders are looked up by their ids, not among all that are open', async () => {
  // Of small tables, as the plan is made that a connection keeps while they grow.
  const plan = await app.platform.transact('test', async (tx) => {
    await tx.execute(
      sql`set local enable_seqscan = off; set local enable_hashjoin = off; set local enable_mergejoin = off`,
    );
    const ids = sql`${sql.placeholder('ids')}::uuid[]`;
    const { text } = namedStatement(
      sql`with given as materialized (select ${ids} as ids) select ${openAsJson(sql`(select ids from given)`)}`,
    )({ ids: [] });
    const { rows } = await tx.execute<{ 'QUERY PLAN': string }>(sql.raw(`explain (generic_plan) ${text}`));
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  expect(plan).not.toContain('Seq Scan');
  const used = plan.matchAll(/(?:using|Index Scan on) ((?:rides|requests|bookings)_\w+)/g);
  const byId = ['rides_pkey', 'requests_pkey', 'bookings_pkey', 'bookings_of_ride'];
  expect([...used].map(([, index]) => index).filter((index) => !byId.includes(index!))).toEqual([]);
});

test('a view reads of the bookings of a ride what counts and the latest, not each ask that came to nothing', async () => {
  const read = await app.platform.transact('test', async (tx) => {
    await tx.execute(
      sql`set local enable_seqscan = off; set local enable_hashjoin = off; set local enable_mergejoin = off;
        set local plan_cache_mode = force_generic_plan`,
    );
    const { rows } = await tx.execute<{ id: string; who: string }>(
      sql`select md5('r1')::uuid as id, md5('p1')::uuid as who`,
    );
    const [{ id, who }] = rows as [{ id: string; who: string }];
    const { text, values } = readingAround({ rideIds: [id], requestIds: [], bookingIds: [], viewerId: who });
    const literals = values!.map((value) =>
      Array.isArray(value) ? `'{${value.join()}}'` : `'${String(value)}'`,
    );
    await tx.execute(sql.raw(`prepare around as ${text}`));
    const plan = await tx.execute<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      sql.raw(`explain (analyze, format json) execute around (${literals.join()})`),
    );
    return rowsOf(plan.rows[0]!['QUERY PLAN'][0]!.Plan, 'bookings');
  });
  // A thousand asks for this ride came to nothing.
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(50);
});

test('rides and requests that are named are found by what names them, not compared with all that are open', async () => {
  const { db, pool } = { db: app.platform.db, pool: app.pool };
  const [driver, passenger] = [await app.person('Dee'), await app.person('Pam')];
  const { id: rideId } = await publishRide(app, driver, {});
  const { id: requestId } = await publishRequest(app, passenger, {});
  const eventId = randomUUID();
  const client = await pool.connect();
  try {
    await client.query('set session_replication_role = replica');
    for (const [table, owner, id] of [
      ['rides', 'driver_id', rideId],
      ['requests', 'passenger_id', requestId],
    ])
      await client.query(`
        insert into ${table} select other.* from ${table} r cross join generate_series(1, 20000) i
          cross join lateral jsonb_populate_record(r, jsonb_build_object('id', md5('${table}' || i)::uuid,
            'order_number', '${table}' || i, '${owner}', md5('person' || i / 4)::uuid,
            'event_id', case when i % 400 = 0 then '${eventId}' end)) other
        where r.id = '${id}'`);
    await client.query('analyze rides; analyze requests; set session_replication_role = origin');
  } finally {
    client.release();
  }
  const ids = async (table: string) =>
    (await pool.query<{ id: string }>(`select id from ${table} limit 150`)).rows.map((row) => row.id);
  const [rideIds, requestIds] = [await ids('rides'), await ids('requests')];
  const people = Array.from({ length: 20 }, () => randomUUID());
  const now = app.clock.now();
  const event = { eventId, viewerId: passenger.id, now };
  const texts = await statementsOf(async () => {
    await openOrdersOfPeople(db, people, passenger.id, now);
    await eventRidesInSight(db, event);
    await eventRequestsInSight(db, event);
    await visibleRides(db, { rideIds, passengerId: passenger.id, requestId, women: false, now });
    await visibleRequests(db, { ride: { id: rideId, driverId: driver.id }, requestIds, now });
    await openRidesAmong(db, rideIds, now);
    await openRequestsAmong(db, requestIds, now);
  });
  expect(texts).toHaveLength(8);
  for (const text of texts) {
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`explain (generic_plan) ${text}`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).not.toContain('BitmapAnd');
    expect(plan).not.toMatch(/Seq Scan on (rides|requests)/);
  }
});

test('a place in a person’s time is taken by the states that have ended, as the contract lists them', async () => {
  const found = await app.platform.db.execute<{ body: string }>(
    sql`select prosrc as body from pg_proc where proname = 'take_order_slot'`,
  );
  const listed = [...found.rows[0]!.body.matchAll(/state not in \(([^)]*)\)/g)].map(([, states = '']) =>
    states.replaceAll("'", '').split(', '),
  );
  expect(listed).toEqual([[...endedRideStates], [...endedRequestStates]]);
});
