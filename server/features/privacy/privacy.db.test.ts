import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { strFromU8, unzipSync } from 'fflate';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
import { outboxLetters } from '../../schema/house.ts';
import { users } from '../../schema/identity.ts';
import { carryOn, setStage, type Stage, type Step } from '../../testing/access-stage.ts';
import { openTestHouse, type TestHouse } from '../../testing/house.ts';
import { spots } from '../../testing/orders.ts';
import { upload } from '../../testing/upload.ts';
import { personalTables } from './rules/personal-tables.ts';

let house: TestHouse;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-privacy-'));
beforeAll(async () => {
  house = await openTestHouse({ startsAt: new Date('2026-11-23T17:00:00Z'), env: { DATA_DIR: folder } });
});
afterAll(async () => {
  await house.close();
  fs.rmSync(folder, { recursive: true });
});

/** A ride with words, a picture and a saved place of its passenger, none of which stand anywhere else. */
async function livedIn(until: Step) {
  const stage = await setStage(house, 'joined');
  const { passenger } = stage.people;
  const mark = `mark-${stage.ride.orderNumber}`;
  await house.platform.db.execute(
    sql`update users set name = ${mark}, interests = ${mark}, first_name = ${mark} where id = ${passenger.id}`,
  );
  await house.ok(passenger, createAddress, { ...spots.soquel, name: mark, label: 'home' });
  await house.ok(passenger, postFeedback, { subject: mark, message: mark });
  await house.ok(passenger, sendMessage, {
    roomid: stage.ride.id,
    clientId: crypto.randomUUID(),
    text: `Hello from ${mark}`,
  });
  const bytes = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#59BC6B' } })
    .jpeg()
    .toBuffer();
  const { data } = await upload(house, passenger, 'avatar', [{ bytes }]);
  await house.ok(passenger, saveAvatar, { picture: data!.id });
  await carryOn(stage, 'joined', until);
  return { stage, passenger, mark };
}

/** Every row of every table that holds some words. */
async function rowsWith(words: string): Promise<string[]> {
  const tables = await house.platform.db.execute<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const found: string[] = [];
  for (const { name } of tables.rows) {
    const rows = await house.platform.db.execute<{ row: unknown }>(
      sql`select to_jsonb(t) as row from ${sql.identifier(name)} t where to_jsonb(t)::text like ${`%${words}%`}`,
    );
    found.push(...rows.rows.map(({ row }) => `${name}: ${JSON.stringify(row)}`));
  }
  return found;
}

test('every column of the database that refers to a person is in the list of personal tables', async () => {
  const found = await house.platform.db.execute<{ name: string }>(sql`
    select source.relname || '.' || a.attname as name
    from pg_constraint c
    join pg_class source on source.oid = c.conrelid
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
    where c.contype = 'f' and c.confrelid = 'users'::regclass`);
  const listed = new Set(
    personalTables.flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`)),
  );
  expect(found.rows.map(({ name }) => name).filter((name) => !listed.has(name))).toEqual([]);
  // And what stands in the list stands in the database.
  const columns = await house.platform.db.execute<{ name: string }>(
    sql`select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'`,
  );
  const real = new Set(columns.rows.map(({ name }) => name));
  const used = personalTables.flatMap(({ table, columns: own, hidden, erase }) =>
    [...own, ...(hidden ?? []), ...(typeof erase === 'string' ? [] : Object.keys(erase))].map(
      (column) => `${table}.${column}`,
    ),
  );
  expect(used.filter((name) => !real.has(name))).toEqual([]);
});

test('the export is one archive with everything of the person, the pictures, and no secrets', async () => {
  const { stage, passenger, mark } = await livedIn('finished');
  await house.ok(passenger, createReview, {
    bookingId: stage.bookingId,
    stars: 5,
    tags: [],
    words: `Review ${mark}`,
  });
  const { fileName, zipBase64, bytes } = await house.ok(passenger, calls.exportData, {});
  expect(fileName).toMatch(/^sameway-\d{4}-\d\d-\d\d\.zip$/);
  const zip = Buffer.from(zipBase64, 'base64');
  expect(zip.length).toBe(bytes);
  const files = unzipSync(new Uint8Array(zip));
  const names = Object.keys(files);
  expect(names.filter((name) => /^pictures\/avatar-.*\.webp$/.test(name))).toHaveLength(1);
  const picture = Object.entries(files).find(([name]) => name.startsWith('pictures/avatar'))![1];
  expect((await sharp(picture).metadata()).format).toBe('webp');
  const data = JSON.parse(strFromU8(files['data.json']!)) as Record<string, Record<string, unknown>[]>;
  expect(data['account']).toMatchObject([{ email: passenger.email, name: mark }]);
  expect(data['shortcuts']).toMatchObject([{ at_name: mark }]);
  expect(data['feedback']).toMatchObject([{ message: mark }]);
  expect(data['chat_messages']).toMatchObject([{ text: `Hello from ${mark}` }]);
  expect(data['reviews']).toMatchObject([{ words: `Review ${mark}` }]);
  expect(data['requests']).toMatchObject([{ order_number: stage.request.orderNumber }]);
  expect(data['bookings']).toHaveLength(1);
  expect(data['people']).toMatchObject({ [stage.people.driver.id]: 'Driver' });
  const text = strFromU8(files['data.json']!);
  for (const secret of ['password_hash', 'access_hash', 'refresh_hash', 'object_key'])
    expect(text).not.toContain(secret);
  // Nothing of the other side: not the driver's address, phone or e-mail.
  expect(text).not.toContain(stage.people.driver.email);
});

test('an export can be asked for a few times an hour', async () => {
  const mia = await house.person('Mia');
  for (let count = 0; count < 5; count++) await house.ok(mia, calls.exportData, {});
  expect((await house.call(mia, calls.exportData, {})).code).toBe(429);
});

const orderOf = async (stage: Stage, who: 'driver' | 'passenger') =>
  (
    await house.ok(stage.people[who], orderDetail, {
      id: who === 'driver' ? stage.ride.id : stage.request.id,
    })
  ).order;

test('asking for deletion cancels what is open by the rules, and can be undone for 14 days', async () => {
  const { stage, passenger } = await livedIn('joined');
  const { driver } = stage.people;
  const asked = await house.ok(passenger, calls.deleteAccount, {});
  expect(asked.cancelledOrders).toBe(1);
  expect(Date.parse(asked.deletionDueAt) - house.clock.now().getTime()).toBeGreaterThan(14 * dayMs - 5000);
  // The driver has the seat back and the reason without a name.
  expect(await orderOf(stage, 'driver')).toMatchObject({ state: 'matching', seatsFree: 3 });
  expect(await house.ok(passenger, readProfile, {})).toMatchObject({ deletionDueAt: asked.deletionDueAt });
  house.clock.advance(10 * dayMs);
  // Asking again puts nothing off.
  expect(await house.ok(passenger, calls.deleteAccount, {})).toEqual({
    deletionDueAt: asked.deletionDueAt,
    cancelledOrders: 0,
  });
  await house.ok(passenger, calls.cancelDelete, {});
  expect(await house.ok(passenger, readProfile, {})).toMatchObject({ deletionDueAt: null });
  house.clock.advance(21 * dayMs);
  await house.timers.tick();
  expect(await house.ok(passenger, readProfile, {})).toMatchObject({ email: passenger.email });
  await house.deliver();
  const letters = await house.platform.db.select().from(outboxLetters);
  expect(
    letters.filter(({ recipient }) => recipient === passenger.email).map(({ subject }) => subject),
  ).toEqual(['Your Sameway account will be deleted', 'Your Sameway account stays']);
  expect((await house.ok(driver, listOrders, {})).total).toBeGreaterThan(0);
});

test('a ride with somebody on board is finished first', async () => {
  const { passenger } = await livedIn('picked');
  expect(await house.call(passenger, calls.deleteAccount, {})).toMatchObject({
    code: 409,
    reason: 'privacy.rideUnderWay',
  });
  expect(await house.ok(passenger, readProfile, {})).toMatchObject({ deletionDueAt: null });
});

test('after 14 days, within the 30 that are promised, nothing personal is left, and the others keep their history', async () => {
  const { stage, passenger, mark } = await livedIn('finished');
  const { driver } = stage.people;
  await house.ok(passenger, createReview, {
    bookingId: stage.bookingId,
    stars: 4,
    tags: [],
    words: `Nice, says ${mark}`,
  });
  await house.ok(driver, createReview, {
    bookingId: stage.bookingId,
    stars: 5,
    tags: [],
    words: `About ${mark}`,
  });
  await house.deliver();
  const [phone] = (
    await house.platform.db.execute<{ phone: string }>(
      sql`select phone from users where id = ${passenger.id}`,
    )
  ).rows.map((row) => row.phone);
  const before = await house.ok(driver, readProfile, {});
  const own = await house.ok(passenger, readProfile, {});
  const avatar = path.join(folder, own.avatar.replace('/files/', 'files/public/'));
  expect(fs.existsSync(avatar)).toBe(true);
  await house.ok(passenger, calls.deleteAccount, {});
  await house.deliver();
  house.clock.advance(14 * dayMs - hourMs);
  await house.timers.tick();
  expect((await house.call(passenger, readProfile, {})).code).toBe(200);
  house.clock.advance(2 * hourMs);
  await house.timers.tick();
  await house.deliver();

  expect((await house.call(passenger, readProfile, {})).code).toBe(400);
  expect(await rowsWith(mark)).toEqual([]);
  expect(await rowsWith(phone!)).toEqual([]);
  // The one letter that says it is done is all that still names the address.
  const left = await rowsWith(passenger.email);
  expect(left.every((row) => row.startsWith('outbox_letters') && row.includes('is deleted'))).toBe(true);
  // The exact places of the request are gone too; what is left is a kilometre wide.
  const { from } = stage.request;
  const rows = await house.platform.db.execute<{ lon: number; name: string }>(
    sql`select from_lon as lon, from_name as name from requests where id = ${stage.request.id}`,
  );
  expect(rows.rows).toEqual([{ lon: Math.round(from.lon * 100) / 100, name: '—' }]);
  const stops = await house.platform.db.execute<{ lon: number }>(
    sql`select lon from ride_stops where ride_id = ${stage.ride.id} and kind = 'pickup'`,
  );
  for (const { lon } of stops.rows) expect(lon).toBe(Math.round(lon * 100) / 100);
  expect(fs.existsSync(avatar)).toBe(false);

  // The driver's ride stands, with nobody in the seat, and the stars they earned count.
  const order = await orderOf(stage, 'driver');
  expect(order).toMatchObject({
    state: 'finished',
    bookings: [{ passenger: { name: 'Deleted account 已注销' } }],
  });
  expect((await house.ok(driver, readProfile, {})).rating).toBe(before.rating);
  // The address is free again.
  expect(
    await house.features.identity.checkAccount(
      { email: passenger.email, phone: '' },
      { address: 'x', userAgent: '', cookies: { read: () => '', keep: () => {} } },
    ),
  ).toEqual({ exists: false });
});

test('a password is asked for where there is one, and cannot be guessed', async () => {
  const email = 'keen@example.com';
  const password = 'correct-donkey-tram';
  await house.features.identity.enrol({ email, name: 'Keen', password });
  const session = await house.ok(null, login, { email, password });
  const keen = { id: session.id, email, token: session.accessToken };
  expect(await house.ok(keen, calls.readPrivacy, {})).toMatchObject({ hasPassword: true });
  for (let tries = 0; tries < 10; tries++)
    expect(await house.call(keen, calls.deleteAccount, { password: 'wrong-donkey-tram' })).toMatchObject({
      code: 422,
      reason: 'privacy.passwordWrong',
      data: { fields: { password: 'This password is wrong.' } },
    });
  expect((await house.call(keen, calls.deleteAccount, { password })).code).toBe(429);
  house.clock.advance(hourMs / 2);
  await house.ok(null, login, { email, password });
  const again = await house.ok(null, login, { email, password });
  await house.ok({ ...keen, token: again.accessToken }, calls.deleteAccount, { password });
});

test('who may find a person and read their number is kept, and shown with what they agreed to', async () => {
  const mia = await house.person('Mia');
  const choices = {
    foundByEmail: false,
    foundByPhone: true,
    foundByName: false,
    phoneSeenBy: 'nobody',
  } as const;
  expect(await house.ok(mia, calls.savePrivacy, choices)).toEqual(choices);
  expect(await house.ok(mia, calls.readPrivacy, {})).toMatchObject({ ...choices, deletionDueAt: null });
});

test('a number that is shown to nobody is read by nobody, on the same ride too', async () => {
  const stage = await setStage(house, 'joined');
  const { driver } = stage.people;
  const choices = { foundByEmail: true, foundByPhone: true, foundByName: true };
  const isShown = { ride: { phone: expect.stringMatching(/^\+1/) as string } };
  expect(await orderOf(stage, 'passenger')).toMatchObject(isShown);
  // A number that was typed and never proved may be a stranger's: it is shown to no passenger as the driver's own.
  const proved = (at: Date | null) =>
    house.platform.db.update(users).set({ phoneVerifiedAt: at }).where(eq(users.id, driver.id));
  await proved(null);
  expect(await orderOf(stage, 'passenger')).toMatchObject({ ride: { phone: '' } });
  await proved(house.clock.now());
  expect(await orderOf(stage, 'passenger')).toMatchObject(isShown);
  await house.ok(driver, calls.savePrivacy, { ...choices, phoneSeenBy: 'nobody' });
  expect(await orderOf(stage, 'passenger')).toMatchObject({ ride: { phone: '' } });
});
