import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listAudit, listUsers, statistics, suspendUser } from '#contract/admin/endpoints.ts';
import { changeMaintenance } from '#contract/admin/operations.ts';
import { securityFigures } from '#contract/admin/security.ts';
import {
  retrievePassword,
  retrievePasswordConfirm,
  sessions as listSessions,
} from '#contract/access/endpoints.ts';
import { endKeys, listKeys, makeKey, mostKeys, revokeKey } from '#contract/connect/keys.ts';
import type { Scope } from '#contract/connect/scopes.ts';
import { readProfile, saveProfile } from '#contract/user/endpoints.ts';
import { dayMs, minuteMs } from '../../../platform/clock.ts';
import { apiKeys } from '../../../schema/connect.ts';
import { users } from '../../../schema/identity.ts';
import { outboxMessages } from '../../../schema/platform.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../../testing/test-app.ts';

let app: TestApp;
let owner: TestPerson;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  owner = await app.person('Owner', { staffRole: 'owner' });
});

const keyed = async (given: Scope[], more: { days?: number | null; callsPerMinute?: number } = {}) => {
  const { key, secret } = await app.ok(owner, makeKey, { name: 'Reports', scopes: given, ...more });
  return { key, program: { ...owner, token: secret } };
};

test('a key is shown once, kept as a hash, and acts for the person who made it', async () => {
  const { key, program } = await keyed(['profile:read']);
  expect(program.token).toMatch(/^sameway_[\w-]{43}$/);
  expect(key).toMatchObject({ state: 'valid', usedAt: null, name: 'Reports', scopes: ['profile:read'] });
  expect(key.shown).toBe(`${program.token.slice(0, 12)}…${program.token.slice(-4)}`);
  expect(await app.ok(program, readProfile, {})).toMatchObject({ email: owner.email });
  const stored = JSON.stringify(await app.platform.db.select().from(apiKeys));
  expect(stored).not.toContain(program.token);
  const { keys } = await app.ok(owner, listKeys, {});
  const listed = keys.find(({ id }) => id === key.id);
  expect(listed).toMatchObject({ usedAt: expect.any(String), person: { id: owner.id } });
  expect(JSON.stringify(keys)).not.toContain(program.token);
});

test('its use is recorded once a minute', async () => {
  const { key, program } = await keyed(['profile:read']);
  const used = async () => (await app.ok(owner, listKeys, {})).keys.find(({ id }) => id === key.id)?.usedAt;
  await app.ok(program, readProfile, {});
  const first = await used();
  app.clock.advance(minuteMs / 2);
  await app.ok(program, readProfile, {});
  expect(await used()).toBe(first);
  app.clock.advance(minuteMs / 2 + 1);
  await app.ok(program, readProfile, {});
  expect(await used()).not.toBe(first);
});

test('the email about a new password names the keys that stay valid, and its link ends them after a tap', async () => {
  const reports = await keyed(['profile:read']);
  await app.ok(owner, makeKey, { name: 'Import', scopes: ['people.read'] });
  const emails = async () => {
    await app.deliver();
    return app.platform.db
      .select()
      .from(outboxMessages)
      .where(eq(outboxMessages.recipient, owner.email))
      .orderBy(outboxMessages.at);
  };
  await app.ok(null, retrievePassword, { email: owner.email });
  const code = /\d{6}/.exec((await emails()).at(-1)!.subject)![0];
  await app.ok(null, retrievePasswordConfirm, { email: owner.email, code, password: 'seventeen ducks' });
  const told = (await emails()).at(-1)!;
  expect(told.subject).toBe('Your Sameway password was changed');
  expect(told.body).toContain('Your 2 API keys stay valid: Reports, Import.');
  const link = new URL(/https?:\S+endkeys\S+/.exec(told.body)![0]);
  const given = { code: link.searchParams.get('code')! };
  // Opening the page ends nothing.
  await app.http.inject({ url: `${link.pathname}${link.search}` });
  await app.ok(reports.program, readProfile, {});
  const forged = `${given.code.slice(0, -1)}${given.code.endsWith('A') ? 'Q' : 'A'}`;
  expect(await app.call(null, endKeys, { code: forged })).toMatchObject({ code: 404 });
  expect(await app.ok(null, endKeys, given)).toEqual({ ended: 2 });
  expect((await app.call(reports.program, readProfile, {})).code).not.toBe(200);
  expect(await app.ok(null, endKeys, given)).toEqual({ ended: 0 });
  app.clock.advance(7 * dayMs);
  expect(await app.call(null, endKeys, given)).toMatchObject({ code: 404, reason: 'link.notFound' });
});

test('an unknown, revoked or expired key is refused with the reason', async () => {
  const { key, program } = await keyed(['profile:read'], { days: 1 });
  const strange = { ...owner, token: `sameway_${'x'.repeat(43)}` };
  expect(await app.call(strange, readProfile, {})).toMatchObject({ code: 400, reason: 'key.unknown' });
  app.clock.advance(dayMs);
  expect(await app.call(program, readProfile, {})).toMatchObject({ code: 400, reason: 'key.expired' });
  await app.ok(owner, revokeKey, { id: key.id });
  expect(await app.call(program, readProfile, {})).toMatchObject({ code: 400, reason: 'key.revoked' });
  const events = await app.ok(owner, securityFigures, {});
  expect(events.counts.find(({ event }) => event === 'keyRefused')?.lately).toBeGreaterThanOrEqual(2);
});

test('a revoked key stops working at once, for cached answers too; revoking it twice is harmless', async () => {
  const { key, program } = await keyed(['profile:read']);
  await app.ok(program, readProfile, {});
  await app.ok(program, readProfile, {});
  const revoked = await app.ok(owner, revokeKey, { id: key.id });
  expect(revoked.key.state).toBe('revoked');
  expect(await app.call(program, readProfile, {})).toMatchObject({ reason: 'key.revoked' });
  expect(await app.ok(owner, revokeKey, { id: key.id })).toEqual(revoked);
  const { entries } = await app.ok(owner, listAudit, {});
  const noted = entries.filter(({ note }) => note.includes(key.shown)).map(({ action }) => action);
  expect(noted).toEqual(['key.revoked', 'key.made']);
});

test('a key without the scope cannot read an answer that a session has cached', async () => {
  await app.ok(owner, readProfile, {});
  const { program } = await keyed(['figures.read']);
  expect(await app.call(program, readProfile, {})).toMatchObject({
    code: 403,
    reason: 'key.scope',
    data: { scope: 'profile:read' },
  });
  expect(await app.call(program, saveProfile, {} as never)).toMatchObject({ reason: 'key.scope' });
});

test('a key can do no more than its owner: it loses what the owner’s role allowed along with the role', async () => {
  const { program } = await keyed(['figures.read', 'profile:read']);
  await app.ok(program, statistics, {});
  await app.platform.db.update(users).set({ staffRole: null }).where(eq(users.id, owner.id));
  expect(await app.call(program, statistics, {})).toMatchObject({ code: 403, reason: 'access.denied' });
  await app.ok(program, readProfile, {});
  await app.platform.db.update(users).set({ suspendedAt: app.clock.now() }).where(eq(users.id, owner.id));
  expect(await app.call(program, readProfile, {})).toMatchObject({ code: 403, reason: 'access.suspended' });
});

test('a scope beyond the role is refused by name, and so are too many keys', async () => {
  const refused = await app.call(owner, makeKey, { name: 'All', scopes: ['money.read' as Scope] });
  expect(refused).toMatchObject({ code: 422, reason: 'input.invalid' });
  const nameless = await app.call(owner, makeKey, { name: ' ', scopes: ['figures.read'] });
  expect(nameless.data).toMatchObject({ fields: { name: 'Please enter a name.' } });
  const row = (await keyed(['figures.read'])).key;
  const [stored] = await app.platform.db.select().from(apiKeys).where(eq(apiKeys.id, row.id));
  const rows = Array.from({ length: mostKeys - 1 }, (_, index) => ({
    ...stored!,
    id: crypto.randomUUID(),
    keyHash: `${owner.id} ${index}`,
  }));
  await app.platform.db.insert(apiKeys).values(rows);
  expect(await app.call(owner, makeKey, { name: 'More', scopes: ['figures.read'] })).toMatchObject({
    code: 409,
    reason: 'key.tooMany',
  });
});

test('a key has its own rate limit, which does not affect its owner', async () => {
  const { program } = await keyed(['profile:read'], { callsPerMinute: 2 });
  await app.ok(program, readProfile, {});
  await app.ok(program, readProfile, {});
  expect(await app.call(program, readProfile, {})).toMatchObject({ code: 429, reason: 'rate.limited' });
  await app.ok(owner, readProfile, {});
  app.clock.advance(minuteMs);
  await app.ok(program, readProfile, {});
});

test('the audit log records a key’s reads and actions under its owner', async () => {
  const stranger = await app.person('Stranger');
  const { program } = await keyed(['people.read', 'people.suspend']);
  await app.ok(program, listUsers, { text: stranger.email });
  await app.ok(program, suspendUser, { id: stranger.id, suspended: true, reason: 'Spam' });
  const { entries } = await app.ok(owner, listAudit, {});
  expect(entries[0]).toMatchObject({ action: 'user.suspended', admin: { id: owner.id } });
});

test('during maintenance a team member’s key works, and other people’s keys are refused', async () => {
  const { program } = await keyed(['maintenance.change', 'profile:read']);
  await app.ok(program, changeMaintenance, { isOn: true });
  await app.ok(program, readProfile, {});
  await app.platform.db.update(users).set({ staffRole: null }).where(eq(users.id, owner.id));
  await expect(app.call(program, readProfile, {})).rejects.toThrow('HTTP 503');
  await app.platform.db.update(users).set({ staffRole: 'admin' }).where(eq(users.id, owner.id));
  await app.ok(program, changeMaintenance, { isOn: false });
});

test('a key is not a session: it can neither open nor list sessions', async () => {
  const { program } = await keyed(['profile:read']);
  expect(await app.call(program, listSessions, {})).toMatchObject({ code: 403, reason: 'key.never' });
  expect(await app.call(program, makeKey, { name: 'Another', scopes: ['profile:read'] })).toMatchObject({
    code: 403,
    reason: 'key.never',
  });
});

test('an email informs the owner about a new key', async () => {
  const { key } = await keyed(['figures.read', 'rides:read']);
  await app.deliver();
  const letters = await app.platform.db.select().from(outboxMessages);
  const letter = letters.findLast(({ recipient }) => recipient === owner.email);
  expect(letter?.body).toContain(key.shown);
  // Emails contain a zero-width space here, so that mail apps do not turn the scope into a link.
  expect(letter?.body.replaceAll('\u200b', '')).toContain('figures.read, rides:read');
});
