import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as access from '#contract/access/endpoints.ts';
import type { SessionUser } from '#contract/access/endpoints.ts';
import type { Envelope } from '#contract/envelope.ts';
import { readProfile } from '#contract/user/endpoints.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../platform/clock.ts';
import { emailCodes, sessions, signups } from '../../schema/identity.ts';
import { attempts, outboxMessages } from '../../schema/platform.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { enrollAccount } from '../../testing/enroll-account.ts';

const password = 'correct-donkey-tram';
let app: TestApp;
let email = '';
let count = 0;
beforeAll(async () => {
  app = await openTestApp({ env: { TRUST_PROXY: '1' } });
});
afterAll(() => app.close());
beforeEach(async () => {
  count += 1;
  email = `victim${count}@example.com`;
  await enrollAccount(app.platform, { email, name: 'Vic', password });
});

/** A call from a network address of its own. */
async function from(address: string, path: string, payload: object): Promise<Envelope<unknown>> {
  const response = await app.http.inject({
    method: 'POST',
    url: path,
    payload,
    headers: { 'x-forwarded-for': address },
  });
  return response.json();
}
const loginFrom = (address: string, typed = password) =>
  from(address, '/access/login', { email, password: typed });
const home = () => `198.51.100.${count}`;
const stranger = (index: number) => `203.0.113.${index % 250}`;

test('a hundred guesses from all over the world do not shut the person out at home', async () => {
  expect((await loginFrom(home())).code).toBe(200);
  for (let index = 0; index < 100; index++) await loginFrom(stranger(index), 'wrong-donkey-tram');
  expect((await loginFrom(stranger(101))).code).toBe(429);
  expect((await loginFrom(home())).code).toBe(200);
});

test('from a new place the code in an email opens the door that others have been hammering on', async () => {
  for (let index = 0; index < 101; index++) await loginFrom(stranger(index), 'wrong-donkey-tram');
  const cafe = '192.0.2.77';
  expect((await loginFrom(cafe)).code).toBe(429);
  await from(cafe, '/access/retrieve-password', { email });
  const code = await codeOf();
  await from(cafe, '/access/retrieve-password-confirm', { email, code, password: 'seventeen ducks' });
  expect((await loginFrom(cafe, 'seventeen ducks')).code).toBe(200);
});

test('wrong codes from elsewhere do not use up the code in the person’s email', async () => {
  await from(home(), '/access/retrieve-password', { email });
  const code = await codeOf();
  const wrong = code === '000000' ? '111111' : '000000';
  const confirm = (address: string, typed: string) =>
    from(address, '/access/retrieve-password-confirm', { email, code: typed, password: 'seventeen ducks' });
  for (let index = 0; index < 8; index++) {
    const reason = index < 5 ? 'access.codeWrong' : 'access.codeExpired';
    expect(await confirm(stranger(1), wrong)).toMatchObject({ code: 422, reason });
  }
  expect((await confirm(home(), code)).code).toBe(200);
});

test('who asks for code after code from one place soon has to wait; the person elsewhere has not', async () => {
  for (let index = 0; index < 10; index++) {
    expect((await from(stranger(7), '/access/retrieve-password', { email })).code).toBe(200);
    app.clock.advance(61 * secondMs);
  }
  expect((await from(stranger(7), '/access/retrieve-password', { email })).code).toBe(429);
  expect((await from(home(), '/access/retrieve-password', { email })).code).toBe(200);
});

test('one network of the new kind is one place, however many addresses it has', async () => {
  for (let index = 0; index < 10; index++)
    await loginFrom(`2001:db8:1:2::${index.toString(16)}`, 'wrong-donkey-tram');
  expect((await loginFrom('2001:db8:1:2:ffff::1')).code).toBe(429);
  expect((await loginFrom('2001:db8:1:3::1')).code).toBe(200);
});

const as = (user: SessionUser) => ({ id: user.id, email, token: user.accessToken });
const login = () => app.ok(null, access.login, { email, password });

test('a person sees where they are signed in and ends one, or all but this one', async () => {
  const [phone, laptop, lost] = [await login(), await login(), await login()];
  await app.ok(null, access.refreshToken, { refreshToken: phone.refreshToken });
  const { sessions: open } = await app.ok(as(laptop), access.sessions, {});
  expect(open).toHaveLength(3);
  expect(open.filter(({ current }) => current)).toHaveLength(1);
  const { sessions: seenByLost } = await app.ok(as(lost), access.sessions, {});
  const lostId = seenByLost.find(({ current }) => current)!.id;
  expect(await app.ok(as(laptop), access.endSession, { id: lostId })).toEqual({ ended: 1 });
  expect((await app.call(as(lost), readProfile, {})).code).toBe(400);
  expect((await app.call(null, access.refreshToken, { refreshToken: lost.refreshToken })).code).toBe(400);
  expect(await app.call(as(laptop), access.endSession, { id: lostId })).toMatchObject({
    code: 404,
    reason: 'session.notFound',
  });
  expect(await app.ok(as(laptop), access.endSession, {})).toEqual({ ended: 1 });
  expect((await app.call(as(laptop), readProfile, {})).code).toBe(200);
});

test('who has not proved who they are lately is asked before a sign-in is ended', async () => {
  const [owner, other] = [await login(), await login()];
  app.clock.advance(11 * minuteMs);
  const asked = await app.call(as(owner), access.endSession, {});
  expect(asked).toMatchObject({ code: 403, reason: 'session.stepUp' });
  expect((await app.call(as(other), readProfile, {})).code).toBe(200);
});

test('nobody ends or sees the session of somebody else', async () => {
  const mine = await login();
  const { sessions: open } = await app.ok(as(mine), access.sessions, {});
  const other = await app.person('Other');
  expect(await app.call(other, access.endSession, { id: open[0]!.id })).toMatchObject({ code: 404 });
  const { sessions: theirs } = await app.ok(other, access.sessions, {});
  expect(theirs.map(({ id }) => id)).not.toContain(open[0]!.id);
  expect((await app.call(as(mine), readProfile, {})).code).toBe(200);
});

test('what is over is cleared away, and what could still come back is not', async () => {
  const { db } = app.platform;
  const old = await login();
  const next = await app.ok(null, access.refreshToken, { refreshToken: old.refreshToken });
  await app.ok(null, access.signup, { email: `late${count}@example.com`, password });
  app.clock.advance(dayMs + minuteMs);
  await app.scheduler.tick();
  expect(await db.$count(signups)).toBe(0);
  expect(await db.$count(emailCodes)).toBe(0);
  expect(await db.$count(attempts)).toBe(0);
  // The server must detect reuse of the old token, so its row exists as long as the family.
  expect(await db.$count(sessions, eq(sessions.userId, next.id))).toBe(2);
  app.clock.advance(95 * dayMs);
  await app.scheduler.tick();
  expect(await db.$count(sessions, eq(sessions.userId, next.id))).toBe(0);
  app.clock.advance(hourMs);
});

async function codeOf(): Promise<string> {
  await app.deliver();
  const letters = await app.platform.db
    .select()
    .from(outboxMessages)
    .where(eq(outboxMessages.recipient, email));
  return /\d{6}/.exec(letters.at(-1)?.subject ?? '')?.[0] ?? '';
}
