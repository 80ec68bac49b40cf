import { eq } from 'drizzle-orm';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as access from '#contract/access/endpoints.ts';
import { readPrivacy } from '#contract/privacy/endpoints.ts';
import { minuteMs, secondMs } from '../../platform/clock.ts';
import { consents, federatedIdentities, users } from '../../schema/identity.ts';
import { outboxMessages } from '../../schema/platform.ts';
import { browserOf } from '../../testing/browser.ts';
import {
  outsideClient,
  signInAtProvider,
  startCrookedProvider,
  startProvider,
  type CrookedProvider,
} from '../../testing/oauth-provider.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { enrollAccount } from '../../testing/enroll-account.ts';

const landing = 'http://127.0.0.1:3240/pages/auth/oauth';
const people = {
  nora: { email: 'Nora@Example.com', email_verified: true, name: 'Nora Berg' },
  unverified: { email: 'unverified@example.com', email_verified: false, name: 'Eve' },
  silent: { name: 'No Mail' },
  joined: { email: 'joined@example.com', email_verified: true, name: 'Somebody' },
  elsewhere: { email: 'elsewhere@other.example', email_verified: true, name: 'Elsewhere' },
};
let app: TestApp;
let provider: Awaited<ReturnType<typeof startProvider>>;
let crooked: CrookedProvider;

beforeAll(async () => {
  provider = await startProvider({ people, redirectUris: [landing] });
  crooked = await startCrookedProvider();
  const { clientId, clientSecret } = outsideClient;
  const providers = [
    { id: 'local', name: 'Local', issuer: provider.issuer, clientId, clientSecret },
    { id: 'crooked', name: 'Crooked', issuer: crooked.issuer, clientId, phoneClientIds: ['phone-app'] },
    { id: 'gone', name: 'Gone', issuer: 'http://127.0.0.1:9', clientId },
  ];
  app = await openTestApp({
    env: { OIDC_PROVIDERS: JSON.stringify(providers), ALLOWED_EMAIL_DOMAINS: 'example.com' },
  });
});
afterAll(async () => {
  await Promise.all([app.close(), provider.close(), crooked.close()]);
});

const start = (id = 'local') =>
  app.ok(null, access.oauthStart, { provider: id, redirect_uri: landing, language: 'zh' });

/** Follows the provider's pages and returns with its answer. */
async function answerOf(login: string) {
  const { authorizationUrl } = await start();
  const { searchParams } = await signInAtProvider(authorizationUrl, login);
  const [code = '', state = '', iss = ''] = ['code', 'state', 'iss'].map(
    (name) => searchParams.get(name) ?? '',
  );
  return { code, state, iss, redirect_uri: landing };
}

test('the providers that are set up can be asked for, all of them', async () => {
  const { providers } = await app.ok(null, access.outsideProviders, {});
  expect(providers).toEqual([
    { id: 'local', name: 'Local' },
    { id: 'crooked', name: 'Crooked' },
    { id: 'gone', name: 'Gone' },
  ]);
});

test('a verified e-mail makes an account, with what was agreed to; the next time it is the same one', async () => {
  const first = await app.ok(null, access.oauthLogin, await answerOf('nora'));
  expect(first).toMatchObject({
    email: 'nora@example.com',
    name: 'Nora Berg',
    openId: 'nora',
    authed: true,
    profileMissing: true,
  });
  const again = await app.ok(null, access.oauthLogin, await answerOf('nora'));
  expect(again.id).toBe(first.id);
  const agreed = await app.platform.db.select().from(consents).where(eq(consents.userId, first.id));
  expect(agreed.filter(({ given }) => given).map(({ document }) => document)).toEqual(
    expect.arrayContaining(['privacy', 'terms']),
  );
  const [row] = await app.platform.db.select().from(users).where(eq(users.id, first.id));
  expect(row).toMatchObject({ language: 'zh', passwordHash: '' });
  // An account without a password allows no sign-in by password.
  const guess = await app.call(null, access.login, { email: 'nora@example.com', password: ' ' });
  expect(guess).toMatchObject({ code: 422, reason: 'access.wrong' });
  const me = { id: first.id, email: first.email, token: again.accessToken };
  expect(await app.ok(me, readPrivacy, {})).toMatchObject({ hasPassword: false });
});

test('an account joins on an e-mail that both sides have verified, and its owner is told', async () => {
  const email = 'joined@example.com';
  const id = await enrollAccount(app.platform, { email, name: 'Joana', password: 'correct-donkey-tram' });
  const session = await app.ok(null, access.oauthLogin, await answerOf('joined'));
  expect(session).toMatchObject({ id, name: 'Joana', profileMissing: false });
  await app.deliver();
  const letters = await app.platform.db
    .select()
    .from(outboxMessages)
    .where(eq(outboxMessages.recipient, email));
  expect(letters.at(-1)?.subject).toBe('You can now sign in to Sameway with Local');
});

test('an e-mail that one of the two has not verified joins nothing', async () => {
  for (const login of ['unverified', 'silent'])
    expect(await app.call(null, access.oauthLogin, await answerOf(login))).toMatchObject({
      code: 422,
      reason: 'access.outsideEmail',
      data: { provider: 'Local' },
    });
  const id = await enrollAccount(app.platform, {
    email: 'half@example.com',
    name: 'Half',
    password: 'correct-donkey-tram',
  });
  await app.platform.db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, id));
  Object.assign(people, { half: { email: 'half@example.com', email_verified: true } });
  expect(await app.call(null, access.oauthLogin, await answerOf('half'))).toMatchObject({
    reason: 'access.outsideEmail',
  });
  const rows = await app.platform.db
    .select()
    .from(federatedIdentities)
    .where(eq(federatedIdentities.userId, id));
  expect(rows).toEqual([]);
});

test('the allowed domains hold for new accounts from outside too', async () => {
  expect(await app.call(null, access.oauthLogin, await answerOf('elsewhere'))).toMatchObject({
    code: 422,
    reason: 'access.domainNotAllowed',
  });
});

test('an answer counts once, for ten minutes, with its own state and landing page', async () => {
  const once = await answerOf('nora');
  await app.ok(null, access.oauthLogin, once);
  expect(await app.call(null, access.oauthLogin, once)).toMatchObject({ reason: 'access.outsideExpired' });
  // The same code in a sign-in of its own: the provider knows that it was used.
  const fresh = await start();
  expect(await app.call(null, access.oauthLogin, { ...once, state: fresh.state })).toMatchObject({
    code: 422,
    reason: 'access.outsideRefused',
  });
  const stateless = await answerOf('nora');
  expect(await app.call(null, access.oauthLogin, { ...stateless, state: '' })).toMatchObject({
    reason: 'access.outsideExpired',
  });
  const elsewhere = { ...(await answerOf('nora')), redirect_uri: landing.replace('3240', '3241') };
  expect(await app.call(null, access.oauthLogin, elsewhere)).toMatchObject({
    reason: 'access.outsideExpired',
  });
  // A code that was stolen from another sign-in fails on PKCE and nonce, whatever state it is sent with.
  const stolen = await answerOf('nora');
  const thief = await start();
  expect(await app.call(null, access.oauthLogin, { ...stolen, state: thief.state })).toMatchObject({
    reason: 'access.outsideRefused',
  });
  const late = await answerOf('nora');
  app.clock.advance(10 * minuteMs + secondMs);
  expect(await app.call(null, access.oauthLogin, late)).toMatchObject({ reason: 'access.outsideExpired' });
});

test('a sign-in that begins nowhere or comes back elsewhere is refused', async () => {
  const begin = (provider: string, redirect: string) =>
    app.call(null, access.oauthStart, { provider, redirect_uri: redirect });
  expect(await begin('nobody', landing)).toMatchObject({ reason: 'access.providerUnknown' });
  expect(await begin('local', 'https://evil.example/pages/auth/oauth')).toMatchObject({
    code: 422,
    reason: 'access.redirectRefused',
  });
  expect(await begin('gone', landing)).toMatchObject({ code: 422, reason: 'access.providerAway' });
});

const { clientId } = outsideClient;
const sound = (nonce: string) => ({
  iss: crooked.issuer,
  aud: clientId,
  sub: 'mallory',
  nonce,
  email: 'mallory@example.com',
  email_verified: true,
});

/** Forged tokens of a provider, each with one error. */
const hostile: [string, (nonce: string) => Promise<string>][] = [
  ['a wrong issuer', (nonce) => crooked.sign({ ...sound(nonce), iss: provider.issuer })],
  ['a wrong audience', (nonce) => crooked.sign({ ...sound(nonce), aud: 'another app' })],
  [
    'an audience of two that names another party',
    (nonce) => crooked.sign({ ...sound(nonce), aud: [clientId, 'x'], azp: 'x' }),
  ],
  ['a wrong nonce', () => crooked.sign(sound('another nonce'))],
  ['no nonce', (nonce) => crooked.sign({ ...sound(nonce), nonce: undefined })],
  ['a signature of somebody else', (nonce) => crooked.sign(sound(nonce), { strangeKey: true })],
  ['a token that is over', (nonce) => crooked.sign(sound(nonce), { expired: true })],
  ['no subject', (nonce) => crooked.sign({ ...sound(nonce), sub: undefined })],
  ['no signature', async (nonce) => unsigned(sound(nonce))],
  // The client's secret, or the provider's public key, as the secret of a signature that both sides share.
  [
    'a signature made with the client’s secret',
    (nonce) => sharedSignature(sound(nonce), Buffer.from(outsideClient.clientSecret)),
  ],
  [
    'a signature made with the public key',
    async (nonce) => {
      const { keys } = (await (await fetch(`${crooked.issuer}/jwks`)).json()) as { keys: object[] };
      return sharedSignature(sound(nonce), Buffer.from(JSON.stringify(keys[0])));
    },
  ],
  ['a token without an end', (nonce) => crooked.sign({ ...sound(nonce), exp: undefined })],
  [
    'a token that begins tomorrow',
    (nonce) => crooked.sign({ ...sound(nonce), nbf: Math.floor(Date.now() / 1000) + 86_400 }),
  ],
  ['a key that comes along', (nonce) => crooked.sign(sound(nonce), { strangeKey: true, carriesKey: true })],
  ['no token at all', async () => 'not.a.token'],
];

function sharedSignature(claims: object, secret: Buffer): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ iat: now, exp: now + 300, ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(secret);
}

function unsigned(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  return `${part({ alg: 'none' })}.${part({ iat: now, exp: now + 300, ...claims })}.`;
}

test.each(hostile)('%s signs nobody in, by code or by token', async (_, make) => {
  const byCode = await start('crooked');
  crooked.answerWith(await make(byCode.nonce));
  expect(
    await app.call(null, access.oauthLogin, { code: 'x', state: byCode.state, redirect_uri: landing }),
  ).toMatchObject({ code: 422, reason: 'access.outsideRefused' });
  const byToken = await start('crooked');
  const answer = await app.call(null, access.verifyOutside, { id_token: await make(byToken.nonce) });
  expect(answer.code).toBe(422);
  // A nonce that was never issued passes every check of the token itself but matches no attempt.
  expect(['access.outsideRefused', 'access.outsideExpired']).toContain(answer.reason);
  const made = await app.platform.db.select().from(users).where(eq(users.email, 'mallory@example.com'));
  expect(made).toEqual([]);
});

test('a sound token of a native app signs in, once; its nick names the new account and its device is known', async () => {
  const { nonce } = await start('crooked');
  const claims = { ...sound(nonce), sub: 'ida', email: 'ida@example.com' };
  const id_token = await crooked.sign(claims);
  const session = await app.ok(null, access.verifyOutside, {
    id_token,
    userNick: 'Ida',
    pushCid: 'push-1',
  });
  expect(session).toMatchObject({
    email: 'ida@example.com',
    name: 'Ida',
    openId: 'ida',
    profileMissing: true,
  });
  expect(await app.call(null, access.verifyOutside, { id_token })).toMatchObject({
    reason: 'access.outsideExpired',
  });
  const again = await start('crooked');
  const forPhone = { ...claims, aud: 'phone-app', nonce: again.nonce };
  expect(await app.ok(null, access.verifyOutside, { id_token: await crooked.sign(forPhone) })).toMatchObject({
    id: session.id,
  });
  // One provider cannot vouch for accounts of another.
  const other = await start('local');
  expect(
    await app.call(null, access.verifyOutside, {
      id_token: await crooked.sign({ ...claims, nonce: other.nonce }),
    }),
  ).toMatchObject({ reason: 'access.outsideExpired' });
});

test('a code and the address it came back to are enough in the browser that asked, and nowhere else', async () => {
  const [browser, stranger] = [browserOf(app), browserOf(app)];
  const asked = { provider: 'local', redirect_uri: landing };
  const { authorizationUrl } = await browser.ok(access.oauthStart, asked);
  expect(browser.set.at(-1)).toMatch(
    /^sameway-oauth=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
  );
  const { searchParams } = await signInAtProvider(authorizationUrl, 'nora');
  const answer = { code: searchParams.get('code')!, redirect_uri: landing };
  expect((await stranger.call(access.oauthLogin, answer)).reason).toBe('access.outsideExpired');
  const user = await browser.ok(access.oauthLogin, answer);
  expect(user.email).toBe('nora@example.com');
  // Used once, then deleted.
  expect((await browser.call(access.oauthLogin, answer)).reason).toBe('access.outsideExpired');

  // A state that is sent must match the browser's cookie.
  await browser.ok(access.oauthStart, asked);
  const other = await answerOf('nora');
  expect((await browser.call(access.oauthLogin, other)).reason).toBe('access.outsideExpired');
});
