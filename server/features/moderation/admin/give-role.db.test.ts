import { afterAll, beforeAll, expect, test } from 'vitest';
import { sessions } from '#contract/access/endpoints.ts';
import * as calls from '#contract/admin/endpoints.ts';
import { staffRoles, type StaffRole } from '#contract/admin/roles.ts';
import { deleteAccount } from '#contract/privacy/endpoints.ts';
import { readProfile } from '#contract/user/endpoints.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../../testing/test-app.ts';

let app: TestApp;
let owner: TestPerson;
beforeAll(async () => {
  app = await openTestApp();
  owner = await app.person('Olga', { staffRole: 'owner' });
});
afterAll(() => app.close());

const give = (by: TestPerson, id: string, role: StaffRole | null) =>
  app.call(by, calls.giveRole, { id, role });

test('a new role applies at once, is emailed and is in the audit log', async () => {
  const mia = await app.person('Mia', { hasSecondFactor: true });
  expect((await app.call(mia, calls.listReports, {})).code).toBe(403);
  expect((await give(owner, mia.id, 'moderator')).data).toMatchObject({
    person: { id: mia.id },
    staffRole: 'moderator',
    isAdmin: false,
  });
  expect((await app.call(mia, calls.listReports, {})).code).toBe(200);
  expect((await app.call(mia, calls.listFeedback, {})).code).toBe(403);
  expect(await app.ok(mia, readProfile, {})).toMatchObject({ staffRole: 'moderator', isAdmin: false });
  expect((await app.ok(owner, calls.listUsers, { only: 'admins', text: mia.email })).total).toBe(1);
  await give(owner, mia.id, null);
  expect((await app.call(mia, calls.listReports, {})).code).toBe(403);
  expect((await app.call(mia, sessions, {})).code).toBe(200);
  const { entries } = await app.ok(owner, calls.listAudit, {});
  const by = { admin: { id: owner.id }, person: { id: mia.id }, note: 'moderator' };
  expect(entries.slice(0, 2)).toMatchObject([
    { action: 'admin.revoked', ...by },
    { action: 'admin.granted', ...by },
  ]);
});

test('an admin gives the roles below their own, the others none', async () => {
  const [ada, mia] = [await app.person('Ada', { staffRole: 'admin' }), await app.person('Mia')];
  expect((await give(ada, mia.id, 'support')).code).toBe(200);
  expect((await give(ada, mia.id, 'auditor')).code).toBe(200);
  for (const role of ['owner', 'admin'] as const)
    expect(await give(ada, mia.id, role)).toMatchObject({ code: 403, reason: 'admin.roleTooHigh' });
  expect((await give(ada, owner.id, null)).reason).toBe('admin.roleTooHigh');
  for (const staffRole of staffRoles.slice(2)) {
    const other = await app.person('Otis', { staffRole });
    expect(await give(other, mia.id, null)).toMatchObject({ code: 403, reason: 'access.denied' });
  }
});

test('the last owner keeps the role and the account', async () => {
  expect((await give(owner, owner.id, null)).reason).toBe('admin.lastOwner');
  expect(await app.call(owner, deleteAccount, {})).toMatchObject({ code: 409, reason: 'privacy.lastOwner' });
  const second = await app.person('Otto', { staffRole: 'owner' });
  await app.ok(second, deleteAccount, {});
  // An owner whose account is being deleted does not count.
  expect((await give(owner, owner.id, 'admin')).reason).toBe('admin.lastOwner');
  expect((await give(owner, second.id, 'support')).reason).toBe('admin.accountUnfinished');
});

test('a person without an account, or with that role already, gets none', async () => {
  const mia = await app.person('Mia');
  expect((await give(owner, crypto.randomUUID(), 'support')).reason).toBe('admin.userNotFound');
  await give(owner, mia.id, 'support');
  expect(await give(owner, mia.id, 'support')).toMatchObject({ code: 409, reason: 'admin.movedOn' });
});
