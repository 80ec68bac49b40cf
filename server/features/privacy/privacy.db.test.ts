import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eq, sql } from 'drizzle-orm';
import { strFromU8 } from 'fflate';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { login } from '#contract/access/endpoints.ts';
import { sendMessage } from '#contract/chat/endpoints.ts';
import { postFeedback } from '#contract/feedback/endpoints.ts';
import { createAddress } from '#contract/geo/endpoints.ts';
import { saveAvatar } from '#contract/pictures/endpoints.ts';
import * as calls from '#contract/privacy/endpoints.ts';
import { createReview } from '#contract/reviews/endpoints.ts';
import { listOrders, orderDetail } from '#contract/rides/endpoints.ts';
import { readProfile } from '#contract/user/endpoints.ts';
import { dayMs, hourMs } from '../../platform/clock.ts';
import { users } from '../../schema/identity.ts';
import { outboxMessages } from '../../schema/platform.ts';
import { carryOn, openAccessFixture, type AccessFixture, type Step } from '../../testing/access-fixture.ts';
import { statementsOf } from '../../testing/booking-statements.ts';
import { exportedData, exportFiles } from '../../testing/export-files.ts';
import { spots } from '../../testing/orders.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { upload } from '../../testing/upload.ts';
import { erasure as contactErasure } from '../contacts/store.ts';
import { erasure as geoErasure } from '../geo/store.ts';
import { checkAccount } from '../identity/sign-in.ts';
import { enrollAccount } from '../../testing/enroll-account.ts';
import { createErasePerson } from './erase-person.ts';
import { personalTables } from './rules/personal-tables.ts';

let app: TestApp;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-privacy-'));
beforeAll(async () => {
  app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z'), env: { DATA_DIR: folder } });
});
afterAll(async () => {
  await app.close();
  fs.rmSync(folder, { recursive: true });
});

/** A ride with words, a picture and a saved place of its passenger, none of which occur elsewhere. */
async function livedIn(until: Step) {
  const fixture = await openAccessFixture(app, 'joined');
  const { passenger } = fixture.people;
  const mark = `mark-${fixture.ride.orderNumber}`;
  await app.platform.db.execute(
    sql`update users set name = ${mark}, interests = ${mark}, first_name = ${mark} where id = ${passenger.id}`,
  );
  await app.ok(passenger, createAddress, { ...spots.soquel, name: mark, label: 'home' });
  await app.ok(passenger, postFeedback, { subject: mark, message: mark });
  await app.ok(passenger, sendMessage, {
    roomid: fixture.ride.id,
    clientId: crypto.randomUUID(),
    text: `Hello from ${mark}`,
  });
  const bytes = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#59BC6B' } })
    .jpeg()
    .toBuffer();
  const { data } = await upload(app, passenger, 'avatar', [{ bytes }]);
  await app.ok(passenger, saveAvatar, { picture: data!.id });
  await carryOn(fixture, 'joined', until);
  return { fixture, passenger, mark };
}

/** Every row of every table that contains these words. */
async function rowsWith(words: string): Promise<string[]> {
  const tables = await app.platform.db.execute<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const found: string[] = [];
  for (const { name } of tables.rows) {
    const rows = await app.platform.db.execute<{ row: unknown }>(
      sql`select to_jsonb(t) as row from ${sql.identifier(name)} t where to_jsonb(t)::text like ${`%${words}%`}`,
    );
    found.push(...rows.rows.map(({ row }) => `${name}: ${JSON.stringify(row)}`));
  }
  return found;
}

test('every column of the database that refers to a person is in the list of personal tables', async () => {
  const found = await app.platform.db.execute<{ name: string }>(sql`
    select source.relname || '.' || a.attname as name
    from pg_constraint c
    join pg_class source on source.oid = c.conrelid
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
    where c.contype = 'f' and c.confrelid = 'users'::regclass`);
  const listed = new Set(
    personalTables.flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`)),
  );
  expect(found.rows.map(({ name }) => name).filter((name) => !listed.has(name))).toEqual([]);
  // And every entry of the list exists in the database.
  const columns = await app.platform.db.execute<{ name: string }>(
    sql`select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'`,
  );
  const real = new Set(columns.rows.map(({ name }) => name));
  const used = personalTables.flatMap(({ table, columns: own, hidden }) =>
    [...own, ...(hidden ?? [])].map((column) => `${table}.${column}`),
  );
  expect(used.filter((name) => !real.has(name))).toEqual([]);
});

test('every personal table is erased by its owner: what an owner leaves out stops the start', () => {
  const erasures = [app.platform.erasure, geoErasure, contactErasure];
  expect(() => createErasePerson(erasures)).toThrow(/differ: .*sessions.*rides/);
  const unknown = { diaries: () => Promise.resolve() };
  expect(() => createErasePerson([...erasures, unknown])).toThrow(/differ: diaries, /);
});

test('the export is one archive with everything of the person, the pictures, and no secrets', async () => {
  const { fixture, passenger, mark } = await livedIn('finished');
  await app.ok(passenger, createReview, {
    bookingId: fixture.bookingId,
    stars: 5,
    tags: [],
    words: `Review ${mark}`,
  });
  const files = await exportFiles(app, passenger);
  const names = Object.keys(files);
  expect(names.filter((name) => /^pictures\/avatar-.*\.webp$/.test(name))).toHaveLength(1);
  const picture = Object.entries(files).find(([name]) => name.startsWith('pictures/avatar'))![1];
  expect((await sharp(picture).metadata()).format).toBe('webp');
  const data = z.record(z.string(), z.unknown()).parse(JSON.parse(strFromU8(files['data.json']!)));
  expect(data['account']).toMatchObject([{ email: passenger.email, name: mark }]);
  expect(data['shortcuts']).toMatchObject([{ at_name: mark }]);
  expect(data['feedback']).toMatchObject([{ message: mark }]);
  expect(data['chat_messages']).toMatchObject([{ text: `Hello from ${mark}` }]);
  expect(data['reviews']).toMatchObject([{ words: `Review ${mark}` }]);
  expect(data['requests']).toMatchObject([{ order_number: fixture.request.orderNumber }]);
  expect(data['bookings']).toHaveLength(1);
  expect(data['people']).toMatchObject({ [fixture.people.driver.id]: 'Driver' });
  const text = strFromU8(files['data.json']!);
  for (const secret of ['password_hash', 'access_hash', 'refresh_hash', 'object_key'])
    expect(text).not.toContain(secret);
  // Nothing of the other side: not the driver's address, phone or email.
  expect(text).not.toContain(fixture.people.driver.email);
});

test('the export has each value as JSON of the database would, which the database is not asked for', async () => {
  const { fixture, passenger } = await livedIn('finished');
  for (const person of [passenger, fixture.people.driver]) {
    let data: Record<string, unknown[]> = {};
    const statements = await statementsOf(async () => {
      data = await exportedData(app, person);
    });
    expect(statements.filter((text) => /personal_rows.*json/s.test(text))).toEqual([]);
    for (const table of new Set(personalTables.flatMap((each) => (each.hidden === null ? [] : each.table)))) {
      const entries = personalTables.filter((each) => each.table === table && each.hidden !== null);
      const wanted: unknown[] = [];
      for (const { columns, hidden } of entries) {
        const is = columns.map((column) => sql`${sql.identifier(column)} = ${person.id}`);
        const { rows } = await app.platform.db.execute<{ row: unknown }>(
          sql`select to_jsonb(t) - ${sql.param([...hidden!])}::text[] as row from ${sql.identifier(table)} t where ${sql.join(is, sql` or `)}`,
        );
        wanted.push(...rows.map(({ row }) => row));
      }
      const inOrder = (rows: unknown[]) => rows.map((row) => JSON.stringify(sorted(row))).toSorted();
      expect(inOrder(data[table]!), table).toEqual(inOrder(wanted));
    }
    expect(data['move_history']!.length).toBeGreaterThan(2);
  }
});

const sorted = (row: unknown): unknown =>
  Object.fromEntries(Object.entries(row as object).toSorted(([a], [b]) => (a < b ? -1 : 1)));

const orderOf = async (fixture: AccessFixture, who: 'driver' | 'passenger') =>
  (
    await app.ok(fixture.people[who], orderDetail, {
      id: who === 'driver' ? fixture.ride.id : fixture.request.id,
    })
  ).order;

test('asking for deletion cancels what is open by the rules, and can be undone for 14 days', async () => {
  const { fixture, passenger } = await livedIn('joined');
  const { driver } = fixture.people;
  const asked = await app.ok(passenger, calls.deleteAccount, {});
  expect(asked.canceledOrders).toBe(1);
  expect(Date.parse(asked.deletionDueAt) - app.clock.now().getTime()).toBeGreaterThan(14 * dayMs - 5000);
  // The driver has the seat back and the reason without a name.
  expect(await orderOf(fixture, 'driver')).toMatchObject({ state: 'matching', seatsFree: 3 });
  expect(await app.ok(passenger, readProfile, {})).toMatchObject({ deletionDueAt: asked.deletionDueAt });
  app.clock.advance(10 * dayMs);
  // Asking again postpones nothing.
  expect(await app.ok(passenger, calls.deleteAccount, {})).toEqual({
    deletionDueAt: asked.deletionDueAt,
    canceledOrders: 0,
  });
  await app.ok(passenger, calls.cancelDelete, {});
  expect(await app.ok(passenger, readProfile, {})).toMatchObject({ deletionDueAt: null });
  app.clock.advance(21 * dayMs);
  await app.scheduler.tick();
  expect(await app.ok(passenger, readProfile, {})).toMatchObject({ email: passenger.email });
  await app.deliver();
  const letters = await app.platform.db.select().from(outboxMessages);
  expect(
    letters.filter(({ recipient }) => recipient === passenger.email).map(({ subject }) => subject),
  ).toEqual(['Your Sameway account will be deleted', 'We kept your Sameway account']);
  expect((await app.ok(driver, listOrders, {})).total).toBeGreaterThan(0);
});

test('a deletion that is due cannot be canceled; an account that was kept is not erased', async () => {
  const late = await app.person('Late');
  await app.ok(late, calls.deleteAccount, {});
  app.clock.advance(15 * dayMs);
  expect(await app.call(late, calls.cancelDelete, {})).toMatchObject({
    code: 409,
    reason: 'privacy.deletionDue',
  });
  await app.scheduler.tick();
  expect((await app.call(late, readProfile, {})).code).toBe(400);

  // A process with a clock that is behind lets another one keep theirs, while it is being deleted.
  const kept = await app.person('Kept');
  await app.ok(kept, calls.deleteAccount, {});
  const client = await app.pool.connect();
  try {
    app.clock.advance(15 * dayMs);
    await client.query('begin');
    await client.query('update users set deletion_due_at = null, deletion_asked_at = null where id = $1', [
      kept.id,
    ]);
    const ticked = app.scheduler.tick();
    await sleep(300);
    await client.query('commit');
    await ticked;
  } finally {
    await client.query('rollback');
    client.release();
  }
  expect(await app.ok(kept, readProfile, {})).toMatchObject({ email: kept.email, deletionDueAt: null });
}, 60_000);

test('a ride with somebody on board is finished first', async () => {
  const { passenger } = await livedIn('picked');
  expect(await app.call(passenger, calls.deleteAccount, {})).toMatchObject({
    code: 409,
    reason: 'privacy.rideUnderWay',
  });
  expect(await app.ok(passenger, readProfile, {})).toMatchObject({ deletionDueAt: null });
});

test('after 14 days, within the 30 that are promised, nothing personal is left, and the others keep their history', async () => {
  const { fixture, passenger, mark } = await livedIn('finished');
  const { driver } = fixture.people;
  await app.ok(passenger, createReview, {
    bookingId: fixture.bookingId,
    stars: 4,
    tags: [],
    words: `Nice, says ${mark}`,
  });
  await app.ok(driver, createReview, {
    bookingId: fixture.bookingId,
    stars: 5,
    tags: [],
    words: `About ${mark}`,
  });
  await app.deliver();
  const [phone] = (
    await app.platform.db.execute<{ phone: string }>(sql`select phone from users where id = ${passenger.id}`)
  ).rows.map((row) => row.phone);
  const before = await app.ok(driver, readProfile, {});
  const own = await app.ok(passenger, readProfile, {});
  const avatar = path.join(folder, own.avatar.replace('/files/', 'files/public/'));
  expect(fs.existsSync(avatar)).toBe(true);
  await app.ok(passenger, calls.deleteAccount, {});
  await app.deliver();
  app.clock.advance(14 * dayMs - hourMs);
  await app.scheduler.tick();
  expect((await app.call(passenger, readProfile, {})).code).toBe(200);
  app.clock.advance(2 * hourMs);
  await app.scheduler.tick();
  await app.deliver();

  expect((await app.call(passenger, readProfile, {})).code).toBe(400);
  expect(await rowsWith(mark)).toEqual([]);
  expect(await rowsWith(phone!)).toEqual([]);
  // Only the final email still contains the address.
  const left = await rowsWith(passenger.email);
  expect(left.every((row) => row.startsWith('outbox_messages') && row.includes('is deleted'))).toBe(true);
  // The exact places of the request are gone too; the remaining coordinates are rounded to a kilometer.
  const { from } = fixture.request;
  const rows = await app.platform.db.execute<{ lon: number; name: string }>(
    sql`select from_lon as lon, from_name as name from requests where id = ${fixture.request.id}`,
  );
  expect(rows.rows).toEqual([{ lon: Math.round(from.lon * 100) / 100, name: '—' }]);
  const stops = await app.platform.db.execute<{ lon: number }>(
    sql`select lon from ride_stops where ride_id = ${fixture.ride.id} and kind = 'pickup'`,
  );
  for (const { lon } of stops.rows) expect(lon).toBe(Math.round(lon * 100) / 100);
  expect(fs.existsSync(avatar)).toBe(false);

  // The driver's ride remains, with an anonymous passenger, and its stars count.
  const order = await orderOf(fixture, 'driver');
  expect(order).toMatchObject({
    state: 'finished',
    bookings: [{ passenger: { name: 'Deleted account 已注销' } }],
  });
  expect((await app.ok(driver, readProfile, {})).rating).toBe(before.rating);
  // The address is free again.
  expect(await checkAccount(app.platform, { email: passenger.email, phone: '' })).toEqual({
    exists: false,
  });
});

test('a password is asked for where there is one, and cannot be guessed', async () => {
  const email = 'keen@example.com';
  const password = 'correct-donkey-tram';
  await enrollAccount(app.platform, { email, name: 'Keen', password });
  const session = await app.ok(null, login, { email, password });
  const keen = { id: session.id, email, token: session.accessToken };
  expect(await app.ok(keen, calls.readPrivacy, {})).toMatchObject({ hasPassword: true });
  for (let tries = 0; tries < 10; tries++)
    expect(await app.call(keen, calls.deleteAccount, { password: 'wrong-donkey-tram' })).toMatchObject({
      code: 422,
      reason: 'privacy.passwordWrong',
      data: { fields: { password: 'That password isn’t right.' } },
    });
  expect((await app.call(keen, calls.deleteAccount, { password })).code).toBe(429);
  app.clock.advance(hourMs / 2);
  await app.ok(null, login, { email, password });
  const again = await app.ok(null, login, { email, password });
  await app.ok({ ...keen, token: again.accessToken }, calls.deleteAccount, { password });
});

test('who may find a person and read their number is kept, and shown with what they agreed to', async () => {
  const mia = await app.person('Mia');
  const choices = {
    foundByEmail: false,
    foundByPhone: true,
    foundByName: false,
    phoneSeenBy: 'nobody',
  } as const;
  expect(await app.ok(mia, calls.savePrivacy, choices)).toEqual(choices);
  expect(await app.ok(mia, calls.readPrivacy, {})).toMatchObject({ ...choices, deletionDueAt: null });
});

test('a number that is shown to nobody is read by nobody, on the same ride too', async () => {
  const fixture = await openAccessFixture(app, 'joined');
  const { driver } = fixture.people;
  const choices = { foundByEmail: true, foundByPhone: true, foundByName: true };
  const isShown = { ride: { phone: expect.stringMatching(/^\+1/) as string } };
  expect(await orderOf(fixture, 'passenger')).toMatchObject(isShown);
  // An unverified number may be a stranger's: passengers must not see it as the driver's.
  const proved = (at: Date | null) =>
    app.platform.db.update(users).set({ phoneVerifiedAt: at }).where(eq(users.id, driver.id));
  await proved(null);
  expect(await orderOf(fixture, 'passenger')).toMatchObject({ ride: { phone: '' } });
  await proved(app.clock.now());
  expect(await orderOf(fixture, 'passenger')).toMatchObject(isShown);
  await app.ok(driver, calls.savePrivacy, { ...choices, phoneSeenBy: 'nobody' });
  expect(await orderOf(fixture, 'passenger')).toMatchObject({ ride: { phone: '' } });
});
