import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as access from '#contract/access/endpoints.ts';
import type { SessionUser } from '#contract/access/endpoints.ts';
import { readProfile, saveProfile } from '#contract/user/endpoints.ts';
import { createVehicle, listVehicles } from '#contract/vehicles/endpoints.ts';
import { hourMs, secondMs } from '../clock.ts';
import { users } from '../../schema/identity.ts';
import { licenses } from '../../schema/vehicles.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../testing/test-app.ts';
import { enrollAccount } from '../../testing/enroll-account.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ withMemory: true });
  await new Promise((resolve) => setTimeout(resolve, 200));
});
afterAll(() => app.close());

const car = {
  brand: 'Toyota',
  model: 'Prius',
  type: 'hatchback',
  year: 2021,
  color: 'blue',
  seats: 4,
} as const;

/** How many questions the database is asked while something is done. */
async function questions(work: () => Promise<unknown>, { serverPool: pool } = app): Promise<number> {
  const query = vi.spyOn(pool, 'query');
  await work();
  const asked = query.mock.calls.length;
  query.mockRestore();
  return asked;
}

const read = async (who: TestPerson) => {
  await app.ok(who, readProfile, {});
  await app.ok(who, listVehicles, {});
};

test('what has not changed is answered without asking the database', async () => {
  const mia = await app.person('Mia');
  await read(mia);
  await read(mia);
  expect(await questions(() => read(mia))).toBe(0);
});

test('a person reads at once what they have just written', async () => {
  const mia = await app.person('Mia');
  for (let round = 0; round < 25; round++) {
    await app.ok(mia, saveProfile, { name: `Mia ${round}` });
    expect(await app.ok(mia, readProfile, {})).toMatchObject({ name: `Mia ${round}` });
  }
  await app.ok(mia, createVehicle, { ...car, plate: 'NEW123' });
  expect((await app.ok(mia, listVehicles, {})).vehicles).toHaveLength(1);
});

test('what another process changes is heard, whatever table it is in', async () => {
  const mia = await app.person('Mia');
  await read(mia);
  await app.platform.db.update(users).set({ interests: 'Kites' }).where(eq(users.id, mia.id));
  await vi.waitFor(async () =>
    expect(await app.ok(mia, readProfile, {})).toMatchObject({ interests: 'Kites' }),
  );
  const now = app.clock.now();
  await app.platform.db
    .insert(licenses)
    .values({ id: crypto.randomUUID(), userId: mia.id, status: 'Reviewing', createdAt: now });
  await vi.waitFor(async () =>
    expect(await app.ok(mia, readProfile, {})).toMatchObject({ license: 'Reviewing' }),
  );
});

test('answers are kept apart: nobody reads what was kept for another', async () => {
  const [mia, leo] = [await app.person('Mia'), await app.person('Leo')];
  for (let round = 0; round < 3; round++) {
    expect(await app.ok(mia, readProfile, {})).toMatchObject({ name: 'Mia' });
    expect(await app.ok(leo, readProfile, {})).toMatchObject({ name: 'Leo' });
    expect((await app.call(null, readProfile, {})).code).toBe(400);
  }
});

test('a session that is over, traded in, ended or suspended is over at once', async () => {
  const password = 'correct-donkey-tram';
  const enrolled = async (name: string) => {
    const email = `${name}@example.com`;
    await enrollAccount(app.platform, { email, name, password });
    return app.ok(null, access.login, { email, password });
  };
  const as = (user: SessionUser): TestPerson => ({ id: user.id, email: user.email, token: user.accessToken });
  const codeOf = async (user: SessionUser) => (await app.call(as(user), readProfile, {})).code;

  const traded = await enrolled('traded');
  expect(await codeOf(traded)).toBe(200);
  const fresh = await app.ok(null, access.refreshToken, { refreshToken: traded.refreshToken });
  expect([await codeOf(traded), await codeOf(fresh)]).toEqual([400, 200]);
  await app.ok(as(fresh), access.logout, {});
  expect(await codeOf(fresh)).toBe(400);

  const suspended = await enrolled('suspended');
  expect(await codeOf(suspended)).toBe(200);
  await app.platform.db.update(users).set({ suspendedAt: app.clock.now() }).where(eq(users.id, suspended.id));
  await vi.waitFor(async () => expect(await codeOf(suspended)).toBe(400));

  const old = await enrolled('old');
  expect(await codeOf(old)).toBe(200);
  app.clock.advance(hourMs + secondMs);
  expect(await codeOf(old)).toBe(400);
});

test('who is told of news reads it, however late the database says so', async () => {
  const quiet = await openTestApp({ withMemory: true, withLive: true });
  const mia = await quiet.person('Mia');
  const asks = () => quiet.call(mia, readProfile, {});
  await vi.waitFor(async () => expect(await questions(asks, quiet)).toBe(0));
  await quiet.pool.query('alter table users disable trigger users_changed');
  await quiet.platform.db.update(users).set({ suspendedAt: quiet.clock.now() }).where(eq(users.id, mia.id));
  expect((await asks()).code).toBe(200);
  quiet.platform.realtime.tell([mia.id], 'changed', { topic: 'profile', id: mia.id, news: 'user.suspended' });
  expect((await asks()).code).toBe(400);
  await quiet.platform.realtime.close();
  await quiet.close();
});

test('what guests do, wrong passwords and refused codes too, leaves what is remembered of others', async () => {
  const mia = await app.person('Mia');
  await vi.waitFor(async () => expect(await questions(() => read(mia))).toBe(0));
  const guess = () =>
    app.call(null, access.login, { email: 'leo@example.com', password: crypto.randomUUID() });
  for (let times = 0; times < 12; times++) expect((await guess()).code).not.toBe(200);
  await app.call(null, access.refreshToken, { refreshToken: 'nothing' });
  await app.call(null, access.verifyEmail, { email: 'leo@example.com', code: '123456' });
  await app.call(null, access.retrievePassword, { email: 'leo@example.com' });
  expect(await questions(() => read(mia))).toBe(0);
});

test('a read that others change something during is remembered all the same', async () => {
  const [mia, leo] = [await app.person('Mia'), await app.person('Leo')];
  // The first use of a token is noted in its session's row.
  await read(mia);
  await vi.waitFor(async () => expect(await questions(() => read(mia))).toBe(0));
  // Word of Mia's own making may come late, and once: then she is read again.
  await vi.waitFor(async () => {
    app.platform.responseCache.forget(mia.id);
    await Promise.all([
      read(mia),
      ...Array.from({ length: 5 }, (_, times) => app.ok(leo, saveProfile, { name: `Leo ${times}` })),
    ]);
    expect(await questions(() => read(mia))).toBe(0);
  });
});

test('nothing is remembered for longer than half a minute, even where a change was never heard of', async () => {
  const mia = await app.person('Mia');
  await vi.waitFor(async () => expect(await questions(() => read(mia))).toBe(0));
  await app.pool.query('alter table users disable trigger users_changed');
  await app.platform.db.update(users).set({ suspendedAt: app.clock.now() }).where(eq(users.id, mia.id));
  await app.pool.query('alter table users enable trigger users_changed');
  expect((await app.call(mia, readProfile, {})).code).toBe(200);
  app.clock.advance(31 * secondMs);
  expect((await app.call(mia, readProfile, {})).code).toBe(400);
});

test('while the database cannot be heard nothing is kept, and afterwards it is again', async () => {
  const mia = await app.person('Mia');
  await vi.waitFor(async () => expect(await questions(() => read(mia))).toBe(0));
  await app.platform.db.execute(
    sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'sameway changes' and datname = current_database()`,
  );
  await vi.waitFor(async () => expect(await questions(() => read(mia))).toBeGreaterThan(0));
  await app.platform.db.update(users).set({ interests: 'Chess' }).where(eq(users.id, mia.id));
  expect(await app.ok(mia, readProfile, {})).toMatchObject({ interests: 'Chess' });
  await vi.waitFor(async () => expect(await questions(() => read(mia))).toBe(0), { timeout: 10_000 });
});
