import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Stripe } from 'stripe';
import { afterAll, expect, test } from 'vitest';
import { login } from '#contract/access/endpoints.ts';
import { listAudit } from '#contract/admin/endpoints.ts';
import * as setup from '#contract/setup/endpoints.ts';
import { minuteMs } from '../../../platform/clock.ts';
import { giveSecondFactor } from '../../../testing/people.ts';
import { openMailServer } from '../../../testing/mail-server.ts';
import { openTestApp, type TestApp } from '../../../testing/test-app.ts';
import { giveRoleByEmail } from '../../identity/service.ts';
import { openSetup } from './open-setup.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
});

/** A new installation with its setup link. */
async function fresh(
  env: Record<string, string> = {},
  cardClient?: Stripe.HttpClient,
): Promise<{ app: TestApp; token: string; folder: string }> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-setup-'));
  folders.push(folder);
  const app = await openTestApp({
    env: { DATA_DIR: folder, PUBLIC_URL: 'https://ride.example.com', ...env },
    ...(cardClient && { cardClient }),
  });
  const address = await openSetup(app.platform);
  return { app, token: address!.slice(address!.indexOf('#') + 1), folder };
}

const owner = { name: 'Olga Owner', email: 'olga@example.com', password: 'seven purple kettles' };

test('a new installation has one link, in a file for its operator and as a hash in the database', async () => {
  const { app, token, folder } = await fresh();
  const file = path.join(folder, 'setup-token');
  expect(fs.readFileSync(file, 'utf8')).toBe(`${token}\n`);
  if (process.platform !== 'win32') expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  const { rows } = await app.pool.query<{ value: object }>(`select value from settings where name = 'setup'`);
  expect(JSON.stringify(rows)).not.toContain(token);
  // The next start prints the same link.
  expect(await openSetup(app.platform)).toBe(`https://ride.example.com/pages/setup/setup#${token}`);
  // A process without that file keeps a fresh link, and replaces one that is lost.
  fs.rmSync(file);
  expect(await openSetup(app.platform)).toBeNull();
  app.clock.advance(6 * minuteMs);
  const again = await openSetup(app.platform);
  expect(again).not.toContain(token);
  expect((await app.call(null, setup.readSetup, { token })).code).toBe(404);
  await app.close();
});

test('the link shows what is configured, and any other shows nothing', async () => {
  const { app, token } = await fresh({
    SMTP_URL: 'smtp://user:a-secret@mail.example.com:587',
    MAIL_FROM: 'Town <rides@example.com>',
    BACKUP_TO: '/srv/backups',
  });
  const shown = await app.ok(null, setup.readSetup, { token });
  expect(shown).toEqual({
    publicUrl: 'https://ride.example.com',
    isSecure: true,
    region: {
      title: expect.stringContaining('Santa Cruz') as string,
      timeZone: 'America/Los_Angeles',
      packs: [expect.any(String)],
    },
    mail: { kind: 'server', host: 'mail.example.com:587', from: 'Town <rides@example.com>' },
    cards: { kind: 'sandbox' },
    backup: { isOn: true, isSealed: false },
  });
  expect(JSON.stringify(shown)).not.toContain('a-secret');
  for (const wrong of ['x', token.slice(1), `${token}x`]) {
    const refused = await app.call(null, setup.readSetup, { token: wrong });
    expect(refused).toMatchObject({ code: 404, reason: 'setup.over' });
  }
  await app.close();
});

test('the region test finds a place in the pack and a route to it', async () => {
  const { app, token } = await fresh();
  const tried = await app.ok(null, setup.tryRegion, { token });
  expect(tried).toMatchObject({ outcome: 'read', hasMap: expect.any(Boolean) as boolean });
  expect(tried.places).toBeGreaterThan(1000);
  expect(tried.place).not.toBe('');
  expect(tried.minutes).toBeGreaterThan(0);
  await app.close();
});

test.each([
  ['sent', {}, ''],
  ['login', { AUTH: '535 5.7.8 Wrong password' }, '535 5.7.8 Wrong password'],
  ['sender', { MAIL: '550 Not your domain' }, '550 Not your domain'],
  ['recipient', { RCPT: '550 No such mailbox' }, '550 No such mailbox'],
  ['other', { DATA: '554 Spam' }, '554 Spam'],
])('a test email: %s', async (outcome, answers, said) => {
  const server = await openMailServer(answers);
  const { app, token } = await fresh({ SMTP_URL: server.url });
  const tried = await app.ok(null, setup.tryMail, { token, to: 'olga@example.com' });
  expect(tried).toEqual({ outcome, said: expect.stringContaining(said) as string });
  expect(server.received.length).toBe(outcome === 'sent' ? 1 : 0);
  if (outcome === 'sent') expect(server.received[0]).toContain('To: olga@example.com');
  await app.close();
  await server.close();
});

test('a mail server that does not answer, one without TLS, and none', async () => {
  const plain = await openMailServer();
  for (const [SMTP_URL, outcome] of [
    ['smtp://127.0.0.1:9', 'unreachable'],
    ['smtp://mail.invalid:25', 'unknownHost'],
    [plain.url.replace('smtp:', 'smtps:'), 'certificate'],
  ] as const) {
    const { app, token } = await fresh({ SMTP_URL });
    expect(await app.ok(null, setup.tryMail, { token, to: 'olga@example.com' })).toMatchObject({ outcome });
    await app.close();
  }
  await plain.close();
  for (const [NODE_ENV, outcome] of [
    ['production', 'none'],
    ['test', 'kept'],
  ] as const) {
    const { app, token } = await fresh({ NODE_ENV });
    expect(await app.ok(null, setup.tryMail, { token, to: 'olga@example.com' })).toMatchObject({ outcome });
    await app.close();
  }
});

/** A Stripe API that gives the same answer to every call. */
const answering = (status: number, body: object) =>
  Stripe.createFetchHttpClient(async () => new Response(JSON.stringify(body), { status }));
const keys = {
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
};

test.each([
  [
    'ready',
    200,
    { id: 'acct_1', object: 'account', charges_enabled: true, business_profile: { name: 'Town' } },
  ],
  ['incomplete', 200, { id: 'acct_1', object: 'account', charges_enabled: false }],
  ['key', 401, { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } }],
  ['permission', 403, { error: { type: 'invalid_request_error', message: 'The key may not' } }],
])('the card provider is asked for its account: %s', async (outcome, status, body) => {
  const { app, token } = await fresh(keys, answering(status, body));
  const tried = await app.ok(null, setup.tryCards, { token });
  expect(tried.outcome).toBe(outcome);
  if (status === 200) expect(tried.account).toBe('acct_1');
  else expect(tried.said).not.toBe('');
  await app.close();
});

test('a card provider that does not answer, the sandbox, and none', async () => {
  const away = Stripe.createFetchHttpClient(() => Promise.reject(new TypeError('fetch failed')));
  for (const [env, client, outcome] of [
    [keys, away, 'unreachable'],
    [{}, undefined, 'ready'],
    [{ NODE_ENV: 'production' }, undefined, 'none'],
  ] as const) {
    const { app, token } = await fresh(env, client);
    expect((await app.ok(null, setup.tryCards, { token })).outcome).toBe(outcome);
    await app.close();
  }
});

test('the link creates one owner, who signs in, and stops working', async () => {
  const { app, token, folder } = await fresh();
  const weak = await app.call(null, setup.makeOwner, { token, ...owner, password: 'password1234' });
  expect(weak).toMatchObject({ code: 422, reason: 'access.passwordCommon' });
  // Three calls at the same time.
  const tries = ['olga', 'otto', 'odin'].map((name) =>
    app.call(null, setup.makeOwner, { token, ...owner, email: `${name}@example.com` }),
  );
  const answers = await Promise.all(tries);
  expect(answers.filter(({ code }) => code === 200)).toHaveLength(1);
  expect(answers.filter(({ code }) => code === 404)).toHaveLength(2);
  expect(fs.existsSync(path.join(folder, 'setup-token'))).toBe(false);
  const name = ['olga', 'otto', 'odin'][answers.findIndex(({ code }) => code === 200)]!;
  const email = `${name}@example.com`;
  const session = await app.ok(null, login, { email, password: owner.password });
  expect(session).toMatchObject({ staffRole: 'owner', profileMissing: false });
  const who = { id: session.id, email, token: session.accessToken };
  expect((await app.call(who, listAudit, {})).reason).toBe('access.secondFactorNeeded');
  await giveSecondFactor(app.platform, who.id);
  const { entries } = await app.ok(who, listAudit, {});
  expect(entries[0]).toMatchObject({ action: 'admin.granted', admin: null, note: 'owner' });
  expect((await app.call(null, setup.readSetup, { token })).code).toBe(404);
  expect(await openSetup(app.platform)).toBeNull();
  await app.close();
});

test('an owner created on the command line ends the link, too', async () => {
  const { app, token, folder } = await fresh();
  const { email } = await app.person('Cora Commandline');
  await giveRoleByEmail(app.platform.db, { email, role: undefined }, app.clock.now());
  expect((await app.call(null, setup.makeOwner, { token, ...owner })).code).toBe(404);
  expect(await openSetup(app.platform)).toBeNull();
  expect(fs.existsSync(path.join(folder, 'setup-token'))).toBe(false);
  await app.close();
});
