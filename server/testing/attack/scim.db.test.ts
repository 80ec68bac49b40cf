import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeKey } from '#contract/connect/keys.ts';
import { minuteMs } from '../../platform/clock.ts';
import { randomFrom } from '../random.ts';
import { sized } from '../size.ts';
import { openTestApp, type TestApp } from '../test-app.ts';
import { contentTypes, hostileBodies, hostileQueries, hostileTexts, strangeValues } from './hostile.ts';
import { leaksIn } from './leaks.ts';
import { liftLimits } from './lift-limits.ts';
import { printCounts } from './report.ts';

// SCIM's addresses are not in the contract: requests of a directory with hostile bodies, filters, patches,
// ids and queries, with a key that may do everything there. Every answer must be SCIM's, without internals,
// and none a failure of the server.

const requests = sized(1500, 20_000);
const seed = Number(process.env['ATTACK_SEED'] ?? 1);
const atOnce = 8;
const freshMinuteEvery = 4000;
const random = randomFrom(seed);
const below = (limit: number) => Math.floor(random() * limit);
const of = <T>(items: readonly T[]): T => items[below(items.length)]!;

let app: TestApp;
let secret = '';
let restoreLimits = () => {};
const uncaught: unknown[] = [];
const noteUncaught = (error: unknown) => uncaught.push(error);
beforeAll(async () => {
  app = await openTestApp();
  restoreLimits = liftLimits();
  const owner = await app.person('Owner', { staffRole: 'owner' });
  const input = { name: 'Directory', scopes: ['scim' as const], callsPerMinute: 6000 };
  ({ secret } = await app.ok(owner, makeKey, input));
  process.on('unhandledRejection', noteUncaught).on('uncaughtExceptionMonitor', noteUncaught);
});
afterAll(async () => {
  process.off('unhandledRejection', noteUncaught).off('uncaughtExceptionMonitor', noteUncaught);
  restoreLimits();
  await app.close();
});

/** Ids of people and groups that the directory has made. */
const ids = { Users: [] as string[], Groups: [] as string[] };
const kinds = ['Users', 'Groups'] as const;
type Kind = (typeof kinds)[number];

/** Texts at and beyond the limits of this interface and of the database's indexes. */
const longTexts = [200, 254, 255, 1000, 1001, 3000, 20_000].map(
  // Random, because an index takes long texts that compress well.
  (length) => () => Array.from({ length }, () => below(36).toString(36)).join(''),
);
/** How many of a hundred values of the next request are hostile. */
let roughness = 0;
/** A value for an attribute: a usual one, or a hostile one. */
function value(usual: () => unknown): unknown {
  if (below(100) >= roughness) return usual();
  const dice = below(5);
  if (dice < 2) return of(hostileTexts);
  if (dice < 3) return of(longTexts)();
  if (dice < 4) return of(strangeValues)();
  return Array.from({ length: below(4) }, () => of(strangeValues)());
}
const anyId = (kind: Kind): string =>
  below(100) < roughness
    ? of([...hostileTexts, randomUUID(), '0', '-'])
    : (ids[kind][below(ids[kind].length)] ?? randomUUID());
const member = () => ({ value: anyId('Users') });
const member0to = (most: number) => Array.from({ length: below(most + 1) }, member);
const spelled = (name: string) => of([name, name.toUpperCase(), name.toLowerCase()]);

const bodyOf = (kind: Kind): object => {
  const fields: Record<string, () => unknown> =
    kind === 'Users'
      ? {
          userName: () => `p${below(1e9)}@example.com`,
          externalId: () => `ext-${below(1e6)}`,
          name: () => ({ givenName: value(() => 'Ann'), familyName: value(() => 'Lee') }),
          displayName: () => 'Ann Lee',
          preferredLanguage: () => of(['en', 'zh-CN']),
          active: () => of([true, false, 'True']),
          emails: () => [
            { value: value(() => `p${below(1e9)}@example.com`), primary: of([true, 'true', 1]) },
          ],
        }
      : {
          displayName: () => `Group ${below(1e6)}`,
          externalId: () => `g-${below(1e6)}`,
          members: () => member0to(3),
        };
  const body = Object.entries(fields).flatMap(([name, usual]) =>
    below(200) < roughness ? [] : [[spelled(name), value(usual)] as const],
  );
  return {
    schemas: value(() => ['urn:ietf:params:scim:schemas:core:2.0:User']),
    ...Object.fromEntries(body),
  };
};

const attributes = [
  'userName',
  'externalId',
  'displayName',
  'name.givenName',
  'name',
  'active',
  'members',
  'emails[type eq "work"].value',
  'urn:ietf:params:scim:schemas:core:2.0:User:userName',
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
  '__proto__',
  'constructor.prototype',
  'toString',
];
const path = (): unknown => {
  const dice = below(roughness === 0 ? 8 : 10);
  if (dice < 6) return spelled(of(attributes));
  if (dice < 8) return `members[value eq ${JSON.stringify(anyId('Users'))}]`;
  return dice < 9 ? of(hostileTexts) : of(strangeValues)();
};
const operation = (): unknown => {
  if (below(200) < roughness) return of(strangeValues)();
  return {
    op: below(200) < roughness ? of(hostileTexts) : spelled(of(['add', 'replace', 'remove'])),
    ...(below(5) > 0 && { path: path() }),
    value: value(() => of([() => bodyOf(of(kinds)), () => member0to(4), () => 'text', () => true])()),
  };
};
const patch = (): object => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: value(() => Array.from({ length: 1 + below(4) }, operation)),
});

const literal = () =>
  of([
    () => JSON.stringify(of(hostileTexts)),
    () => `"${of(hostileTexts)}"`,
    () => 'true',
    () => of(hostileTexts),
  ])();
const filter = (): string => {
  const simple = `${spelled(of(attributes))} ${of(['eq', 'eq', 'EQ', 'co', 'sw', 'pr'])} ${literal()}`;
  return of([
    () => simple,
    () => simple,
    () => `${simple} and ${simple}`,
    () => `(${'('.repeat(below(400))}${simple}`,
    () => `${'not '.repeat(below(250))}${simple}`,
    () => `emails[${simple}]`,
    () => of(hostileTexts),
    () => `id eq "${anyId('Users')}"`,
  ])();
};
const query = (): string => {
  if (roughness === 0) return '';
  if (below(6) === 0) return of(hostileQueries);
  const number = () => String(of([-1, 0, 1, 2, 100, 1e7, 1e7 + 1, 1e300, 0.5, 'NaN', '٣', of(hostileTexts)]));
  const asked = {
    ...(below(3) > 0 && { filter: filter() }),
    ...(below(2) === 0 && { startIndex: number() }),
    ...(below(2) === 0 && { count: number() }),
    ...(below(3) === 0 && { excludedAttributes: of(['members', ' MEMBERS ', of(hostileTexts)]) }),
  };
  // As a directory would, and as none would.
  return below(8) === 0
    ? Object.entries(asked)
        .map(([name, each]) => `${name}=${encodeURI(each.toWellFormed())}`)
        .join('&')
    : new URLSearchParams(asked).toString();
};

interface Asked {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  payload?: string;
}

function nextRequest(): Asked {
  roughness = of([0, 10, 50]);
  const kind = of(kinds);
  const headers = { authorization: `Bearer ${secret}` };
  const one = `/scim/v2/${kind}/${encodeURIComponent(anyId(kind).toWellFormed())}`;
  const method = of([
    'GET',
    'GET',
    'POST',
    'POST',
    'PUT',
    'PATCH',
    'PATCH',
    'PATCH',
    'PATCH',
    'DELETE',
  ] as const);
  if (method === 'GET') {
    const where = of([
      `/scim/v2/${kind}`,
      one,
      `/scim/v2/${of(['Schemas', 'ResourceTypes'])}/${encodeURIComponent(of(hostileTexts).toWellFormed())}`,
    ]);
    return { method, url: `${where}?${query()}`, headers };
  }
  if (method === 'DELETE') return { method, url: one, headers };
  const type = below(30) === 0 ? of(contentTypes) : of(['application/scim+json', 'application/json']);
  const payload =
    below(15) === 0 ? of(hostileBodies)() : JSON.stringify(method === 'PATCH' ? patch() : bodyOf(kind));
  const url = method === 'POST' ? `/scim/v2/${kind}` : one;
  return { method, url, headers: { ...headers, 'content-type': type }, payload };
}

const counts = new Map<string, number>();
const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);

/** Makes a request. @returns what is wrong with the answer, or null */
async function ask(asked: Asked): Promise<string | null> {
  const answer = await app.http.inject(asked);
  const { statusCode: status, body } = answer;
  const told = `${JSON.stringify(asked).slice(0, 1500)}\n→ ${status} ${body.slice(0, 300)}`;
  count(`HTTP ${status}`);
  if (status >= 500) return told;
  const [leak] = leaksIn(body);
  if (leak !== undefined) return `${leak}: ${told}`;
  if (status >= 400) return body.length > 1000 ? `too many words: ${told}` : null;
  const [, kind, id] = /^\/scim\/v2\/(Users|Groups)\/?([^?]*)/.exec(asked.url) ?? [];
  if (status === 201) ids[kind as Kind].push(answer.json<{ id: string }>().id);
  if (asked.method === 'DELETE') ids[kind as Kind] = ids[kind as Kind].filter((each) => each !== id);
  return null;
}

test(`${requests.toLocaleString('en-US')} requests of a hostile directory crash nothing, leak nothing, and fail by their own fault`, async () => {
  const wrong: string[] = [];
  for (let made = 0; made < requests && wrong.length < 20; made += atOnce) {
    // The key's own limit of calls a minute would hide what the requests do.
    if (made % freshMinuteEvery < atOnce) app.clock.advance(minuteMs);
    const troubles = await Promise.all(Array.from({ length: atOnce }, () => ask(nextRequest())));
    wrong.push(...troubles.filter((each) => each !== null));
  }
  printCounts('scim', {
    seed,
    requests,
    ...Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    'wrong answers': wrong.length,
    uncaught: uncaught.length,
  });
  expect(wrong).toEqual([]);
  expect(uncaught).toEqual([]);
  // Some of it was right.
  expect(counts.get('HTTP 201')).toBeGreaterThan(requests / 100);
  expect(counts.get('HTTP 200')).toBeGreaterThan(requests / 20);
}, 1_800_000);
