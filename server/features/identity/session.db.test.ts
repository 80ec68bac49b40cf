import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { eq } from 'drizzle-orm';
import * as access from '#contract/access/endpoints.ts';
import type { SessionUser } from '#contract/access/endpoints.ts';
import type { StaffRole } from '#contract/admin/roles.ts';
import { readProfile } from '#contract/user/endpoints.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../platform/clock.ts';
import type { Refusal } from '../../platform/refusal.ts';
import { adminActions } from '../../schema/audit.ts';
import { sessions, users } from '../../schema/identity.ts';
import { idempotency, outboxMessages } from '../../schema/platform.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { enrollAccount } from '../../testing/enroll-account.ts';
import { giveRoleByEmail } from './service.ts';

const password = 'correct-donkey-tram';
let app: TestApp;
let count = 0;
let email = '';
let phone = '';

beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  count += 1;
  email = `person${count}@example.com`;
  phone = `+1415555${String(100 + count).padStart(4, '0')}`;
  await enrollAccount(app.platform, { email, phone, name: 'Nora', password, language: 'en' });
});

const as = (user: SessionUser) => ({ id: user.id, email, token: user.accessToken });
const login = () => app.ok(null, access.login, { email, password });
const isIn = async (user: SessionUser) => (await app.call(as(user), readProfile, {})).code === 200;
const resetCode = async () => {
  await app.ok(null, access.retrievePassword, { email });
  await app.deliver();
  const letters = await app.platform.db
    .select()
    .from(outboxMessages)
    .where(eq(outboxMessages.recipient, email));
  return /\d{6}/.exec(letters.at(-1)?.subject ?? '')?.[0] ?? '';
};

test('e-mail or phone and the password sign in; only hashes of the tokens are kept', async () => {
  const byEmail = await app.ok(null, access.login, { email: email.toUpperCase(), password });
  const byPhone = await app.ok(null, access.login, { phone: phone.slice(2), password });
  expect(byPhone.id).toBe(byEmail.id);
  expect(byPhone).toMatchObject({ authed: true, profileMissing: false, name: 'Nora' });
  const kept = JSON.stringify(await app.platform.db.select().from(sessions));
  for (const secret of [byEmail.accessToken, byEmail.refreshToken]) expect(kept).not.toContain(secret);
});

test('a wrong password, an unknown e-mail and an impossible phone get one and the same answer', async () => {
  const answers = [
    await app.call(null, access.login, { email, password: 'wrong-donkey-tram' }),
    await app.call(null, access.login, { email: 'nobody@example.com', password }),
    await app.call(null, access.login, { phone: '12', password }),
  ];
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  expect(answers[0]).toMatchObject({ code: 422, reason: 'access.wrong' });
  expect(await app.call(null, access.login, { password })).toMatchObject({ reason: 'access.nameMissing' });
});

test('a sign-up that waits for its code is told so, with the right password only', async () => {
  const waiting = `waiting${count}@example.com`;
  await app.ok(null, access.signup, { email: waiting, password });
  const right = await app.call(null, access.login, { email: waiting, password });
  expect(right).toMatchObject({ code: 422, reason: 'access.notVerified' });
  const wrong = await app.call(null, access.login, { email: waiting, password: 'wrong-donkey-tram' });
  expect(wrong).toMatchObject({ code: 422, reason: 'access.wrong' });
});

test('ten wrong passwords close the door for a quarter of an hour; a right one clears the count', async () => {
  const tryWrong = () => app.call(null, access.login, { email, password: 'wrong-donkey-tram' });
  for (let tries = 0; tries < 9; tries++) await tryWrong();
  await login();
  for (let tries = 0; tries < 10; tries++) expect((await tryWrong()).code).toBe(422);
  expect(await app.call(null, access.login, { email, password })).toMatchObject({ code: 429 });
  app.clock.advance(15 * minuteMs + secondMs);
  await login();
});

test('a refresh token gives a new pair once; the old access token ends', async () => {
  const first = await login();
  const second = await app.ok(null, access.refreshToken, { refreshToken: first.refreshToken });
  expect(second.id).toBe(first.id);
  expect([await isIn(first), await isIn(second)]).toEqual([false, true]);
});

test('a sign-in ends after a year, however often it is renewed', async () => {
  let latest = await login();
  for (let month = 0; month < 12; month++) {
    app.clock.advance(30 * dayMs);
    latest = await app.ok(null, access.refreshToken, { refreshToken: latest.refreshToken });
  }
  app.clock.advance(6 * dayMs);
  const late = await app.call(null, access.refreshToken, { refreshToken: latest.refreshToken });
  expect(late).toMatchObject({ code: 400, reason: 'session.missing' });
  expect(await isIn(latest)).toBe(false);
});

test('a refresh token used twice ends the whole family with its sockets, and nobody else', async () => {
  const drop = vi.spyOn(app.platform.realtime, 'drop');
  const elsewhere = await login();
  const first = await login();
  const second = await app.ok(null, access.refreshToken, { refreshToken: first.refreshToken });
  const third = await app.ok(null, access.refreshToken, { refreshToken: second.refreshToken });
  app.clock.advance(minuteMs);
  const reuse = await app.call(null, access.refreshToken, { refreshToken: first.refreshToken });
  expect(reuse).toMatchObject({ code: 400, reason: 'session.missing' });
  expect(drop).toHaveBeenCalledTimes(3);
  expect([await isIn(third), await isIn(elsewhere)]).toEqual([false, true]);
  const after = await app.call(null, access.refreshToken, { refreshToken: third.refreshToken });
  expect(after.code).toBe(400);
  drop.mockRestore();
});

test('an answer that got lost on the way is given again; a stolen token that was used ends the family', async () => {
  const first = await login();
  await app.ok(null, access.refreshToken, { refreshToken: first.refreshToken });
  app.clock.advance(minuteMs);
  const again = await app.ok(null, access.refreshToken, { refreshToken: first.refreshToken });
  expect(await isIn(again)).toBe(true);
  app.clock.advance(minuteMs);
  const stolen = await app.call(null, access.refreshToken, { refreshToken: first.refreshToken });
  expect(stolen.code).toBe(400);
  expect(await isIn(again)).toBe(false);
});

test('a thief who trades in a stolen token whose pair is unused loses it as soon as its owner comes back', async () => {
  const first = await login();
  const owners = await app.ok(null, access.refreshToken, { refreshToken: first.refreshToken });
  app.clock.advance(minuteMs);
  const thiefs = await app.ok(null, access.refreshToken, { refreshToken: first.refreshToken });
  expect([await isIn(owners), await isIn(thiefs)]).toEqual([false, true]);
  const back = await app.call(null, access.refreshToken, { refreshToken: owners.refreshToken });
  expect(back.code).toBe(400);
  expect(await isIn(thiefs)).toBe(false);
  const thiefAgain = await app.call(null, access.refreshToken, { refreshToken: thiefs.refreshToken });
  expect(thiefAgain.code).toBe(400);
});

test('of many tabs that use one refresh token at once, each ends up with a pair that works', async () => {
  const first = await login();
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => app.ok(null, access.refreshToken, { refreshToken: first.refreshToken })),
  );
  expect(await Promise.all(answers.map((answer) => isIn(answer)))).toEqual([
    true,
    true,
    true,
    true,
    true,
    true,
  ]);
  const [one, ...others] = answers;
  const { sessions: listed } = await app.ok(as(one!), access.sessions, {});
  expect(listed.filter(({ current }) => current)).toHaveLength(1);
  // After the next renewal one of them remains.
  app.clock.advance(minuteMs);
  const next = await app.ok(null, access.refreshToken, { refreshToken: one!.refreshToken });
  expect(await isIn(next)).toBe(true);
  expect(await Promise.all(others.map((answer) => isIn(answer)))).not.toContain(true);
});

test(
  'two tabs that renew at the edge of the token’s life, a thousand times, are never signed out',
  { timeout: 600_000 },
  async () => {
    let kept = await login();
    for (let round = 0; round < 1000; round++) {
      // Before the limit, on it, and after it.
      app.clock.advance(hourMs - 30 * secondMs + (round % 7) * 10 * secondMs);
      const { refreshToken } = kept;
      const renew = () => app.call(null, access.refreshToken, { refreshToken });
      const answers =
        round % 3 === 0 ? [await renew(), await renew()] : await Promise.all([renew(), renew()]);
      expect(answers.map(({ code }) => code)).toEqual([200, 200]);
      // Both tabs use the pair of the tab that wrote last.
      kept = answers[round % 2]!.data as SessionUser;
      if (round % 50 === 0) expect(await isIn(kept)).toBe(true);
    }
    expect(await isIn(kept)).toBe(true);
  },
);

test('unknown and outlived tokens send to the sign-in page', async () => {
  const user = await login();
  app.clock.advance(hourMs + secondMs);
  expect(await app.call(as(user), readProfile, {})).toMatchObject({ code: 400, reason: 'session.missing' });
  const renewed = await app.ok(null, access.refreshToken, { refreshToken: user.refreshToken });
  app.clock.advance(60 * dayMs + secondMs);
  for (const refreshToken of ['unknown', renewed.refreshToken])
    expect(await app.call(null, access.refreshToken, { refreshToken })).toMatchObject({ code: 400 });
});

test('signing out ends this session and its refresh token, not the one on another device', async () => {
  const here = await login();
  const there = await login();
  await app.ok(as(here), access.logout, {});
  expect([await isIn(here), await isIn(there)]).toEqual([false, true]);
  const refused = await app.call(null, access.refreshToken, { refreshToken: here.refreshToken });
  expect(refused.code).toBe(400);
});

test('a reset code sets a new password, once, and ends every session', async () => {
  const drop = vi.spyOn(app.platform.realtime, 'drop');
  const [one, two] = [await login(), await login()];
  const code = await resetCode();
  const common = { email, code, password: 'Password2024!' };
  expect(await app.call(null, access.retrievePasswordConfirm, common)).toMatchObject({
    reason: 'access.passwordCommon',
  });
  const fresh = { email, code, password: 'seventeen ducks' };
  await app.ok(null, access.retrievePasswordConfirm, fresh);
  expect([await isIn(one), await isIn(two)]).toEqual([false, false]);
  expect(drop).toHaveBeenCalledTimes(2);
  drop.mockRestore();
  expect(await app.call(null, access.login, { email, password })).toMatchObject({ reason: 'access.wrong' });
  await app.ok(null, access.login, { email, password: 'seventeen ducks' });
  expect(await app.call(null, access.retrievePasswordConfirm, fresh)).toMatchObject({
    reason: 'access.codeExpired',
  });
});

test('the old password sets a new one: other sessions end, this one stays, and an email tells the person', async () => {
  const drop = vi.spyOn(app.platform.realtime, 'drop');
  const [here, there] = [await login(), await login()];
  const change = (oldPassword: string, fresh: string) =>
    app.call(as(here), access.changePassword, { oldPassword, password: fresh });
  expect(await change('wrong-donkey-tram', 'seventeen ducks')).toMatchObject({
    code: 422,
    reason: 'access.passwordWrong',
    data: { fields: { oldPassword: expect.any(String) as string } },
  });
  expect(await change(password, 'Password2024!')).toMatchObject({
    reason: 'access.passwordCommon',
    data: { fields: { password: expect.any(String) as string } },
  });
  expect(await change(password, 'eleven char')).toMatchObject({
    data: { fields: { password: 'Please enter a password of at least 12 characters.' } },
  });
  expect([await isIn(here), await isIn(there)]).toEqual([true, true]);

  expect(await change(password, 'seventeen ducks')).toMatchObject({ code: 200, data: { ended: 1 } });
  expect([await isIn(here), await isIn(there)]).toEqual([true, false]);
  expect(drop).toHaveBeenCalledTimes(1);
  drop.mockRestore();
  expect(await app.call(null, access.login, { email, password })).toMatchObject({ reason: 'access.wrong' });
  await app.ok(null, access.login, { email, password: 'seventeen ducks' });
  await app.deliver();
  const letters = await app.platform.db
    .select()
    .from(outboxMessages)
    .where(eq(outboxMessages.recipient, email));
  expect(letters.at(-1)?.body).toContain('we signed you out on your other devices');
});

test('of two changes at once with the same old password one counts', async () => {
  const here = await login();
  const answers = await Promise.all(
    ['seventeen ducks', 'eighteen geese'].map((fresh) =>
      app.call(as(here), access.changePassword, { oldPassword: password, password: fresh }),
    ),
  );
  expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 422]);
});

test('ten wrong old passwords close this door too, and an account without a password is told how to get one', async () => {
  const here = await login();
  const change = (oldPassword: string) =>
    app.call(as(here), access.changePassword, { oldPassword, password: 'seventeen ducks' });
  for (let tries = 0; tries < 10; tries++) expect((await change('wrong-donkey-tram')).code).toBe(422);
  expect(await change(password)).toMatchObject({ code: 429 });
  app.clock.advance(15 * minuteMs + secondMs);
  await app.platform.db.update(users).set({ passwordHash: '' }).where(eq(users.id, here.id));
  expect(await change(password)).toMatchObject({ code: 422, reason: 'access.passwordNone' });
});

test('a session is not born from a password that is being reset', async () => {
  const code = await resetCode();
  const [, ...answers] = await Promise.all([
    app.ok(null, access.retrievePasswordConfirm, { email, code, password: 'seventeen ducks' }),
    ...Array.from({ length: 4 }, () => app.call(null, access.login, { email, password })),
  ]);
  for (const answer of answers)
    if (answer.code === 200) expect(await isIn(answer.data as SessionUser)).toBe(false);
});

test('asking for a reset tells nobody whether the account exists', async () => {
  const unknown = `unknown${count}@example.com`;
  const of = async (address: string) => [
    await app.call(null, access.retrievePassword, { email: address }),
    await app.call(null, access.retrievePasswordConfirm, { email: address, code: '000000', password }),
  ];
  // One known address in a million is met by 000000.
  expect(await of(unknown)).toEqual(await of(email));
  await app.deliver();
  const letters = await app.platform.db.select().from(outboxMessages);
  expect(letters.filter((letter) => letter.recipient === unknown)).toEqual([]);
  expect((await app.call(null, access.retrievePassword, { email: unknown })).code).toBe(429);
});

test('an admin is made and unmade by command, at once', async () => {
  const give = (address: string, role?: StaffRole | null) =>
    giveRoleByEmail(app.platform.db, { email: address, role }, app.clock.now());
  const reasonOf = (change: Promise<unknown>) => change.catch((error: Refusal) => error.reason);
  await app.person('Olga', { staffRole: 'owner' });
  expect(await give(` ${email.toUpperCase()} `)).toBe('admin');
  expect(await login()).toMatchObject({ isAdmin: true, staffRole: 'admin' });
  expect(await reasonOf(give(email, 'admin'))).toBe('admin.movedOn');
  expect(await give(email, null)).toBeNull();
  expect(await login()).toMatchObject({ isAdmin: false, staffRole: null });
  expect(await reasonOf(give('nobody@example.com'))).toBe('admin.userNotFound');
  const log = await app.platform.db.select().from(adminActions);
  expect(log.map(({ action, adminId }) => [action, adminId])).toEqual([
    ['admin.granted', null],
    ['admin.revoked', null],
  ]);
});

test('the first person with a role is an owner, and the last owner stays one', async () => {
  await app.platform.db.update(users).set({ staffRole: null });
  const give = (address: string, role?: StaffRole | null) =>
    giveRoleByEmail(app.platform.db, { email: address, role }, app.clock.now());
  const reasonOf = (change: Promise<unknown>) => change.catch((error: Refusal) => error.reason);
  expect(await give(email)).toBe('owner');
  expect(await reasonOf(give(email, null))).toBe('admin.lastOwner');
  expect(await reasonOf(give(email, 'support'))).toBe('admin.lastOwner');
  const other = await app.person('Otto');
  await give(other.email, 'owner');
  // Each takes the other's role at the same moment: one owner remains.
  const both = await Promise.all([reasonOf(give(email, null)), reasonOf(give(other.email, null))]);
  expect(both).toContain('admin.lastOwner');
  expect(both).toContain(null);
});

test('answers that hold tokens are never kept, whatever key they were asked with', async () => {
  const first = await login();
  const who = { id: first.id, email, token: first.accessToken };
  const idempotencyKey = crypto.randomUUID();
  const again = await app.call(who, access.login, { email, password }, { idempotencyKey });
  expect(again.code).toBe(200);
  expect(await app.platform.db.select().from(idempotency)).toEqual([]);
});
