import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allEndpoints } from '#contract/all.ts';
import { isPermitted, staffRoles } from '#contract/admin/roles.ts';
import type { Endpoint } from '#contract/define.ts';
import { attempts } from '../../schema/platform.ts';
import { openAccessFixture, roles, type AccessFixture, type Role } from '../access-fixture.ts';
import { accessRows } from '../access-rows.ts';
import { openTestApp, type TestApp } from '../test-app.ts';
import { idFields, withField, type FieldPath } from './contract-values.ts';
import { leaksIn } from './leaks.ts';
import { liftLimits } from './lift-limits.ts';
import { printCounts } from './report.ts';
import { openVictims, hashVictimRows, type Victims } from './victims.ts';

// Every call that takes an id, as every role, with the id of each thing of two strangers in each field; the
// other fields are valid and the caller's own. No answer may reveal the strangers' data, and none of it may
// change.

let app: TestApp;
let restoreLimits = () => {};
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-strangers-'));
const counts = { calls: 0, roles: roles.length, tries: 0, objects: 0, refused: 0, allowed: 0 };
beforeAll(async () => {
  app = await openTestApp({
    startsAt: new Date('2026-11-23T17:00:00Z'),
    env: { DEMO: '1', DATA_DIR: folder },
  });
  restoreLimits = liftLimits();
});
afterAll(async () => {
  restoreLimits();
  await app.close();
  fs.rmSync(folder, { recursive: true });
  printCounts('strangers', counts);
});

const isPublic = 'an event, a profile and its public reviews are for everyone who is signed in';
const aboutPerson = 'anyone may be asked, blocked and reported; the row is the caller’s own';
const leftOut = 'what is not the caller’s own is left out, and nothing is said of it';
const ownName = 'the id is a name that the caller makes up';
const filter = 'it narrows a list of the caller’s own';
const none = 'the answer is that there is no such pair';

/**
 * Fields where another person's id may succeed, with the reason. The test still searches these answers for
 * the victims' words.
 */
const open: Record<string, string> = {
  'POST /order/create order.eventId': isPublic,
  'POST /order/update order.eventId': isPublic,
  'POST /order/create-return order.eventId': isPublic,
  'POST /order/create-return back.eventId': isPublic,
  'POST /series/create series.order.eventId': isPublic,
  'POST /series/update series.order.eventId': isPublic,
  'GET /event/detail id': isPublic,
  'GET /event/rides id': isPublic,
  'GET /event/mine id': isPublic,
  'POST /event/join-as-driver id': isPublic,
  'POST /event/join-as-passenger id': isPublic,
  'GET /contact/detail id': isPublic,
  'GET /review/list userId': isPublic,
  'POST /contact/apply id': aboutPerson,
  'POST /contact/block id': aboutPerson,
  'POST /contact/report id': aboutPerson,
  'POST /tag/remove-contact userIds.[]': leftOut,
  'POST /notification/read ids.[]': leftOut,
  'POST /notification/seen ids.[]': leftOut,
  'POST /im/send clientId': ownName,
  'GET /payment/receipts bookingId': filter,
  'GET /review/list rideId': filter,
  'GET /order/match-pair otherId': none,
};

const nameOf = ({ method, path: at }: Endpoint) => `${method} ${at}`;
const withIds = allEndpoints.filter((endpoint) => idFields(endpoint).length > 0);

const isOpenField = (endpoint: Endpoint, field: FieldPath): boolean =>
  open[`${nameOf(endpoint)} ${field.join('.')}`] !== undefined;

interface Attack {
  fields: FieldPath[];
  kind: string;
  values: string[];
}

/** Each thing in each field, and for a call with several ids, the ids of one pair together. */
function attacksOn(endpoint: Endpoint, { objects }: Victims): Attack[] {
  const fields = idFields(endpoint);
  const alone = fields.flatMap((field) =>
    [...objects].map(([kind, id]) => ({ fields: [field], kind, values: [id] })),
  );
  const pair = [...objects].filter(([kind]) => ['rides', 'requests', 'bookings', 'users'].includes(kind));
  const [one, two] = fields;
  if (one === undefined || two === undefined) return alone;
  const together = pair.flatMap(([kindOne, first]) =>
    pair.map(([kindTwo, second]) => ({
      fields: [one, two],
      kind: `${kindOne} and ${kindTwo}`,
      values: [first, second],
    })),
  );
  return [...alone, ...together];
}

/** The roles without the call's permission; only they must not reach another person's things. */
const outsidersOf = ({ permission }: Endpoint): Role[] =>
  roles.filter((role) => {
    const staffRole = staffRoles.find((each) => each === role);
    return permission === undefined || staffRole === undefined || !isPermitted(staffRole, permission);
  });

test.each(withIds.map((endpoint) => [nameOf(endpoint), endpoint] as const))('%s', async (name, endpoint) => {
  const row = accessRows[name];
  if (row === undefined) throw new Error(`${name} has no row in server/testing/access-rows.ts.`);
  const own = await openAccessFixture(app, row.at ?? 'people');
  const victims = await openVictims(app);
  const attackers = Object.values(own.people);
  const attacks = attacksOn(endpoint, victims);
  const before = await hashVictimRows(app, victims, attackers);
  const told: string[] = [];
  counts.calls += 1;
  counts.objects = Math.max(counts.objects, victims.objects.size);
  for (const role of outsidersOf(endpoint)) {
    const wellFormed = (await row.input?.(own, role)) ?? {};
    if (name === 'POST /payment/authorize') await owe(own);
    for (const attack of attacks) {
      const trouble = await tryAttack({ endpoint, own, victims, wellFormed, role, attack });
      if (trouble !== null) told.push(trouble);
    }
    await app.platform.db.delete(attempts);
  }
  await app.deliver();
  expect([...new Set(told)]).toEqual([]);
  expect(await hashVictimRows(app, victims, attackers)).toEqual(before);
});

/** The caller's own payment needs a card, so the call checks whose card it is. */
const owe = ({ bookingId }: AccessFixture) =>
  app.pool.query(
    "update authorizations set state = 'requires_payment_method', payment_id = null where booking_id = $1",
    [bookingId],
  );

/** Makes one call with others' ids. Returns what is wrong with the answer, or null. */
async function tryAttack(of: {
  endpoint: Endpoint;
  own: AccessFixture;
  victims: Victims;
  wellFormed: object;
  role: Role;
  attack: Attack;
}): Promise<string | null> {
  const { endpoint, own, victims, wellFormed, role, attack } = of;
  let input: unknown = wellFormed;
  attack.fields.forEach((field, index) => {
    input = withField(input, field, attack.values[index]);
    // Tags count only if the order's audience is by tags.
    const at = field.indexOf('tagIds');
    if (at > 0) input = withField(input, [...field.slice(0, at), 'visibility'], 'tags');
  });
  const answer = await app.callUnchecked(own.who(role), endpoint, input as object);
  const body = JSON.stringify(answer);
  counts.tries += 1;
  if (answer.code === 200) counts.allowed += 1;
  else counts.refused += 1;
  const where = `${attack.fields.map((field) => field.join('.')).join(', ')} of ${attack.kind}`;
  const secret = victims.secrets.find((each) => body.includes(each));
  if (secret !== undefined) return `${role}: ${where} tells ${secret}`;
  const [leak] = leaksIn(body);
  if (leak !== undefined) return `${role}: ${where} shows ${leak}: ${body.slice(0, 300)}`;
  const isOpen = attack.fields.every((field) => isOpenField(endpoint, field));
  return answer.code === 200 && !isOpen ? `${where} is answered` : null;
}
