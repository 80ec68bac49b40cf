import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allEndpoints } from '#contract/all.ts';
import type { Endpoint } from '#contract/define.ts';
import type { Envelope } from '#contract/envelope.ts';
import { ridingStates, type BookingState } from '#contract/rides/moves.ts';
import { minuteMs } from './platform/clock.ts';
import { attempts } from './schema/platform.ts';
import { accessRows, type Row } from './testing/access-rows.ts';
import {
  roles,
  openAccessFixture,
  type Role,
  type AccessFixture,
  type Step,
} from './testing/access-fixture.ts';
import { doors, doorsIn } from './testing/exact-places.ts';
import { answersOf } from './testing/role-table.ts';
import { openTestApp, type TestApp } from './testing/test-app.ts';
import { upload } from './testing/upload.ts';

let app: TestApp;
let picture: Buffer;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-access-'));
beforeAll(async () => {
  app = await openTestApp({
    startsAt: new Date('2026-11-23T17:00:00Z'),
    env: { DEMO: '1', DATA_DIR: folder },
  });
  picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#59BC6B' } })
    .jpeg()
    .toBuffer();
});
afterAll(async () => {
  await app.close();
  fs.rmSync(folder, { recursive: true });
});

/** The demo's inbox has the emails of all people, for all. No other installation has it. */
const showsAll = ['GET /demo/outbox'];

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;

test('every call has its row, and every row its call', () => {
  expect(Object.keys(accessRows).toSorted()).toEqual(allEndpoints.map(nameOf).toSorted());
});

test.each(allEndpoints.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
  '%s',
  async (name, endpoint) => {
    const row = accessRows[name];
    if (row === undefined) throw new Error(`${name} has no row in server/testing/access-rows.ts.`);
    let fixture = await stageFor(endpoint, row);
    const expected = answersOf(endpoint, row);
    const seen = row.sees?.(fixture) ?? {};
    const answered: Partial<Record<Role, number>> = {};
    const refusals: Partial<Record<Role, string>> = {};
    // Those who are refused come first: what they may not do must not have happened when the others do it.
    const order = roles.toSorted((a, b) => Number(expected[a] === 200) - Number(expected[b] === 200));
    let isDone = false;
    for (const role of order) {
      if (row.once === true && isDone)
        fixture = await openAccessFixture(app, row.at ?? 'people', undefined, doors);
      isDone = expected[role] === 200;
      // All callers share one network, so its rate limits are off here.
      await app.platform.db.delete(attempts);
      const input = (await row.input?.(fixture, role)) ?? {};
      const concerned = await concernedBy(fixture);
      const answer = await ask(fixture, role, endpoint, input);
      const shown = showsAll.includes(name) ? [] : doorsIn(answer).filter(({ owner }) => owner !== role);
      if (shown.length > 0 && !(concerned.includes(role) || (await concernedBy(fixture)).includes(role)))
        throw new Error(`${name} shows ${role} exact places: ${JSON.stringify(shown)}`);
      answered[role] = answer.code;
      if (answer.code !== 200) refusals[role] = `${answer.reason ?? ''}: ${answer.info}`;
      const wanted = seen[role];
      if (wanted !== undefined)
        expect(answer.data, `${name} as ${role}`).toMatchObject(patterns(wanted) as object);
    }
    expect(answered, `${name}\n${JSON.stringify(refusals, null, 2)}`).toEqual(expected);
  },
);

/** The people who may know each other's exact places: the two, as soon as they ride together. */
async function concernedBy({ bookingId }: AccessFixture): Promise<Role[]> {
  const { rows } = await app.pool.query<{ state: BookingState }>('select state from bookings where id = $1', [
    bookingId,
  ]);
  const isTogether = rows.some(({ state }) => ridingStates.some((each) => each === state));
  return isTogether ? ['driver', 'passenger'] : [];
}

/**
 * A call that only reads, or is refused to all, shares its fixture with its likes: nothing has happened on
 * it.
 */
async function stageFor({ method }: Endpoint, { at = 'people', answers }: Row): Promise<AccessFixture> {
  const changes = method !== 'GET' && answers.includes(200);
  const now = app.clock.now();
  const shared = untouched.get(at);
  if (!changes && shared !== undefined && now.getTime() - shared.at.getTime() < minuteMs)
    return shared.fixture;
  const fixture = await openAccessFixture(app, at, undefined, doors);
  if (!changes) untouched.set(at, { fixture, at: app.clock.now() });
  return fixture;
}
const untouched = new Map<Step, { fixture: AccessFixture; at: Date }>();

const ask = (
  fixture: AccessFixture,
  role: Role,
  endpoint: Endpoint,
  input: object,
): Promise<Envelope<unknown>> =>
  endpoint.takesFile === true
    ? upload(app, fixture.who(role), (input as { purpose: string }).purpose, [{ bytes: picture }])
    : app.callUnchecked(fixture.who(role), endpoint, input);

/** The same with regular expressions as matchers. */
function patterns(value: unknown): unknown {
  if (value instanceof RegExp) return expect.stringMatching(value);
  if (Array.isArray(value)) return value.map(patterns);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, patterns(each)]));
}
