import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { allEndpoints } from '#contract/all.ts';
import { login } from '#contract/access/endpoints.ts';
import { onboardLink } from '#contract/payments/endpoints.ts';
import { deleteAccount } from '#contract/privacy/endpoints.ts';
import { later, minuteMs, secondMs } from '../../../platform/clock.ts';
import { users } from '../../../schema/identity.ts';
import { giveSecondFactor, setProvedAt } from '../../../testing/people.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../../testing/test-app.ts';
import { enrollAccount } from '../../../testing/enroll-account.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ env: { PUBLIC_URL: 'https://ride.example.com' } });
});
afterAll(() => app.close());

const calls = allEndpoints.filter(({ stepUp }) => stepUp === true);
const proveLongAgo = (who: TestPerson) =>
  setProvedAt(app.platform, who.id, later(app.clock.now(), -10 * minuteMs - secondMs));
const proveNow = (who: TestPerson) => setProvedAt(app.platform, who.id, app.clock.now());

let owner: TestPerson;
beforeEach(async () => {
  owner = await app.person('Olga', { staffRole: 'owner' });
});

test.each(calls.map((endpoint) => [endpoint.path, endpoint] as const))(
  '%s refuses an old proof before it looks at anything else, and takes a fresh one',
  async (_, endpoint) => {
    await proveLongAgo(owner);
    expect(await app.callUnchecked(owner, endpoint, {})).toMatchObject({
      code: 403,
      reason: 'session.stepUp',
    });
    await proveNow(owner);
    const answer = await app.callUnchecked(owner, endpoint, {});
    expect(answer.code).not.toBe(403);
    expect(answer.reason).not.toBe('session.stepUp');
  },
);

test('these calls need a proof: money, the export, keys, webhooks, roles, and what signs a person in', () => {
  expect(calls.map(({ path }) => path).toSorted()).toEqual([
    '/access/end-session',
    '/access/passkey-begin',
    '/access/passkey-remove',
    '/access/recovery-codes',
    '/access/totp-begin',
    '/access/totp-remove',
    '/access/update-phone',
    '/admin/answer-chargeback',
    '/admin/clear-chargeback',
    '/admin/end-alarm',
    '/admin/give-role',
    '/admin/make-key',
    '/admin/map-group',
    '/admin/renew-webhook-secret',
    '/admin/resolve-dispute',
    '/admin/save-webhook',
    '/admin/settle-broken',
    '/admin/write-off-debt',
    '/payment/onboard-link',
    '/user/export',
    '/user/start-export',
  ]);
  const ofMoney = allEndpoints.filter(
    ({ method, permission }) =>
      method === 'POST' && (permission === 'money.settle' || permission === 'disputes.decide'),
  );
  expect(ofMoney.filter(({ stepUp }) => stepUp !== true)).toEqual([]);
});

test('the form for being paid is opened after a fresh proof only', async () => {
  const driver = await app.person('Dora');
  await proveLongAgo(driver);
  expect((await app.call(driver, onboardLink, {})).reason).toBe('session.stepUp');
  await proveNow(driver);
  expect((await app.ok(driver, onboardLink, {})).url).toMatch(/^https?:/);
});

test('an account is deleted after a fresh proof, or with the password where that is all there is', async () => {
  const dueAt = async (id: string) =>
    (await app.platform.db.select({ at: users.deletionDueAt }).from(users).where(eq(users.id, id)))[0]!.at;
  const without = await app.person('Nils');
  await proveLongAgo(without);
  expect((await app.call(without, deleteAccount, {})).reason).toBe('session.stepUp');
  expect(await dueAt(without.id)).toBeNull();
  await proveNow(without);
  await app.ok(without, deleteAccount, {});
  expect(await dueAt(without.id)).not.toBeNull();

  const [email, password] = ['nora@example.com', 'correct-donkey-tram'];
  await enrollAccount(app.platform, { email, phone: '', name: 'Nora', password, language: 'en' });
  const { id, accessToken: token } = await app.ok(null, login, { email, password });
  const nora = { id, email, token };
  await giveSecondFactor(app.platform, id);
  await proveLongAgo(nora);
  // With a second factor, the password alone is not enough.
  expect((await app.call(nora, deleteAccount, { password })).reason).toBe('session.stepUp');
  await proveNow(nora);
  expect((await app.call(nora, deleteAccount, { password: 'not the one' })).reason).toBe(
    'privacy.passwordWrong',
  );
  expect(await dueAt(id)).toBeNull();
  await app.ok(nora, deleteAccount, { password });
  expect(await dueAt(id)).not.toBeNull();
});
