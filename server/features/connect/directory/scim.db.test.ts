import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readProfile } from '#contract/user/endpoints.ts';
import { listAudit, statistics } from '#contract/admin/endpoints.ts';
import { mapGroup, readDirectory } from '#contract/connect/directory.ts';
import { makeKey } from '#contract/connect/keys.ts';
import type { Scope } from '#contract/connect/scopes.ts';
import { hourMs, later } from '../../../platform/clock.ts';
import { hashSecret, newSecret } from '../../../platform/security/session.ts';
import { sessions, users } from '../../../schema/identity.ts';
import { rides } from '../../../schema/rides.ts';
import { publishRide } from '../../../testing/orders.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../../testing/test-app.ts';

let app: TestApp;
let owner: TestPerson;
let secret: string;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  owner = await app.person('Owner', { staffRole: 'owner' });
  secret = await keyWith(['scim']);
});

const keyWith = async (scopes: Scope[]): Promise<string> => {
  const input = { name: 'Directory', scopes, callsPerMinute: 6000 };
  return (await app.ok(owner, makeKey, input)).secret;
};

interface Answer {
  status: number;
  body: Record<string, unknown> & { Resources?: { id: string }[] };
}

async function ask(method: string, path: string, payload?: object, key = secret): Promise<Answer> {
  const response = await app.http.inject({
    method: method as 'GET',
    url: `/scim/v2${path}`,
    headers: {
      ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
      ...(payload === undefined ? {} : { 'content-type': 'application/scim+json' }),
    },
    ...(payload === undefined ? {} : { payload: JSON.stringify(payload) }),
  });
  if (response.body !== '') expect(response.headers['content-type']).toMatch(/^application\/scim\+json/);
  return {
    status: response.statusCode,
    body: response.body === '' ? {} : response.json<Answer['body']>(),
  };
}

let made = 0;
const sent = (more: object = {}) => {
  const userName = `ann.${++made}@example.com`;
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName,
    externalId: `ext-${made}`,
    name: { givenName: 'Ann', familyName: 'Lee' },
    displayName: 'Ann Lee',
    emails: [{ value: userName, type: 'work', primary: true }],
    active: true,
    ...more,
  };
};

/** Signs in a person that the directory created. */
async function signedIn(id: string): Promise<TestPerson> {
  const [row] = await app.platform.db.select().from(users).where(eq(users.id, id));
  const token = newSecret();
  const expiresAt = later(app.clock.now(), 24 * hourMs);
  const hashes = { accessHash: hashSecret(token), refreshHash: hashSecret(newSecret()) };
  const lives = { expiresAt, refreshExpiresAt: expiresAt, createdAt: app.clock.now() };
  await app.platform.db
    .insert(sessions)
    .values({ id: crypto.randomUUID(), userId: id, family: crypto.randomUUID(), ...hashes, ...lives });
  return { id, email: row!.email, token };
}

test('a request without a key, or with one that lacks the scope, gets an HTTP status', async () => {
  expect((await ask('GET', '/Users', undefined, '')).status).toBe(401);
  expect((await ask('GET', '/Users', undefined, 'sameway_made-up')).status).toBe(401);
  expect((await ask('GET', '/Users', undefined, owner.token)).status).toBe(401);
  const other = await keyWith(['people.read']);
  expect(await ask('GET', '/Users', undefined, other)).toMatchObject({
    status: 403,
    body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '403' },
  });
  await app.platform.db.update(users).set({ staffRole: 'support' }).where(eq(users.id, owner.id));
  expect((await ask('GET', '/Users')).status).toBe(403);
});

test('a deep body and zero characters are refused, not a failure of the server', async () => {
  const deep = await app.http.inject({
    method: 'POST',
    url: '/scim/v2/Users',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/scim+json' },
    payload: `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
  });
  expect([deep.statusCode, deep.json()]).toEqual([
    400,
    expect.objectContaining({ scimType: 'invalidSyntax' }),
  ]);
  expect((await ask('GET', '/Users/a%00b')).status).toBe(404);
  expect((await ask('DELETE', '/Groups/a%00b')).status).toBe(404);
  const filter = encodeURIComponent('userName eq "a\\u0000b"');
  expect(await ask('GET', `/Users?filter=${filter}`)).toMatchObject({
    status: 400,
    body: { scimType: 'invalidFilter' },
  });
});

test('it lists the features it supports', async () => {
  const config = await ask('GET', '/ServiceProviderConfig');
  expect(config.body).toMatchObject({ patch: { supported: true }, filter: { supported: true } });
  const types = await ask('GET', '/ResourceTypes');
  expect(types.body.Resources?.map(({ id }) => id)).toEqual(['User', 'Group']);
  expect((await ask('GET', '/ResourceTypes/User')).body['endpoint']).toBe('/Users');
  const all = await ask('GET', '/Schemas');
  expect(all.body).toMatchObject({ totalResults: 2, itemsPerPage: 2 });
  const one = await ask('GET', '/Schemas/urn:ietf:params:scim:schemas:core:2.0:User');
  expect(one.body['name']).toBe('User');
  expect((await ask('GET', '/Schemas/none')).status).toBe(404);
});

test('a person is created, found and replaced, and has an account', async () => {
  const input = sent();
  const { status, body } = await ask('POST', '/Users', input);
  expect(status).toBe(201);
  expect(body).toMatchObject({
    userName: input.userName,
    externalId: input.externalId,
    name: { givenName: 'Ann', familyName: 'Lee', formatted: 'Ann Lee' },
    emails: [{ value: input.userName, type: 'work', primary: true }],
    active: true,
    meta: { resourceType: 'User' },
  });
  const id = String(body['id']);
  expect((await ask('GET', `/Users/${id}`)).body).toEqual(body);
  for (const filter of [
    `userName eq "${input.userName.toUpperCase()}"`,
    `externalId eq "${input.externalId}"`,
    `id eq "${id}"`,
  ])
    expect((await ask('GET', `/Users?filter=${encodeURIComponent(filter)}`)).body).toMatchObject({
      totalResults: 1,
      Resources: [{ id }],
    });
  const none = await ask('GET', `/Users?filter=${encodeURIComponent('userName eq "no.one@example.com"')}`);
  expect(none).toMatchObject({ status: 200, body: { totalResults: 0, Resources: [] } });
  expect(await ask('GET', `/Users?filter=${encodeURIComponent('userName co "a"')}`)).toMatchObject({
    status: 400,
    body: { scimType: 'invalidFilter' },
  });
  expect(await ask('POST', '/Users', input)).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } });
  const anew = await ask('PUT', `/Users/${id}`, {
    ...input,
    name: { givenName: 'Anna' },
    displayName: 'Anna',
  });
  expect(anew.body).toMatchObject({ displayName: 'Anna', name: { givenName: 'Anna', familyName: '' } });
  const [row] = await app.platform.db.select().from(users).where(eq(users.id, id));
  expect(row).toMatchObject({ email: input.userName, name: 'Anna', firstName: 'Anna', passwordHash: '' });
});

test('an existing account is linked, not created twice', async () => {
  const person = await app.person('Early');
  const { status, body } = await ask('POST', '/Users', sent({ userName: person.email, emails: [] }));
  expect([status, body['id']]).toEqual([201, person.id]);
});

test('pages are counted from 1, and a count of 0 says how many there are', async () => {
  for (let each = 0; each < 3; each++) await ask('POST', '/Users', sent());
  const total = Number((await ask('GET', '/Users?count=0')).body['totalResults']);
  expect(total).toBeGreaterThanOrEqual(3);
  const first = await ask('GET', '/Users?startIndex=1&count=2');
  const second = await ask('GET', '/Users?startIndex=3&count=2');
  expect(first.body).toMatchObject({ startIndex: 1, itemsPerPage: 2, totalResults: total });
  const idsOf = ({ body }: Answer) => (body.Resources ?? []).map(({ id }) => id);
  expect(new Set([...idsOf(first), ...idsOf(second)]).size).toBe(Math.min(4, total));
  expect((await ask('GET', '/Users?startIndex=-5&count=-1')).body).toMatchObject({
    startIndex: 1,
    itemsPerPage: 0,
  });
});

test('a page of groups ends where their members are too many for one answer, and the next goes on from there', async () => {
  const names = ['Large one', 'Large two', 'Small'];
  for (const displayName of names)
    expect(await ask('POST', '/Groups', { displayName })).toMatchObject({ status: 201 });
  const client = await app.pool.connect();
  await client.query('set session_replication_role = replica');
  await client.query(
    `insert into directory_members (group_id, user_id)
     select g.id, gen_random_uuid() from directory_groups g, generate_series(1, 12000) where display_name like 'Large %'`,
  );
  await client.query('set session_replication_role = origin');
  client.release();
  const seen: [unknown, number][] = [];
  for (let startIndex = 1; startIndex <= names.length;) {
    const { status, body } = await ask('GET', `/Groups?startIndex=${startIndex}&count=100`);
    expect([status, body['totalResults']]).toEqual([200, names.length]);
    const groups = (body.Resources ?? []) as unknown as { displayName: string; members: object[] }[];
    expect(body['itemsPerPage']).toBe(groups.length);
    seen.push(...groups.map((each): [unknown, number] => [each.displayName, each.members.length]));
    startIndex += groups.length;
  }
  expect(seen).toEqual([
    ['Large one', 12_000],
    ['Large two', 12_000],
    ['Small', 0],
  ]);
  const without = await ask('GET', '/Groups?excludedAttributes=members');
  expect(without.body['itemsPerPage']).toBe(names.length);
  await app.pool.query(`delete from directory_groups where display_name = any($1)`, [names]);
});

test.each([
  ['Okta', [{ op: 'replace', value: { active: false } }]],
  ['Azure', [{ op: 'Replace', path: 'active', value: 'False' }]],
])('deactivated as %s does: sessions and keys end at once, rides are taken back', async (_, Operations) => {
  const person = await app.person('Leaving', { staffRole: 'admin' });
  const ride = await publishRide(app, person, {});
  const own = (await app.ok(person, makeKey, { name: 'Own', scopes: ['profile:read'] })).secret;
  await app.ok(person, readProfile, {});
  const { body } = await ask('POST', '/Users', sent({ userName: person.email, emails: [] }));
  expect(body['active']).toBe(true);
  const patched = await ask('PATCH', `/Users/${person.id}`, { Operations });
  expect(patched).toMatchObject({ status: 200, body: { active: false } });
  // A PUT without `active` leaves them deactivated.
  const anew = await ask('PUT', `/Users/${person.id}`, { userName: person.email });
  expect(anew.body['active']).toBe(false);
  expect(await app.call(person, readProfile, {})).toMatchObject({ code: 400 });
  expect(await app.call({ ...person, token: own }, readProfile, {})).toMatchObject({
    reason: 'access.suspended',
  });
  await app.deliver();
  const [taken] = await app.platform.db.select().from(rides).where(eq(rides.id, ride.id));
  expect(taken?.state).toBe('cancel');
  // Reactivated, but without the role, which no one has given them again.
  await ask('PATCH', `/Users/${person.id}`, { Operations: [{ op: 'replace', value: { active: true } }] });
  const back = await signedIn(person.id);
  expect(await app.ok(back, readProfile, {})).toMatchObject({ email: person.email });
  expect(await app.call(back, statistics, {})).toMatchObject({ code: 403 });
});

test('a suspension by an admin stays, and an owner cannot be deactivated', async () => {
  const person = await app.person('Suspended');
  await ask('POST', '/Users', sent({ userName: person.email, emails: [] }));
  await app.platform.db.update(users).set({ suspendedAt: app.clock.now() }).where(eq(users.id, person.id));
  for (const active of [false, true])
    await ask('PATCH', `/Users/${person.id}`, { Operations: [{ op: 'replace', value: { active } }] });
  const [row] = await app.platform.db.select().from(users).where(eq(users.id, person.id));
  expect(row?.suspendedAt).not.toBeNull();
  await ask('POST', '/Users', sent({ userName: owner.email, emails: [] }));
  const refused = await ask('DELETE', `/Users/${owner.id}`);
  expect(refused.status).toBe(403);
  await app.ok(owner, readProfile, {});
});

test('a deleted person is deactivated and hidden; created again, the same account is reactivated', async () => {
  const input = sent();
  const id = String((await ask('POST', '/Users', input)).body['id']);
  const person = await signedIn(id);
  expect((await ask('DELETE', `/Users/${id}`)).status).toBe(204);
  expect((await ask('GET', `/Users/${id}`)).status).toBe(404);
  expect((await ask('DELETE', `/Users/${id}`)).status).toBe(404);
  expect(await app.call(person, readProfile, {})).toMatchObject({ code: 400 });
  const again = await ask('POST', '/Users', input);
  expect(again).toMatchObject({ status: 201, body: { id, active: true } });
  await app.ok(await signedIn(id), readProfile, {});
});

test('groups give roles: at once, by membership, by rename, and never that of an owner', async () => {
  const id = String((await ask('POST', '/Users', sent())).body['id']);
  const name = `Help desk ${made}`;
  const group = await ask('POST', '/Groups', { displayName: name, members: [{ value: id }] });
  expect(group).toMatchObject({ status: 201, body: { displayName: name, members: [{ value: id }] } });
  const groupId = String(group.body['id']);
  const role = async () =>
    (await app.platform.db.select().from(users).where(eq(users.id, id)))[0]?.staffRole ?? null;
  expect(await role()).toBeNull();
  await app.ok(owner, mapGroup, { group: name.toUpperCase(), role: 'support' });
  expect(await role()).toBe('support');
  await ask('PATCH', `/Groups/${groupId}`, {
    Operations: [{ op: 'remove', path: `members[value eq "${id}"]` }],
  });
  expect(await role()).toBeNull();
  await ask('PATCH', `/Groups/${groupId}`, {
    Operations: [{ op: 'Add', path: 'members', value: [{ value: id }] }],
  });
  expect(await role()).toBe('support');
  expect((await ask('GET', `/Users/${id}`)).body['groups']).toMatchObject([
    { value: groupId, display: name },
  ]);
  await ask('PUT', `/Groups/${groupId}`, { displayName: `${name} 2`, members: [{ value: id }] });
  expect(await role()).toBeNull();
  await app.ok(owner, mapGroup, { group: `${name} 2`, role: 'auditor' });
  expect(await role()).toBe('auditor');
  expect((await ask('DELETE', `/Groups/${groupId}`)).status).toBe(204);
  expect(await role()).toBeNull();
  const wrong = await app.call(owner, mapGroup, { group: name, role: 'owner' as 'admin' });
  expect(wrong).toMatchObject({ code: 422, reason: 'input.invalid' });
  const admin = await app.person('Admin', { staffRole: 'admin' });
  expect(await app.call(admin, mapGroup, { group: 'IT', role: 'admin' })).toMatchObject({
    code: 403,
    reason: 'admin.roleTooHigh',
  });
  const { entries } = await app.ok(owner, listAudit, {});
  expect(entries.map(({ action }) => action)).toContain('group.mapped');
  const { roles, scimUrl } = await app.ok(owner, readDirectory, {});
  expect(scimUrl).toMatch(/\/scim\/v2$/);
  expect(roles).toContainEqual({ group: `${name} 2`, role: 'auditor' });
});

test('a directory cannot bypass the rules for roles: an admin’s key cannot change admins', async () => {
  await app.ok(owner, mapGroup, { group: 'Root', role: 'admin' });
  const admin = await app.person('Admin', { staffRole: 'admin' });
  const other = await app.person('Other', { staffRole: 'admin' });
  const input = { name: 'Directory', scopes: ['scim' as const] };
  const lesser = (await app.ok(admin, makeKey, input)).secret;
  const person = String((await ask('POST', '/Users', sent(), lesser)).body['id']);
  const group = { displayName: 'root', members: [{ value: person }] };
  expect((await ask('POST', '/Groups', group, lesser)).status).toBe(403);
  const plain = await ask('POST', '/Groups', { ...group, displayName: `Plain ${made}` }, lesser);
  expect(plain.status).toBe(201);
  const path = `/Groups/${String(plain.body['id'])}`;
  const Operations = [{ op: 'replace', path: 'displayName', value: 'ROOT' }];
  expect((await ask('PATCH', path, { Operations }, lesser)).status).toBe(403);
  await ask('POST', '/Users', sent({ userName: other.email, emails: [] }));
  expect((await ask('DELETE', `/Users/${other.id}`, undefined, lesser)).status).toBe(403);
  await app.ok(other, statistics, {});
  expect((await ask('DELETE', `/Users/${other.id}`)).status).toBe(204);
  expect((await ask('POST', '/Groups', group)).status).toBe(201);
  const [row] = await app.platform.db.select().from(users).where(eq(users.id, person));
  expect(row?.staffRole).toBe('admin');
});

test('an admin’s key neither links nor renames owners and admins, nor gives an admin’s role back; no key renames an owner', async () => {
  await app.ok(owner, mapGroup, { group: 'Chiefs', role: 'admin' });
  const admin = await app.person('Admin', { staffRole: 'admin' });
  const input = { name: 'Directory', scopes: ['scim' as const], callsPerMinute: 6000 };
  const lesser = (await app.ok(admin, makeKey, input)).secret;
  const other = await app.person('Other', { staffRole: 'admin' });
  const accountOf = async (id: string) =>
    (await app.platform.db.select().from(users).where(eq(users.id, id)))[0]!;
  const rename = { Operations: [{ op: 'replace', path: 'displayName', value: 'Not The Owner' }] };
  for (const person of [owner, other]) {
    const { name } = await accountOf(person.id);
    const link = sent({ userName: person.email, emails: [] });
    expect((await ask('POST', '/Users', link, lesser)).status).toBe(403);
    expect((await ask('POST', '/Users', link)).status).toBe(201);
    expect((await ask('PATCH', `/Users/${person.id}`, rename, lesser)).status).toBe(403);
    expect((await accountOf(person.id)).name).toBe(name);
    // A directory that only repeats what is so is no trouble.
    const same = { Operations: [{ op: 'replace', path: 'displayName', value: name }] };
    expect((await ask('PATCH', `/Users/${person.id}`, same, lesser)).status).toBe(200);
  }
  expect((await ask('PATCH', `/Users/${owner.id}`, rename)).status).toBe(403);
  expect((await ask('PATCH', `/Users/${other.id}`, rename)).status).toBe(200);

  const person = String((await ask('POST', '/Users', sent())).body['id']);
  await ask('POST', '/Groups', { displayName: 'chiefs', members: [{ value: person }] });
  const active = (isActive: boolean) => ({ Operations: [{ op: 'replace', value: { active: isActive } }] });
  expect((await ask('PATCH', `/Users/${person}`, active(false))).status).toBe(200);
  expect((await accountOf(person)).staffRole).toBeNull();
  for (const [method, body] of [
    ['PATCH', active(true)],
    ['DELETE', undefined],
  ] as const)
    expect((await ask(method, `/Users/${person}`, body, lesser)).status).toBe(403);
  expect(await accountOf(person)).toMatchObject({ staffRole: null, suspendedAt: expect.any(Date) });
  expect((await ask('PATCH', `/Users/${person}`, active(true))).status).toBe(200);
  expect((await accountOf(person)).staffRole).toBe('admin');
});

test('a role that was given by hand stays when groups change', async () => {
  const person = await app.person('Moderator', { staffRole: 'moderator' });
  await ask('POST', '/Users', sent({ userName: person.email, emails: [] }));
  const name = `Desk ${made}`;
  await app.ok(owner, mapGroup, { group: name, role: 'support' });
  const group = await ask('POST', '/Groups', { displayName: name, members: [{ value: person.id }] });
  await ask('DELETE', `/Groups/${String(group.body['id'])}`);
  const [row] = await app.platform.db.select().from(users).where(eq(users.id, person.id));
  expect(row?.staffRole).toBe('moderator');
});

const nobody = '/Users/00000000-0000-4000-8000-000000000000';

test.each([
  ['no userName', ['POST', '/Users', { displayName: 'x' }], 400, 'invalidValue'],
  ['no address', ['POST', '/Users', { userName: 'just.a.name' }], 400, 'invalidValue'],
  ['a list for a person', ['POST', '/Users', []], 400, 'invalidSyntax'],
  ['no operations', ['PATCH', nobody, { Operations: [] }], 400, 'invalidValue'],
  ['an unknown person', ['PUT', nobody, { userName: 'a@b.co' }], 404, undefined],
  ['an id that is none', ['DELETE', '/Users/abc'], 404, undefined],
  [
    'an unknown member',
    ['POST', '/Groups', { displayName: 'G', members: [{ value: 'x' }] }],
    400,
    'invalidValue',
  ],
  ['a nameless group', ['POST', '/Groups', { displayName: ' ' }], 400, 'invalidValue'],
  ['zero characters', ['POST', '/Users', { userName: 'a\u0000@b.co' }], 400, 'invalidValue'],
] as [string, [string, string, object?], number, string | undefined][])(
  '%s is answered with its error',
  async (_, [method, path, payload], status, scimType) => {
    const answer = await ask(method, path, payload);
    expect(answer.status).toBe(status);
    expect(answer.body['scimType']).toBe(scimType);
    expect(answer.body['detail']).not.toBe('');
  },
);

test('malformed JSON gets a 400 in the SCIM format', async () => {
  const response = await app.http.inject({
    method: 'POST',
    url: '/scim/v2/Users',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/scim+json' },
    payload: '{"userName":',
  });
  expect(response.statusCode).toBe(400);
  expect(response.json()).toMatchObject({ scimType: 'invalidSyntax', status: '400' });
});
