import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allEndpoints } from '#contract/all.ts';
import type { Endpoint } from '#contract/define.ts';
import { answerCodes, type Envelope } from '#contract/envelope.ts';
import { attempts } from '../../schema/platform.ts';
import { openAccessFixture, roles, type AccessFixture, type Role } from '../access-fixture.ts';
import { staffRoles } from '#contract/admin/roles.ts';
import { accessRows } from '../access-rows.ts';
import { randomFrom } from '../random.ts';
import { sized } from '../size.ts';
import { openTestApp, type TestApp } from '../test-app.ts';
import { inputFor, type Draw, type Known } from './contract-values.ts';
import { collectGarbage } from './collect-garbage.ts';
import { contentTypes, hostileBodies, hostileQueries, hostileTexts, strangeValues } from './hostile.ts';
import { leaksIn } from './leaks.ts';
import { liftLimits } from './lift-limits.ts';
import { printCounts } from './report.ts';

// Requests generated from the contract's schemas: valid ones, values at and beyond every limit, hostile text,
// wrong types, broken bodies. Every answer must be an envelope of the contract or a short refusal by the HTTP
// server; it must not reveal internals, nothing may crash, and memory must not grow.

const requests = sized(3000, 100_000);
const seed = Number(process.env['ATTACK_SEED'] ?? 1);
const atOnce = 8;
const freshIdsEvery = 2000;
/** After this many requests the ride is canceled, its people are suspended, and their things are deleted. */
const freshRideEvery = 10_000;
/** It would close the server to all others; `maintenance-guard.db.test.ts` tests it. */
const leftOut = ['POST /admin/maintenance'];

/** These answers show a new key or webhook secret once to its maker. */
const shownOnce = ['POST /admin/make-key', 'POST /admin/save-webhook', 'POST /admin/renew-webhook-secret'];
const newSecrets = /"(whsec_|sameway_)[\w+/=-]+"/g;

let app: TestApp;
let fixture: AccessFixture;
let restoreLimits = () => {};
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-fuzz-'));
const uncaught: unknown[] = [];
const noteUncaught = (error: unknown) => uncaught.push(error);
beforeAll(async () => {
  app = await openTestApp({
    startsAt: new Date('2026-11-23T17:00:00Z'),
    env: { DEMO: '1', DATA_DIR: folder },
  });
  restoreLimits = liftLimits();
  process.on('unhandledRejection', noteUncaught).on('uncaughtExceptionMonitor', noteUncaught);
});
afterAll(async () => {
  process.off('unhandledRejection', noteUncaught).off('uncaughtExceptionMonitor', noteUncaught);
  restoreLimits();
  await app.close();
  fs.rmSync(folder, { recursive: true });
});

const random = randomFrom(seed);
const draw: Draw = {
  below: (limit) => Math.floor(random() * limit),
  of: (items) => items[Math.floor(random() * items.length)]!,
};

interface Request {
  name: string;
  role: Role;
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  payload?: string;
}

const called = allEndpoints.filter(({ method, path: at }) => !leftOut.includes(`${method} ${at}`));

/** A valid input about the current ride, for each call. */
const usual = new Map<string, object>();

/** Creates a ride with new people, and for every call an input about it. */
async function freshRide(): Promise<void> {
  fixture = await openAccessFixture(app, 'joined');
  for (const { method, path: at } of called) {
    const name = `${method} ${at}`;
    const input = await Promise.resolve(accessRows[name]?.input?.(fixture, draw.of(roles))).catch(() => null);
    if (input != null) usual.set(name, input);
  }
}

/** The same input with some values replaced, at any depth. */
function altered(value: unknown, known: Known): unknown {
  if (draw.below(100) < known.roughness)
    return draw.of([draw.of(hostileTexts), draw.of(strangeValues)(), draw.of(known.ids), undefined]);
  if (Array.isArray(value)) return value.map((item) => altered(item, known));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, altered(each, known)]));
}

function fieldsFor({ method, path: at, input }: Endpoint, known: Known): unknown {
  const base = usual.get(`${method} ${at}`);
  return base === undefined || draw.below(2) === 0 ? inputFor(input, known) : altered(base, known);
}

/** The next request that the seed draws. */
function nextRequest(known: Known): Request {
  const endpoint = draw.of(called);
  const role = draw.of(roles);
  const who = fixture.who(role);
  const headers: Record<string, string> = {
    accept: 'application/json',
    'accept-language': draw.of(['en', 'zh', 'x'.repeat(300), '*;q=9']),
    ...(who === null ? {} : { authorization: `Bearer ${who.token}` }),
  };
  const request = { name: `${endpoint.method} ${endpoint.path}`, role, method: endpoint.method };
  if (endpoint.method === 'GET')
    return { ...request, url: `${endpoint.path}?${queryFor(endpoint, known)}`, headers };
  const isBroken = draw.below(25) === 0;
  const type = draw.below(40) === 0 ? draw.of(contentTypes) : 'application/json';
  const payload = isBroken ? draw.of(hostileBodies)() : JSON.stringify(fieldsFor(endpoint, known) ?? null);
  return { ...request, url: endpoint.path, headers: { ...headers, 'content-type': type }, payload };
}

function queryFor(endpoint: Endpoint, known: Known): string {
  if (draw.below(25) === 0) return draw.of(hostileQueries);
  const fields = fieldsFor(endpoint, known);
  if (typeof fields !== 'object' || fields === null) return '';
  const pairs = Object.entries(fields).map(([name, value]): [string, string] => [
    name,
    (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, 6000),
  ]);
  return new URLSearchParams(pairs).toString();
}

/** Ids of existing things. */
async function someIds(): Promise<string[]> {
  const { rows } = await app.pool.query<{ id: string }>(
    [
      'users',
      'rides',
      'requests',
      'bookings',
      'vehicles',
      'events',
      'sessions',
      'tags',
      'alerts',
      'chat_rooms',
    ]
      .map((table) => `(select id::text as id from ${table} order by random() limit 3)`)
      .join(' union all '),
  );
  return rows.map(({ id }) => id);
}

/** Replaces a person who has signed out or was suspended. */
async function replace(role: Role): Promise<void> {
  if (role === 'guest') return;
  const staffRole = staffRoles.find((each) => each === role) ?? null;
  fixture.people[role] = await app.person(role, { staffRole });
}

const counts = new Map<string, number>();
const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
let slowest = { ms: 0, name: '' };

/** Makes a request. Returns what is wrong with the answer, or null. */
async function ask(request: Request): Promise<string | null> {
  const { name, role, ...asked } = request;
  const began = performance.now();
  const answer = await app.http.inject(asked);
  const ms = Math.round(performance.now() - began);
  if (ms > slowest.ms) slowest = { ms, name };
  const told = `${name} as ${role}: ${JSON.stringify(asked).slice(0, 1500)}\n→ ${answer.statusCode} ${answer.body.slice(0, 300)}`;
  count(`HTTP ${answer.statusCode}`);
  if (answer.statusCode >= 500) return told;
  const mayShow = shownOnce.includes(name);
  const [leak] = leaksIn(mayShow ? answer.body.replaceAll(newSecrets, '""') : answer.body);
  if (leak !== undefined) return `${leak}: ${told}`;
  if (answer.statusCode !== 200) return answer.body.length > 200 ? `too many words: ${told}` : null;
  const envelope = answer.json<Envelope<unknown>>();
  count(`code ${envelope.code}`);
  if (!answerCodes.includes(envelope.code)) return `no code of the contract: ${told}`;
  if (envelope.code === 400 && envelope.reason === 'session.missing') await replace(role);
  return null;
}

function heapMb(): number {
  collectGarbage();
  return Math.round(process.memoryUsage().heapUsed / 1e6);
}

test('no hostile text looks like a leak by itself', () => {
  expect(hostileTexts.flatMap((text) => leaksIn(text))).toEqual([]);
});

test(`${requests.toLocaleString('en-US')} requests drawn from the contract crash nothing, leak nothing, and leave memory flat`, async () => {
  const known: Known = {
    draw,
    ids: [],
    now: app.clock.now.bind(app.clock),
    hostile: hostileTexts,
    strange: strangeValues,
    roughness: 0,
  };
  const wrong: string[] = [];
  let early = 0;
  for (let made = 0; made < requests; made += atOnce) {
    if (made % freshRideEvery < atOnce) await freshRide();
    if (made % freshIdsEvery < atOnce) {
      known.ids = await someIds();
      await app.platform.db.delete(attempts);
    }
    if (early === 0 && made >= requests / 5) early = heapMb();
    const batch = Array.from({ length: atOnce }, () => {
      // A third of all requests are valid in every field; the others have one or several odd fields.
      known.roughness = draw.of([0, 4, 20]);
      return nextRequest(known);
    });
    for (const trouble of await Promise.all(batch.map(ask))) if (trouble !== null) wrong.push(trouble);
    if (wrong.length > 20) break;
  }
  const late = heapMb();
  printCounts('fuzz', {
    seed,
    requests,
    calls: called.length,
    roles: roles.length,
    ...Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    'wrong answers': wrong.length,
    uncaught: uncaught.length,
    'slowest ms': `${slowest.ms} (${slowest.name})`,
    'heap MB at 20 %': early,
    'heap MB at the end': late,
  });
  expect(wrong).toEqual([]);
  expect(uncaught).toEqual([]);
  expect(late).toBeLessThan(early * 1.15 + 20);
}, 1_800_000);
