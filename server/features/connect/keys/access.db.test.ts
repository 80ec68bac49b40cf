import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allEndpoints } from '#contract/all.ts';
import { keyMark } from '#contract/connect/keys.ts';
import { keyNeedOf, nounsWithoutKeys, scopes, type Scope } from '#contract/connect/scopes.ts';
import type { Endpoint } from '#contract/define.ts';
import type { Envelope } from '#contract/envelope.ts';
import { minuteMs } from '../../../platform/clock.ts';
import { hashSecret, newSecret } from '../../../platform/security/session.ts';
import { apiKeys } from '../../../schema/connect.ts';
import { attempts } from '../../../schema/platform.ts';
import { openAccessFixture, type AccessFixture, type Step } from '../../../testing/access-fixture.ts';
import { accessRows } from '../../../testing/access-rows.ts';
import { answersOf } from '../../../testing/role-table.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../../testing/test-app.ts';

let app: TestApp;
const untouched = new Map<Step, { fixture: AccessFixture; at: Date }>();
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-keys-'));
beforeAll(async () => {
  app = await openTestApp({
    startsAt: new Date('2026-11-23T17:00:00Z'),
    env: { DEMO: '1', DATA_DIR: folder },
  });
});
afterAll(async () => {
  await app.close();
  fs.rmSync(folder, { recursive: true });
});

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
const calls = allEndpoints.filter(({ takesFile }) => takesFile !== true);

/** The person, calling with a key instead of their session. */
async function withKey(person: TestPerson, given: readonly Scope[]): Promise<TestPerson> {
  const secret = `${keyMark}${newSecret()}`;
  await app.platform.db.insert(apiKeys).values({
    id: randomUUID(),
    userId: person.id,
    name: 'A key',
    keyHash: hashSecret(secret),
    shown: 'sameway_…',
    scopes: [...given],
    callsPerMinute: 6000,
    createdAt: app.clock.now(),
  });
  return { ...person, token: secret };
}

/** Calls that only read or are refused share a fixture. */
async function fixtureFor(endpoint: Endpoint, step: Step): Promise<AccessFixture> {
  const changes =
    endpoint.method !== 'GET' && answersOf(endpoint, accessRows[nameOf(endpoint)]!).owner === 200;
  const shared = untouched.get(step);
  if (!changes && shared !== undefined && app.clock.now().getTime() - shared.at.getTime() < minuteMs)
    return shared.fixture;
  const fixture = await openAccessFixture(app, step);
  if (!changes) untouched.set(step, { fixture, at: app.clock.now() });
  return fixture;
}

async function ask(person: TestPerson, endpoint: Endpoint, input: object): Promise<Envelope<unknown>> {
  await app.platform.db.delete(attempts);
  return app.callUnchecked(person, endpoint, input);
}

test.each(calls.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
  '%s with a key: refused without its scope, answered with it as its person is',
  async (name, endpoint) => {
    const row = accessRows[name]!;
    const need = keyNeedOf(endpoint);
    const fixture = await fixtureFor(endpoint, row.at ?? 'people');
    const { owner } = fixture.people;
    const input = (await row.input?.(fixture, 'owner')) ?? {};
    const others = await withKey(
      owner,
      scopes.filter((each) => each !== need),
    );
    const refused = await ask(others, endpoint, input);
    if (need === 'never') expect(refused).toMatchObject({ code: 403, reason: 'key.never' });
    else if (need === 'any') expect(refused.code).toBe(answersOf(endpoint, row).owner);
    else expect(refused).toMatchObject({ code: 403, reason: 'key.scope', data: { scope: need } });
    if (need === 'never' || need === 'any') return;
    const answered = await ask(await withKey(owner, [need]), endpoint, input);
    expect(answered.reason ?? '').not.toMatch(/^(?:key|session)\./);
    expect(answered.code, `${answered.reason}: ${answered.info}`).toBe(answersOf(endpoint, row).owner);
  },
);

test('no key reaches money, sign-in, second factors, roles or keys', () => {
  const never = allEndpoints.filter((endpoint) => keyNeedOf(endpoint) === 'never').map(nameOf);
  for (const endpoint of allEndpoints) {
    const noun = endpoint.path.split('/')[1]!;
    const isHeld =
      nounsWithoutKeys.includes(noun) ||
      endpoint.stepUp === true ||
      /^(?:money|roles|disputes|licenses|keys)\./.test(endpoint.permission ?? '');
    if (isHeld) expect(never, nameOf(endpoint)).toContain(nameOf(endpoint));
  }
  expect(never).toEqual(
    expect.arrayContaining(['POST /access/login', 'POST /payment/authorize', 'POST /admin/give-role']),
  );
});

test('the first word of every path is listed, so that a new one must state whether it accepts keys', () => {
  const unknown = allEndpoints.filter((endpoint) => {
    const noun = endpoint.path.split('/')[1]!;
    if (endpoint.permission !== undefined || nounsWithoutKeys.includes(noun)) return false;
    const free = { method: 'GET', path: `/${noun}/something` } as const;
    return keyNeedOf(free) === 'never' && noun !== 'discover' && noun !== 'upload' && noun !== 'feedback';
  });
  expect(unknown.map(nameOf)).toEqual([]);
});

test('a step of a ride that no list names refuses every key', () => {
  expect(keyNeedOf({ method: 'POST', path: '/order/something' })).toBe('never');
  expect(keyNeedOf({ method: 'GET', path: '/order/something' })).toBe('rides:read');
});

test('every scope except SCIM’s is used by a call', () => {
  const needed = new Set<string>([...allEndpoints.map(keyNeedOf), 'scim']);
  expect(scopes.filter((scope) => !needed.has(scope))).toEqual([]);
});
