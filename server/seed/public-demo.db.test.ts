import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { login, retrievePassword } from '#contract/access/endpoints.ts';
import { listUsers } from '#contract/admin/endpoints.ts';
import { config } from '#contract/app/endpoints.ts';
import { readOutbox } from '#contract/demo/endpoints.ts';
import { readEnv } from '../platform/env.ts';
import { demoAccounts, demoPassword } from '../features/demo/accounts.ts';
import { openTestApp, type TestApp } from '../testing/test-app.ts';
import { settleDemoAdmin } from './admin-password.ts';
import { enrollAccount } from '../testing/enroll-account.ts';

const dataDir = mkdtempSync(path.join(os.tmpdir(), 'sameway-public-demo-'));
const file = path.join(dataDir, 'demo-admin-password');
const admin = demoAccounts.find(({ role }) => role === 'admin')!;

let app: TestApp;
beforeAll(async () => {
  const env = { DEMO: '1', PUBLIC_URL: 'https://demo.example.com', DATA_DIR: dataDir };
  app = await openTestApp({ env });
  for (const { name, email, role } of demoAccounts)
    await enrollAccount(app.platform, {
      name,
      email,
      password: demoPassword,
      staffRole: role === 'admin' ? 'admin' : null,
    });
});
afterAll(async () => {
  await app.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const signIn = (email: string, password: string) => app.call(null, login, { email, password });

test('the admin of a public demo has a password of their own, which its owner alone can read', async () => {
  const before = await app.ok(null, login, { email: admin.email, password: demoPassword });
  const made = (await settleDemoAdmin(app))!;
  expect(made).toEqual({ file, fresh: expect.stringMatching(/^[\w-]{20}$/) as string });
  expect(readFileSync(file, 'utf8')).toBe(`${made.fresh!}\n`);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);

  expect(await signIn(admin.email, demoPassword)).toMatchObject({ code: 422, reason: 'access.wrong' });
  expect((await signIn(admin.email, made.fresh!)).code).toBe(200);
  // Sessions that began with the published password have ended.
  const early = { id: before.id, email: before.email, token: before.accessToken };
  expect((await app.call(early, listUsers, {})).code).toBe(400);

  // The next start leaves it as it is, and does not say it again.
  expect(await settleDemoAdmin(app)).toEqual({ file, fresh: null });
  expect((await signIn(admin.email, made.fresh!)).code).toBe(200);
});

test('what a public demo tells its visitors opens the accounts of a driver and a passenger, and no admin’s', async () => {
  const { demoSignIns } = await app.ok(null, config, {});
  expect(demoSignIns.map(({ role }) => role)).toEqual(['driver', 'passenger']);
  for (const { email, password } of demoSignIns) expect((await signIn(email, password)).code).toBe(200);

  for (const { email } of demoAccounts) await app.ok(null, retrievePassword, { email });
  await app.deliver();
  const { letters } = await app.ok(null, readOutbox, {});
  expect(letters.map(({ to }) => to).toSorted()).toEqual(
    demoAccounts
      .filter(({ role }) => role !== 'admin')
      .map(({ email }) => email)
      .toSorted(),
  );
});

test('a file that was removed is made again; on this machine alone the published password holds again', async () => {
  rmSync(file);
  const again = (await settleDemoAdmin(app))!;
  expect((await signIn(admin.email, again.fresh!)).code).toBe(200);

  const alone = readEnv({ DEMO: '1', DATA_DIR: dataDir });
  expect(await settleDemoAdmin({ ...app, platform: { ...app.platform, env: alone } })).toBeNull();
  expect((await signIn(admin.email, demoPassword)).code).toBe(200);
  // Reachable again: the published password does not open it for a moment.
  const later = (await settleDemoAdmin(app))!;
  expect(later.fresh).not.toBeNull();
  expect((await signIn(admin.email, demoPassword)).code).toBe(422);
});
