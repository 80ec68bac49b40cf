import { sql, type SQL } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sessions } from '#contract/access/endpoints.ts';
import {
  answerApplication,
  applyForContact,
  listContacts,
  mostBlockedShown,
  mostContacts,
} from '#contract/contacts/endpoints.ts';
import { mostEarlier, waitingLicenses } from '#contract/licenses/endpoints.ts';
import { listReviews } from '#contract/reviews/endpoints.ts';
import { orderDetail, waitlist } from '#contract/rides/endpoints.ts';
import { mostWaitingForRide, type Ride } from '#contract/rides/views.ts';
import { listShares, mostShares, shareTrip } from '#contract/safety/endpoints.ts';
import { mostOfOne, mostPerPage } from '#contract/units.ts';
import { databaseOf, type Db } from './platform/database/db.ts';
import { openAccessFixture, type AccessFixture } from './testing/access-fixture.ts';
import { publishRequest } from './testing/orders.ts';
import { openTestApp, type TestApp, type TestPerson } from './testing/test-app.ts';

// More of everything than a list has room for, written by the test itself: what is answered has an end.
let app: TestApp;
let own: Db;
let fixture: AccessFixture;
let crowd: string[];
beforeAll(async () => {
  app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z') });
  own = databaseOf(app.pool);
  fixture = await openAccessFixture(app, 'joined');
  const made = await own.execute<{ id: string }>(sql`
    insert into users (id, email, name, password_hash, email_verified_at, profile_completed_at, created_at)
    select gen_random_uuid(), 'crowd' || n || '@example.com', 'Crowd ' || n, '', now(), now(), now()
    from generate_series(1, ${mostContacts + 100}) n returning id`);
  crowd = made.rows.map(({ id }) => id);
});
afterAll(() => app.close());

const now = () => sql`${app.clock.now().toISOString()}::timestamptz`;

/** Writes rows of which other rows are not there: constraints and triggers are off meanwhile. */
const write = (statement: SQL) =>
  own.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(statement);
  });

const some = (count: number) =>
  sql`unnest(${sql.param(crowd.slice(0, count))}::uuid[]) with ordinality as each (id, n)`;

async function crowdOfContacts(person: TestPerson, count: number): Promise<void> {
  await write(sql`insert into contacts (owner_id, other_id, origin, created_at)
    select ${person.id}::uuid, id, 'DIRECT', ${now()} from ${some(count)}
    union all select id, ${person.id}::uuid, 'DIRECT', ${now()} from ${some(count)}`);
}

test('a person has no more contacts than a list shows: one more is refused, on both sides', async () => {
  const [popular, late] = [await app.person('Popular'), await app.person('Late')];
  await crowdOfContacts(popular, mostContacts - 1);
  await app.ok(late, applyForContact, { id: popular.id });
  const { contacts, applications } = await app.ok(popular, listContacts, {});
  expect([contacts.length, applications.length]).toEqual([mostContacts - 1, 1]);
  await write(sql`insert into contacts (owner_id, other_id, origin, created_at)
    values (${popular.id}, ${crowd.at(-1)!}, 'DIRECT', ${now()})`);
  const answer = { id: applications[0]!.id, status: 'accepted' as const };
  expect(await app.call(popular, answerApplication, answer)).toMatchObject({
    code: 409,
    reason: 'contact.tooMany',
  });
  expect(await app.call(popular, applyForContact, { id: late.id })).toMatchObject({
    reason: 'contact.tooMany',
  });
  expect((await app.ok(popular, listContacts, {})).contacts).toHaveLength(mostContacts);
});

test('of many applications and blocked people the latest are listed', async () => {
  const [person, popular] = [await app.person('Wary'), await app.person('Wanted')];
  await write(sql`insert into blocks (blocker_id, blocked_id, created_at)
    select ${person.id}, id, ${now()} + n * interval '1 ms' from ${some(mostBlockedShown + 20)}`);
  await write(sql`insert into contact_applications (id, from_id, to_id, message, origin, status, created_at)
    select gen_random_uuid(), id, ${popular.id}, '', 'DIRECT', 'pending', ${now()} + n * interval '1 ms'
    from ${some(mostPerPage + 20)}`);
  const { blocked } = await app.ok(person, listContacts, {});
  const { applications } = await app.ok(popular, listContacts, {});
  expect([blocked.length, applications.length]).toEqual([mostBlockedShown, mostPerPage]);
  expect(blocked.map(({ id }) => id)).not.toContain(crowd[0]);
  expect(applications.map((each) => each.person.id)).not.toContain(crowd[0]);
});

test('of many sign-ins the latest are listed', async () => {
  const person = await app.person('Busy');
  await write(sql`with begun as (
      insert into sign_ins (family, user_id, used_at, proved_at, created_at)
      select gen_random_uuid(), ${person.id}, at, at, at
      from generate_series(1, ${mostPerPage + 20}) n, lateral (select ${now()} - n * interval '1 s' as at) begin
      returning family, created_at
    )
    insert into sessions (id, user_id, family, access_hash, refresh_hash, expires_at, refresh_expires_at, created_at)
    select gen_random_uuid(), ${person.id}, family, 'a' || family, 'r' || family,
      ${now()} + interval '1 day', ${now()} + interval '1 day', created_at
    from begun`);
  const listed = (await app.ok(person, sessions, {})).sessions;
  expect(listed).toHaveLength(mostPerPage);
  expect(listed[0]!.current).toBe(true);
});

test('reviews come page after page, each once', async () => {
  const { driver } = fixture.people;
  const count = 130;
  await write(sql`insert into reviews (id, booking_id, ride_id, author_id, subject_id, stars, created_at, published_at, publish_at)
    select gen_random_uuid(), gen_random_uuid(), ${fixture.ride.id}, id, ${driver.id}, 5, ${now()}, ${now()}, ${now()}
    from ${some(count)}`);
  const seen = new Set<string>();
  for (let pages = 0; pages < 5; pages++) {
    const { reviews, total } = await app.ok(driver, listReviews, { userId: driver.id, offset: seen.size });
    expect(total).toBe(count);
    for (const { id } of reviews) seen.add(id);
    if (seen.size >= total) break;
  }
  expect(seen.size).toBe(count);
});

test('beside a license that waits the latest decisions are shown', async () => {
  const admin = await app.person('Ada', { isAdmin: true });
  const person = await app.person('Stubborn');
  await write(sql`insert into licenses (id, user_id, status, result, created_at, decided_at)
    select gen_random_uuid(), ${person.id}, case n when 0 then 'Reviewing' else 'Reject' end, 'No. ' || n,
      ${now()} - n * interval '1 day', case n when 0 then null else ${now()} end
    from generate_series(0, ${mostEarlier + 5}) n`);
  const { licenses } = await app.ok(admin, waitingLicenses, {});
  const { earlier } = licenses.find((each) => each.person.id === person.id)!;
  expect(earlier).toHaveLength(mostEarlier);
  expect(earlier[0]!.result).toBe('No. 1');
});

test('links to one trip have an end', async () => {
  const { passenger } = fixture.people;
  await write(sql`insert into trip_shares (id, ride_id, owner_id, to_id, secret_hash, created_at)
    select gen_random_uuid(), ${fixture.ride.id}, ${passenger.id}, null, 'share' || n, ${now()}
    from generate_series(1, ${mostShares}) n`);
  expect(await app.call(passenger, shareTrip, { id: fixture.ride.id })).toMatchObject({
    code: 422,
    reason: 'share.tooMany',
  });
  expect((await app.ok(passenger, listShares, { id: fixture.ride.id })).shares).toHaveLength(mostShares);
});

test('a ride shows no more bookings than a list has room for, open ones first', async () => {
  const { driver } = fixture.people;
  const before = (await app.ok(driver, orderDetail, { id: fixture.ride.id })).order as Ride;
  const { rows } = await own.execute<{
    name: string;
  }>(sql`select column_name as name from information_schema.columns
    where table_name = 'bookings' and is_generated = 'NEVER' order by ordinal_position`);
  const columns = rows.map(({ name }) => name);
  const replaced: Record<string, SQL> = {
    id: sql`gen_random_uuid()`,
    state: sql`'cancel'`,
    ended_at: now(),
    joined_at: now(),
    late_fee_cents: sql`500`,
    created_at: sql`${now()} + n * interval '1 s'`,
  };
  const list = (of: SQL[]) => sql.join(of, sql`, `);
  await write(sql`insert into bookings (${list(columns.map((name) => sql`${sql.identifier(name)}`))})
    select ${list(columns.map((name) => replaced[name] ?? sql`b.${sql.identifier(name)}`))}
    from bookings b, generate_series(1, ${mostOfOne + 100}) n where b.id = ${fixture.bookingId}`);
  const { bookings } = (await app.ok(driver, orderDetail, { id: fixture.ride.id })).order as Ride;
  expect(bookings.length).toBeGreaterThan(mostOfOne - 100);
  expect(bookings.length).toBeLessThanOrEqual(mostOfOne);
  const open = before.bookings.filter(({ state }) => state === 'joined').map(({ id }) => id);
  expect(bookings.map(({ id }) => id)).toEqual(expect.arrayContaining(open));
});

test('a waitlist that is full takes no one', async () => {
  const { ride, people } = await openAccessFixture(app, 'joined');
  await own.execute(sql`update ride_stops set seats_taken = seats where ride_id = ${ride.id}`);
  const late = people.contact;
  const request = await publishRequest(app, late);
  await write(sql`insert into waitlist (ride_id, request_id, passenger_id, created_at)
    select ${ride.id}, gen_random_uuid(), id, ${now()} from ${some(mostWaitingForRide)}`);
  expect(await app.call(late, waitlist, { rideId: ride.id, requestId: request.id })).toMatchObject({
    code: 409,
    reason: 'ride.waitlistFull',
  });
});
