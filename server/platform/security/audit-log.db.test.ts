import { listAnnouncements } from '#contract/announcements/endpoints.ts';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { login, refreshToken, verifyEmail } from '#contract/access/endpoints.ts';
import { listAudit, listReadings, listUsers, statistics } from '#contract/admin/endpoints.ts';
import { readQueue } from '#contract/admin/operations.ts';
import { securityFigures, type SecurityEvent } from '#contract/admin/security.ts';
import { allEndpoints } from '#contract/all.ts';
import { listCannedAnswers, readTicket, ticketAssignees } from '#contract/tickets/endpoints.ts';
import { readDirectory } from '#contract/connect/directory.ts';
import { listKeys } from '#contract/connect/keys.ts';
import { listDeliveries, listWebhooks } from '#contract/connect/webhooks.ts';
import { waitingLicenses } from '#contract/licenses/endpoints.ts';
import { deliverAgain, listUndelivered } from '#contract/notifications/endpoints.ts';
import { hourMs } from '../clock.ts';
import { webhookPath } from '../../features/payments/routes.ts';
import { adminReadings } from '../../schema/audit.ts';
import { undelivered } from '../../schema/platform.ts';
import { users } from '../../schema/identity.ts';
import { licenses } from '../../schema/vehicles.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../testing/test-app.ts';
import { StandingClock } from '../../testing/fixed-clock.ts';

let app: TestApp;
let admin: TestPerson;
beforeAll(async () => {
  app = await openTestApp({ clock: new StandingClock(new Date('2026-11-23T15:20:00Z')) });
  admin = await app.person('Ada', { isAdmin: true });
});
afterAll(() => app.close());

const readings = async () => (await app.ok(admin, listReadings, {})).entries;

test('what an attack leaves is counted, and shown to admins', async () => {
  const mia = await app.person('Mia');
  const figures = async () => {
    const { counts } = await app.ok(admin, securityFigures, {});
    return new Map(counts.map((each) => [each.event, each]));
  };
  const before = await figures();
  const password = 'not the one that opens';
  for (let tried = 0; tried < 12; tried++) await app.call(null, login, { email: mia.email, password });
  await app.call(null, verifyEmail, { email: mia.email, code: '000000' });
  await app.call(null, refreshToken, { refreshToken: 'x'.repeat(43) });
  await app.call(mia, listUsers, {});
  for (const signature of [undefined, 't=1,v1=00'])
    await app.http.inject({
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

  app.clock.advance(3 * hourMs);
  expect((await figures()).get('forbidden')).toMatchObject({ lately: 0, day: 1 });
  app.clock.advance(-3 * hourMs);
});

test('reading of people leaves a trace: who read, in which list, of whom, how often', async () => {
  await app.platform.db.delete(adminReadings);
  const leo = await app.person('Leo Lonely');
  await app.ok(admin, listUsers, { text: 'leo lonely' });
  app.clock.advance(60_000);
  await app.ok(admin, listUsers, { text: leo.email });
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
  app.clock.advance(hourMs);
  await app.platform.db.insert(licenses).values({
    id: crypto.randomUUID(),
    userId: leo.id,
    status: 'Reviewing',
    createdAt: app.clock.now(),
  });
  await app.ok(admin, waitingLicenses, {});
  await app.ok(admin, listUsers, {});
  const [list, photos, ...earlier] = await readings();
  expect(photos).toMatchObject({ list: 'licenses', people: [{ id: leo.id }] });
  expect(list!.peopleCount).toBeGreaterThan(2);
  expect(earlier).toHaveLength(1);

  // A person who is gone is named no more.
  await app.platform.db.delete(users).where(eq(users.id, leo.id));
  expect((await readings()).at(-1)).toMatchObject({ peopleCount: 0, people: [] });
});

test('every list in which admins read of people leaves its trace', async () => {
  await app.platform.db.delete(adminReadings);
  // The list of keys names only team members; the directory only counts people.
  const ofNoPerson = [
    statistics,
    securityFigures,
    listAudit,
    listReadings,
    listAnnouncements,
    listKeys,
    listWebhooks,
    listDeliveries,
    readDirectory,
    readQueue,
    ticketAssignees,
    listCannedAnswers,
  ].map(({ path }) => path);
  const reading = allEndpoints.filter(({ who, method }) => who === 'admin' && method === 'GET');
  // Read one by one: it is in the same list as they are together.
  const ofOne = [readTicket.path as string];
  const lists = reading.filter(({ path }) => ![...ofNoPerson, ...ofOne].includes(path));
  for (const endpoint of lists) await app.ok(admin, endpoint, {});
  expect((await readings()).map(({ times }) => times)).toEqual(lists.map(() => 1));
  expect(lists).toHaveLength(reading.length - ofNoPerson.length - ofOne.length);
});

test('a reading that cannot be noted shows nothing', async () => {
  await app.pool.query('alter table admin_readings rename to admin_readings_away');
  try {
    await expect(app.call(admin, listUsers, {})).rejects.toThrow('HTTP 500');
  } finally {
    await app.pool.query('alter table admin_readings_away rename to admin_readings');
  }
});

test('who tries again to deliver a message, or drops it, stands in the log', async () => {
  const noa = await app.person('Noa');
  const lost = () => ({
    id: crypto.randomUUID(),
    task: 'letter' as const,
    recipient: noa.email,
    what: 'Your code',
    payload: { to: noa.email, subject: 'Your code', text: 'x' },
    error: 'The server is away.',
    attempts: 9,
    at: app.clock.now(),
  });
  const [first, second] = [lost(), lost()];
  await app.platform.db.insert(undelivered).values([first, second]);
  await app.ok(admin, listUndelivered, {});
  expect((await readings()).find(({ list }) => list === 'undelivered')?.people).toMatchObject([
    { id: noa.id },
  ]);
  await app.ok(admin, deliverAgain, { id: first.id });
  await app.ok(admin, deliverAgain, { id: second.id, drop: true });
  const { entries } = await app.ok(admin, listAudit, {});
  const by = { admin: { id: admin.id }, person: { id: noa.id }, note: 'Your code' };
  expect(entries.slice(0, 2)).toMatchObject([
    { action: 'undelivered.dropped', ...by },
    { action: 'undelivered.again', ...by },
  ]);
});
