import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as access from '#contract/access/endpoints.ts';
import { prove } from '#contract/access/second-factor.ts';
import type { Envelope } from '#contract/envelope.ts';
import type { Endpoint } from '#contract/define.ts';
import { hourMs } from '../../platform/clock.ts';
import { outboxMessages } from '../../schema/platform.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { enrollAccount } from '../../testing/enroll-account.ts';

const engine = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const chrome = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${engine} Chrome/140.0.0.0 Safari/537.36`;
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1';
const password = 'correct-donkey-tram';
let app: TestApp;
let count = 0;
let email = '';
beforeAll(async () => {
  app = await openTestApp({ env: { TRUST_PROXY: '1' } });
});
afterAll(() => app.close());
beforeEach(async () => {
  count += 1;
  email = `person${count}@example.com`;
  await enrollAccount(app.platform, { email, phone: '', name: 'Nora', password, language: 'en' });
});

/** A call from a browser at a network address. */
async function by<T = unknown>(
  userAgent: string,
  { method, path }: Endpoint,
  input: object,
  { token = '', address = '203.0.113.7' } = {},
): Promise<Envelope<T>> {
  const headers = {
    'user-agent': userAgent,
    'x-forwarded-for': address,
    ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
  };
  const signed = { ...input, signTime: app.clock.now().getTime(), sign: '' };
  const query = Object.fromEntries(Object.entries(signed).map(([name, value]) => [name, String(value)]));
  const response = await app.http.inject(
    method === 'GET'
      ? { method, url: path, query, headers }
      : { method, url: path, payload: signed, headers },
  );
  return response.json();
}
const signInWith = async (userAgent: string, address?: string) =>
  (
    await by<access.SessionUser>(
      userAgent,
      access.login,
      { email, password },
      address === undefined ? {} : { address },
    )
  ).data!;
const letters = async () => {
  await app.deliver();
  const rows = await app.platform.db
    .select()
    .from(outboxMessages)
    .where(eq(outboxMessages.recipient, email))
    .orderBy(outboxMessages.at);
  return rows.map(({ subject, body }) => [subject, body]);
};

test('an email reports a new device, but not a known one or an account’s first', async () => {
  await signInWith(chrome);
  await signInWith(chrome.replace('140', '151'), '198.51.100.9');
  expect(await letters()).toEqual([]);
  await signInWith(iphone, '198.51.100.9');
  await signInWith(iphone);
  const [[subject, body] = [], ...others] = await letters();
  expect(others).toEqual([]);
  expect(subject).toBe('A new device signed in to your Sameway account');
  expect(body).toContain('Safari · iPhone just signed in to your account, from 198.51.100.*.');
  expect(body).toContain('/pages/account/settings2');
});

test('sessions show device, last network and which one is current; one or all others can be ended', async () => {
  const laptop = await signInWith(chrome);
  const phone = await signInWith(iphone, '198.51.100.9');
  app.clock.advance(2 * hourMs);
  const renewed = await by<access.SessionUser>(
    iphone,
    access.refreshToken,
    { refreshToken: phone.refreshToken },
    { address: '2001:db8:7::1' },
  );
  const list = await by<{ sessions: object[] }>(
    iphone,
    access.sessions,
    {},
    { token: renewed.data!.accessToken },
  );
  expect(list.data!.sessions).toMatchObject([
    { current: true, userAgent: iphone, network: '2001:db8:7::' },
    { current: false, userAgent: chrome, network: '203.0.113.*' },
  ]);
  const token = renewed.data!.accessToken;
  const asked = await by(iphone, access.endSession, {}, { token });
  expect(asked.reason).toBe('session.stepUp');
  await by(iphone, prove, { password }, { token });
  const ended = await by<{ ended: number }>(iphone, access.endSession, {}, { token });
  expect(ended.data).toEqual({ ended: 1 });
  const refused = await by(chrome, access.refreshToken, { refreshToken: laptop.refreshToken });
  expect(refused.reason).toBe('session.missing');
});

test('a token used in another browser on another system ends its session, and the person gets an email', async () => {
  const laptop = await signInWith(chrome);
  const newer = chrome.replace('140', '151');
  const renewed = await by<access.SessionUser>(newer, access.refreshToken, {
    refreshToken: laptop.refreshToken,
  });
  expect(renewed.code).toBe(200);
  const stolen = { refreshToken: renewed.data!.refreshToken };
  expect((await by(iphone, access.refreshToken, stolen)).reason).toBe('session.missing');
  expect((await by(newer, access.refreshToken, stolen)).reason).toBe('session.missing');
  const token = renewed.data!.accessToken;
  expect((await by(newer, access.sessions, {}, { token })).reason).toBe('session.missing');
  expect((await letters()).map(([subject]) => subject)).toEqual(['We signed out one of your devices']);
});
