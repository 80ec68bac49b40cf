import { afterAll, beforeAll, expect, test } from 'vitest';
import { config, version } from '#contract/app/endpoints.ts';
import { moveClock, readOutbox } from '#contract/demo/endpoints.ts';
import { login, retrievePassword } from '#contract/access/endpoints.ts';
import { dayMs, hourMs, later } from '../../platform/clock.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { enrollAccount } from '../../testing/enroll-account.ts';
import { readClockOffset } from './store.ts';

let demo: TestApp;
let plain: TestApp;
let production: TestApp;
beforeAll(async () => {
  [demo, plain, production] = await Promise.all([
    openTestApp({ env: { DEMO: '1' } }),
    // Without a choice, each person still sees only their own emails.
    openTestApp({ env: { NODE_ENV: 'development' } }),
    openTestApp({ env: { DEMO: '1', NODE_ENV: 'production' } }),
  ]);
});
afterAll(async () => {
  await Promise.all([demo.close(), plain.close(), production.close()]);
});

test('emails are readable where no mail server takes them, newest first', async () => {
  const mia = await demo.person('Mia');
  await demo.ok(null, retrievePassword, { email: mia.email });
  await demo.deliver();
  demo.clock.advance(61_000);
  await demo.ok(null, retrievePassword, { email: mia.email });
  await demo.deliver();
  const { letters } = await demo.ok(null, readOutbox, {});
  expect(letters).toHaveLength(2);
  expect(letters[0]?.to).toBe(mia.email);
  expect(letters[0]?.text).toMatch(/\d{6}/);
  expect((letters[0]?.at ?? '') > (letters[1]?.at ?? '')).toBe(true);
});

test('where the demo is not served its paths answer like any unknown path', async () => {
  for (const app of [plain, production]) {
    const answerTo = async (method: 'GET' | 'POST', url: string) => {
      const { statusCode, body } = await app.http.inject(
        method === 'GET' ? { method, url } : { method, url, payload: { to: null } },
      );
      return { statusCode, body: body.replaceAll(url, '') };
    };
    expect(await answerTo('GET', '/demo/outbox')).toEqual(await answerTo('GET', '/demo/nothing'));
    expect(await answerTo('POST', '/demo/clock')).toEqual(await answerTo('POST', '/demo/nothing'));
  }
});

test('the clock moves forward, keeps its lead over a restart, and goes back to the real time', async () => {
  const to = later(demo.clock.now(), 3 * dayMs);
  const moved = await demo.ok(null, moveClock, { to: to.toISOString() });
  expect(Math.abs(new Date(moved.now).getTime() - to.getTime())).toBeLessThan(5000);
  expect(Math.abs((await readClockOffset(demo.platform.db)) - demo.clock.offsetMs)).toBeLessThan(5000);
  const { now } = await demo.ok(null, config, {});
  expect(now >= moved.now).toBe(true);
  const back = await demo.call(null, moveClock, { to: later(to, -hourMs).toISOString() });
  expect(back).toMatchObject({ code: 422, reason: 'clock.backwards' });
  await demo.ok(null, moveClock, { to: null });
  expect(Math.abs(demo.clock.now().getTime() - Date.now())).toBeLessThan(5000);
  expect(await readClockOffset(demo.platform.db)).toBe(0);
});

test('the app learns what this installation is', async () => {
  expect(await demo.ok(null, version, {})).toEqual({ version: '3.0.20', build: 3020, ready: true });
  expect(await demo.ok(null, config, {})).toMatchObject({
    demo: true,
    mailOutbox: true,
    region: { name: 'santa-cruz', timeZone: 'America/Los_Angeles' },
    tilesUrl: null,
    advisedCentsPerMile: 21,
    maxTransactionCents: 50_000,
  });
  expect(await plain.ok(null, config, {})).toMatchObject({ demo: false, mailOutbox: false, demoSignIns: [] });
  expect(await production.ok(null, config, {})).toMatchObject({
    demo: false,
    mailOutbox: false,
    demoSignIns: [],
  });
});

test('the accounts that the demo offers sign in once they are enrolled', async () => {
  const { demoSignIns } = await demo.ok(null, config, {});
  expect(demoSignIns.map((each) => each.role)).toEqual(['driver', 'passenger', 'admin']);
  for (const { role, name, email, password } of demoSignIns) {
    await enrollAccount(demo.platform, {
      name,
      email,
      password,
      staffRole: role === 'admin' ? 'admin' : null,
    });
    const user = await demo.ok(null, login, { email, password });
    expect(user).toMatchObject({ name, isAdmin: role === 'admin', profileMissing: false });
  }
});
