import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { login, refreshToken, verifyEmail } from '#contract/access/endpoints.ts';
import { listAudit, listReadings, listUsers, statistics } from '#contract/admin/endpoints.ts';
import { securityFigures, type SecurityEvent } from '#contract/admin/security.ts';
import { allEndpoints } from '#contract/all.ts';
import { waitingLicences } from '#contract/licences/endpoints.ts';
import { deliverAgain, listUndelivered } from '#contract/notifications/endpoints.ts';
import { hourMs } from '../../platform/clock.ts';
import { webhookPath } from '../payments/routes.ts';
import { adminReadings } from '../../schema/audit.ts';
import { undelivered } from '../../schema/house.ts';
import { users } from '../../schema/identity.ts';
import { licences } from '../../schema/vehicles.ts';
import { openTestHouse, type TestHouse, type TestPerson } from '../../testing/house.ts';
import { StandingClock } from '../../testing/standing-clock.ts';

let house: TestHouse;
let admin: TestPerson;
beforeAll(async () => {
  house = await openTestHouse({ clock: new StandingClock(new Date('2026-11-23T15:20:00Z')) });
  admin = await house.person('Ada', { isAdmin: true });
});
afterAll(() => house.close());

const readings = async () => (await house.ok(admin, listReadings, {})).entries;

test('what an attack leaves is counted, and shown to admins', async () => {
  const mia = await house.person('Mia');
  const figures = async () => {
    const { counts } = await house.ok(admin, securityFigures, {});
    return new Map(counts.map((each) => [each.event, each]));
  };
  const before = await figures();
  const password = 'not the one that opens';
  for (let tried = 0; tried < 12; tried++) await house.call(null, login, { email: mia.email, password });
  await house.call(null, verifyEmail, { email: mia.email, code: '000000' });
  await house.call(null, refreshToken, { refreshToken: 'x'.repeat(43) });
  await house.call(mia, listUsers, {});
  for (const signature of [undefined, 't=1,v1=00'])
    await house.app.inject({
      method: 'POST',
      url: webhookPath,
      payload: { id: 'evt_forged' },
      headers: signature === undefined ? {} : { 'stripe-signature': signature },
    });
  const after = await figures();
  const more = (event: SecurityEvent) => after.get(event)!.lately - before.get(event)!.lately;
  // Ten wrong passwords, then the limit of the account at one address.
  expect(more('signInFailed')).toBe(10);
  expect(more('rateLimited')).toBe(2);
  expect(more('codeRefused')).toBe(1);
  expect(more('tokenRefused')).toBe(1);
  expect(more('forbidden')).toBe(1);
  expect(more('webhookForged')).toBe(2);
  expect(after.get('forbidden')).toMatchObject({ day: 1, week: 1, lastAt: '2026-11-23T15:20:00.000Z' });

  house.clock.advance(3 * hourMs);
  expect((await figures()).get('forbidden')).toMatchObject({ lately: 0, day: 1 });
  house.clock.advance(-3 * hourMs);
});

test('reading of people leaves a trace: who read, in which list, of whom, how often', async () => {
  await house.platform.db.delete(adminReadings);
  const leo = await house.person('Leo Lonely');
  await house.ok(admin, listUsers, { text: 'leo lonely' });
  house.clock.advance(60_000);
  await house.ok(admin, listUsers, { text: leo.email });
  expect(await readings()).toMatchObject([
    {
      admin: { id: admin.id },
      list: 'users',
      times: 2,
      peopleCount: 1,
      people: [{ id: leo.id }],
      firstAt: '2026-11-23T15:20:00.000Z',
      lastAt: '2026-11-23T15:21:00.000Z',
    },
  ]);
  // The photos of a driver license, in the next hour.
  house.clock.advance(hourMs);
  await house.platform.db.insert(licences).values({
    id: crypto.randomUUID(),
    userId: leo.id,
    status: 'Reviewing',
    createdAt: house.clock.now(),
  });
  await house.ok(admin, waitingLicences, {});
  await house.ok(admin, listUsers, {});
  const [list, photos, ...earlier] = await readings();
  expect(photos).toMatchObject({ list: 'licences', people: [{ id: leo.id }] });
  expect(list!.peopleCount).toBeGreaterThan(2);
  expect(earlier).toHaveLength(1);

  // A person who is gone is named no more.
  await house.platform.db.delete(users).where(eq(users.id, leo.id));
  expect((await readings()).at(-1)).toMatchObject({ peopleCount: 0, people: [] });
});

test('every list in which admins read of people leaves its trace', async () => {
  await house.platform.db.delete(adminReadings);
  const ofNoPerson = [statistics, securityFigures, listAudit, listReadings].map(({ path }) => path);
  const reading = allEndpoints.filter(({ who, method }) => who === 'admin' && method === 'GET');
  const lists = reading.filter(({ path }) => !ofNoPerson.includes(path));
  for (const endpoint of lists) await house.ok(admin, endpoint, {});
  expect((await readings()).map(({ times }) => times)).toEqual(lists.map(() => 1));
  expect(lists).toHaveLength(reading.length - ofNoPerson.length);
});

test('a reading that cannot be noted shows nothing', async () => {
  await house.platform.db.execute('alter table admin_readings rename to admin_readings_away');
  try {
    await expect(house.call(admin, listUsers, {})).rejects.toThrow('HTTP 500');
  } finally {
    await house.platform.db.execute('alter table admin_readings_away rename to admin_readings');
  }
});

test('who tries again to deliver a message, or drops it, stands in the log', async () => {
  const noa = await house.person('Noa');
  const lost = () => ({
    id: crypto.randomUUID(),
    task: 'letter' as const,
    recipient: noa.email,
    what: 'Your code',
    payload: { to: noa.email, subject: 'Your code', text: 'x' },
    error: 'The server is away.',
    attempts: 9,
    at: house.clock.now(),
  });
  const [first, second] = [lost(), lost()];
  await house.platform.db.insert(undelivered).values([first, second]);
  await house.ok(admin, listUndelivered, {});
  expect((await readings()).find(({ list }) => list === 'undelivered')?.people).toMatchObject([
    { id: noa.id },
  ]);
  await house.ok(admin, deliverAgain, { id: first.id });
  await house.ok(admin, deliverAgain, { id: second.id, drop: true });
  const { entries } = await house.ok(admin, listAudit, {});
  const by = { admin: { id: admin.id }, person: { id: noa.id }, note: 'Your code' };
  expect(entries.slice(0, 2)).toMatchObject([
    { action: 'undelivered.dropped', ...by },
    { action: 'undelivered.again', ...by },
  ]);
});
