import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listNews } from '#contract/notifications/endpoints.ts';
import * as calls from '#contract/privacy/export.ts';
import { dayMs, hourMs, later, minuteMs } from '../../../platform/clock.ts';
import { outboxMessages } from '../../../schema/platform.ts';
import { rideOf } from '../../../testing/booking-plans.ts';
import { exportFiles } from '../../../testing/export-files.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../../testing/test-app.ts';
import { createOrder } from '../../orders/order-commands.ts';
import { deleteDue } from '../delete-due.ts';
import { clearExports, partBytes } from './ask-export.ts';
import { makeExports } from './make-export.ts';

let app: TestApp;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-exports-'));
beforeAll(async () => {
  app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z'), env: { DATA_DIR: folder } });
});
afterAll(async () => {
  await app.close();
  fs.rmSync(folder, { recursive: true });
});

let mia: TestPerson;
beforeEach(async () => {
  await app.pool.query('update data_exports set user_id = null, next_at = null');
  await clearExports(app.platform);
  mia = await app.person('Mia');
});

const start = (who = mia) => app.ok(who, calls.startExport, {});
const make = () => makeExports(app.platform);
const stateOf = async (who = mia) => (await app.ok(who, calls.readExport, {})).state;
const download = async (address: string) => app.http.inject({ method: 'GET', url: address });
const addressOf = async (who = mia) => (await app.ok(who, calls.exportData, {})).address;
const rows = async () =>
  (await app.pool.query<{ attempts: number; parts: number }>('select * from data_exports')).rows;

/** The files of all exports. */
function filesNow(): string[] {
  const exportsFolder = path.join(folder, 'files', 'private', 'exports');
  if (!fs.existsSync(exportsFolder)) return [];
  const names = fs.readdirSync(exportsFolder, { recursive: true, withFileTypes: true });
  return names.filter((each) => each.isFile()).map(({ name }) => name);
}

/** Lets the file store refuse `count` writes. */
async function whileRefusing<T>(count: number, work: () => Promise<T>): Promise<T> {
  const { files } = app.platform;
  const { write } = files;
  let left = count;
  files.write = async (key, bytes) => {
    if (left-- > 0) throw new Error('The file store is away.');
    await write(key, bytes);
  };
  try {
    return await work();
  } finally {
    files.write = write;
  }
}

test('an export is asked for, made in the background, notified, and downloaded by its owner alone', async () => {
  expect(await stateOf()).toBe('none');
  expect((await app.call(mia, calls.exportData, {})).reason).toBe('privacy.exportNotReady');
  expect(await start()).toMatchObject({ state: 'preparing', bytes: 0, expiresAt: null });
  expect((await app.call(mia, calls.exportData, {})).code).toBe(404);
  await make();
  await app.deliver();
  const state = await app.ok(mia, calls.readExport, {});
  expect(state.state).toBe('ready');
  expect(Date.parse(state.expiresAt!) - Date.parse(state.askedAt!)).toBe(7 * dayMs);
  const { news } = await app.ok(mia, listNews, {});
  expect(news).toMatchObject([{ title: 'Your data is ready to download', path: '/pages/account/settings2' }]);
  const emails = await app.platform.db.select().from(outboxMessages);
  expect(emails.filter(({ recipient }) => recipient === mia.email).map(({ subject }) => subject)).toEqual([
    'Your data is ready to download',
  ]);

  const { address, fileName, bytes } = await app.ok(mia, calls.exportData, {});
  expect(fileName).toBe('sameway-2026-11-23.zip');
  const answer = await download(address);
  expect(answer.headers).toMatchObject({
    'content-type': 'application/zip',
    'content-length': String(bytes),
    'content-disposition': 'attachment; filename="sameway-2026-11-23.zip"',
    'cache-control': 'private, no-store',
  });
  expect(bytes).toBe(state.bytes);
  const files = unzipSync(new Uint8Array(answer.rawPayload));
  expect(JSON.parse(strFromU8(files['data.json']!))).toMatchObject({ account: [{ email: mia.email }] });

  const other = await app.person('Olaf');
  expect(await stateOf(other)).toBe('none');
  expect((await app.call(other, calls.exportData, {})).code).toBe(404);
  expect((await download(`${address.slice(0, -2)}AA`)).statusCode).toBe(404);
  app.clock.advance(5 * minuteMs);
  expect((await download(address)).statusCode).toBe(404);
  expect((await download(await addressOf())).statusCode).toBe(200);
});

test('who asks again joins the export that is being made; many processes make it once', async () => {
  await Promise.all([start(), start(), start()]);
  expect(await rows()).toHaveLength(1);
  await Promise.all([make(), make(), make()]);
  expect(await rows()).toMatchObject([{ attempts: 1, state: 'ready' }]);
  // A new one replaces it, and its files go.
  const former = await addressOf();
  await start();
  expect((await download(former)).statusCode).toBe(404);
  await clearExports(app.platform);
  expect(await rows()).toHaveLength(1);
  expect(filesNow()).toEqual([]);
});

test('an export can be asked for a few times a day', async () => {
  for (let count = 0; count < 5; count++) await start();
  expect((await app.call(mia, calls.startExport, {})).code).toBe(429);
});

test('a large archive is kept and sent in parts', async () => {
  const picture = randomBytes(2 * partBytes);
  const { id } = mia;
  await app.platform.files.write(`private/chat/${id}.webp`, picture);
  await app.pool.query(
    `insert into pictures (id, owner_id, purpose, object_key, width, height, created_at, used_at)
     values ($1::uuid, $1::uuid, 'chat', 'private/chat/' || $1::text || '.webp', 1, 1, now(), now())`,
    [id],
  );
  const files = await exportFiles(app, mia);
  expect(Buffer.from(files[`pictures/chat-${id}.webp`]!).equals(picture)).toBe(true);
  expect(filesNow().toSorted()).toEqual(['1-0.part', '1-1.part', '1-2.part']);
});

test('an attempt that is cut off is followed by another; what it has left goes with the export', async () => {
  await start();
  const { files } = app.platform;
  const { write } = files;
  const reached = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  files.write = async (key, bytes) => {
    await write(key, bytes);
    reached.resolve();
    await goOn.promise;
  };
  const cutOff = make();
  await reached.promise;
  files.write = write;
  // As long as the first may be at work, no other begins.
  app.clock.advance(minuteMs);
  await make();
  expect(await stateOf()).toBe('preparing');
  app.clock.advance(2 * minuteMs);
  await make();
  expect(await stateOf()).toBe('ready');
  // The first was not dead: it finds that it is over.
  goOn.resolve();
  await cutOff;
  expect(await rows()).toMatchObject([{ attempts: 2, state: 'ready' }]);
  expect(filesNow().toSorted()).toEqual(['1-0.part', '2-0.part']);
  expect((await download(await addressOf())).statusCode).toBe(200);
  app.clock.advance(8 * dayMs);
  expect(await stateOf()).toBe('none');
  await clearExports(app.platform);
  expect([await rows(), filesNow()]).toEqual([[], []]);
});

test('an export that fails is tried again; after three attempts the person hears of it and can ask again', async () => {
  await start();
  await whileRefusing(3, async () => {
    for (const state of ['preparing', 'preparing', 'failed']) {
      await make();
      expect(await stateOf()).toBe(state);
      app.clock.advance(minuteMs);
    }
  });
  await app.deliver();
  const { news } = await app.ok(mia, listNews, {});
  expect(news).toMatchObject([{ title: 'We couldn’t prepare your data' }]);
  await make();
  expect(await stateOf()).toBe('failed');
  expect((await start()).state).toBe('preparing');
  await make();
  expect(await stateOf()).toBe('ready');
});

test('processes that die in each attempt end an export as failed', async () => {
  await start();
  await app.pool.query('update data_exports set attempts = 3');
  await make();
  expect(await stateOf()).toBe('failed');
});

test('with the account its export goes, also one that is being made', async () => {
  await start();
  await make();
  const otto = await app.person('Otto');
  await start(otto);
  const { files } = app.platform;
  const { write } = files;
  // The account goes between the last check of it and the file.
  files.write = async (key, bytes) => {
    await leave(otto);
    await write(key, bytes);
  };
  await make();
  files.write = write;
  await leave(mia);
  expect(filesNow()).toHaveLength(2);
  app.clock.advance(3 * minuteMs);
  await clearExports(app.platform);
  expect([await rows(), filesNow()]).toEqual([[], []]);
});

/** Deletes an account at once. */
async function leave(who: TestPerson): Promise<void> {
  await app.pool.query('update users set deletion_due_at = $2 where id = $1', [who.id, app.clock.now()]);
  await deleteDue(app.platform);
}

test('a large export takes several rounds, while no other process begins it', async () => {
  const { order } = await giveLongPast(mia);
  await start();
  const elsewhere = anotherProcess();
  let rounds = 0;
  do {
    await make();
    rounds += 1;
    // Together they take longer than a lease.
    app.clock.advance(minuteMs);
    await elsewhere();
    expect(await rows()).toMatchObject([{ attempts: 1 }]);
  } while ((await stateOf()) === 'preparing');
  expect(await stateOf()).toBe('ready');
  expect(rounds).toBeGreaterThan(3);
  const { move_history: moves, chat_messages: lines } = await dataOf();
  expect(moves!.map(({ note }) => note)).toEqual(Array.from({ length: 12_000 }, (_, at) => String(at + 1)));
  expect(new Set(moves!.map(({ ride_id: of }) => of))).toEqual(new Set([order, null]));
  expect(lines).toHaveLength(15_000);
  expect(new Set(lines!.map((each) => `${String(each['room_id'])} ${String(each['seq'])}`)).size).toBe(
    15_000,
  );
});

test('a small export does not wait for more than the round of a large one', async () => {
  const otto = await app.person('Otto');
  await giveLongPast(otto);
  await start(otto);
  app.clock.advance(1000);
  await start();
  const elsewhere = anotherProcess();
  await make();
  await elsewhere();
  expect([await stateOf(otto), await stateOf()]).toEqual(['preparing', 'ready']);
});

test('a process that dies between two rounds loses its attempt alone', async () => {
  await giveLongPast(mia);
  await start();
  await make();
  const elsewhere = anotherProcess();
  app.clock.advance(3 * minuteMs);
  do await elsewhere();
  while ((await stateOf()) === 'preparing');
  expect(await rows()).toMatchObject([{ attempts: 2, state: 'ready' }]);
  // It was not dead: its next round finds that the attempt is over, and writes nothing.
  await make();
  expect(filesNow().every((name) => name.startsWith('2-'))).toBe(true);
  expect((await dataOf()).chat_messages).toHaveLength(15_000);
});

test('the account may go between two rounds', async () => {
  const otto = await app.person('Otto');
  await giveLongPast(otto);
  await start(otto);
  await make();
  await leave(otto);
  await make();
  app.clock.advance(3 * minuteMs);
  await clearExports(app.platform);
  expect([await rows(), filesNow()]).toEqual([[], []]);
});

/** The task of another process. */
function anotherProcess(): () => Promise<void> {
  const other = { ...app.platform, privacy: { ...app.platform.privacy, attempts: [] } };
  return () => makeExports(other);
}

async function dataOf(who = mia): Promise<Record<string, Record<string, unknown>[]>> {
  const files = unzipSync(new Uint8Array((await download(await addressOf(who))).rawPayload));
  return JSON.parse(strFromU8(files['data.json']!)) as Record<string, Record<string, unknown>[]>;
}

/**
 * Gives a person 12,000 moves, half of them as an admin, and 15,000 lines among as many others in 300 rooms.
 * @returns the order of the other half
 */
async function giveLongPast({ id }: TestPerson): Promise<{ order: string }> {
  const departsAt = later(app.clock.now(), hourMs);
  const ride = rideOf({ departsAt, vehicleId: null, isInstant: false });
  const { id: order } = await createOrder(app.platform, id, ride);
  await app.pool.query('delete from move_history where ride_id = $1', [order]);
  await app.pool.query(
    `insert into move_history (thing, thing_id, ride_id, move, to_state, actor, actor_id, note, at)
     select 'ride', $2::uuid, case when nr % 2 = 0 then $2::uuid end, 'edit', 'matching',
       case when nr % 2 = 0 then 'driver' else 'admin' end, $1, nr, now() from generate_series(1, 12000) nr`,
    [id, order],
  );
  await app.pool.query(
    `with room as (
       insert into chat_rooms (id, ride_id, created_at) select gen_random_uuid(), $2, now() from generate_series(1, 300)
       returning id
     ), member as (
       insert into chat_members (room_id, user_id, joined_at) select id, $1, now() from room
     )
     insert into chat_messages (room_id, seq, said, client_id, sender_id, kind, text, at)
     select id, seq, seq, gen_random_uuid(), case when seq % 2 = 0 then $1::uuid end, 'text', 'line ' || seq, now()
     from room, generate_series(1, 100) seq`,
    [id, order],
  );
  return { order };
}
