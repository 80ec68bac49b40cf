import { randomUUID } from 'node:crypto';
import { eq, lte, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { InputOf } from '#contract/define.ts';
import { createAlert, deleteAlert } from '#contract/alerts/endpoints.ts';
import { blockPerson, unblockPerson } from '#contract/contacts/endpoints.ts';
import { companions, contactsOrders, popularWays } from '#contract/discover/endpoints.ts';
import { cancelOrder } from '#contract/rides/endpoints.ts';
import { createSeries, endSeries } from '#contract/rides/recurring.ts';
import { dayMs, hourMs, later } from '../../platform/clock.ts';
import { users } from '../../schema/identity.ts';
import { commutes, commutesDue } from '../../schema/commutes.ts';
import { recurringRides } from '../../schema/rides.ts';
import { statementsOf } from '../../testing/booking-statements.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../testing/test-app.ts';
import { publishRequest, publishRide, spots } from '../../testing/orders.ts';
import { befriend } from '../contacts/meet-person.ts';
import { catchUp } from './commute-index.ts';

// A Friday, ten in the morning in Santa Cruz.
const startsAt = new Date('2026-10-23T17:00:00Z');
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ startsAt });
});
afterAll(() => app.close());

/** A separate address within a few hundred meters of a place. */
const door = (at: { lon: number; lat: number }, number: number) => ({
  name: `${number} Hidden Lane`,
  detail: 'Santa Cruz 95062',
  lon: at.lon + number * 0.000317,
  lat: at.lat + number * 0.000213,
});
type Weekly = InputOf<typeof createSeries>['series'];
type WeeklyRide = Extract<Weekly['order'], { role: 'driver' }>;
type WeeklyRequest = Extract<Weekly['order'], { role: 'passenger' }>;
const driving: WeeklyRide = {
  role: 'driver',
  from: door(spots.capitola, 1),
  to: door(spots.campus, 1),
  seats: 3,
  vehicleId: null,
  priceKind: 'perPerson',
  costCents: 0,
};
const riding: WeeklyRequest = {
  role: 'passenger',
  from: door(spots.capitola, 2),
  to: door(spots.campus, 2),
  seats: 1,
  offerCents: null,
  flexMinutes: 20,
};
const dayAt = (days: number) =>
  later(app.clock.now(), days * dayMs)
    .toISOString()
    .slice(0, 10);
async function weekly(
  who: TestPerson,
  order: Weekly['order'],
  rule: Partial<Weekly['rule']> = {},
): Promise<string> {
  const series = {
    order,
    rule: { weekdays: [2, 4], localTime: '07:40', fromDay: dayAt(0), untilDay: dayAt(10), ...rule },
  };
  return (await app.ok(who, createSeries, { series })).series[0]!.id;
}
/** Processes all signals until the commutes are up to date. */
async function settle(): Promise<void> {
  await app.deliver();
  await catchUp(app.platform);
}
const around = { lon: spots.downtown.lon, lat: spots.downtown.lat };
const waysFor = async (who: TestPerson | null) => (await app.ok(who, popularWays, around)).ways;
const peopleFor = async (who: TestPerson) => app.ok(who, companions, {});
const namesFor = async (who: TestPerson) =>
  (await peopleFor(who)).people.map(({ person }) => person.name).toSorted();

test('a way is told once three different people take it, and only what all may see is counted', async () => {
  const [ann, bob, cleo, dan, eve] = await Promise.all(
    ['Ann One', 'Bob Two', 'Cleo Three', 'Dan Four', 'Eve Five'].map((name) => app.person(name)),
  );
  await app.platform.db.update(users).set({ gender: 'female' }).where(eq(users.id, eve!.id));
  const from = (number: number) => ({ from: door(spots.aptos, number), to: door(spots.downtown, number) });
  await weekly(ann!, { ...driving, ...from(1) });
  // The same person in many orders is one person.
  await publishRide(app, ann!, { ...from(2), departsAt: later(startsAt, 27 * hourMs).toISOString() });
  await weekly(bob!, { ...riding, ...from(2) });
  await weekly(cleo!, { ...riding, ...from(3), visibility: 'all contacts' });
  await weekly(eve!, {
    ...riding,
    ...from(4),
    preferences: { pets: false, luggage: false, quiet: false, women: true },
  });
  await settle();
  expect(await waysFor(null)).toEqual([]);

  // The third is an alert, which only its owner sees.
  const alert = await app.ok(dan!, createAlert, {
    alert: {
      role: 'passenger',
      ...from(3),
      seats: 1,
      times: { kind: 'weekly', days: [2], fromTime: '07:00', toTime: '08:10', until: dayAt(40) },
    },
  });
  await settle();
  const [way, ...others] = await waysFor(null);
  expect(others).toEqual([]);
  expect(way).toMatchObject({
    from: { detail: 'Aptos' },
    people: 3,
    drivers: 1,
    passengers: 2,
    days: [2, 4],
    fromTime: '07:30',
    toTime: '07:50',
    mine: false,
  });
  expect((await waysFor(dan!))[0]?.mine).toBe(true);
  expect(await app.ok(null, popularWays, { lon: -121.5, lat: 36.9 })).toMatchObject({
    ways: [],
    total: 0,
    fewest: 3,
  });

  // Withdrawn, it no longer counts.
  await app.ok(dan!, deleteAlert, { id: alert.id });
  await settle();
  expect(await waysFor(null)).toEqual([]);
});

test('who goes my way every week: by real detours, within their circle, and never their door', async () => {
  const [mia, leo, friend, far, late] = await Promise.all(
    ['Mia Torres', 'Leo Chen', 'Fay Friend', 'Gus Away', 'Hal Late'].map((name) => app.person(name)),
  );
  const series = await weekly(mia!, driving);
  await weekly(leo!, { ...riding }, { weekdays: [2, 3], localTime: '07:45' });
  await weekly(friend!, { ...riding, from: door(spots.capitola, 3), visibility: 'all contacts' });
  // Along her drive, from another neighborhood; away from it; and at another time.
  const onTheWay = await app.person('Ivy Between');
  await weekly(onTheWay, { ...riding, from: door(spots.soquel, 1) });
  await weekly(far!, { ...riding, from: door(spots.scottsValley, 1) });
  await weekly(late!, riding, { localTime: '09:40' });
  await settle();

  const found = await peopleFor(mia!);
  expect(found.ways).toMatchObject([
    { role: 'driver', days: [2, 4], time: '07:40', recurringId: series, from: { detail: 'Capitola' } },
  ]);
  expect(found.total).toBe(2);
  expect(found.people).toMatchObject([
    { person: { name: 'Ivy' }, days: [2, 4], isContact: false, role: 'passenger' },
    { person: { name: 'Leo' }, days: [2], time: '07:40', role: 'passenger', wayId: found.ways[0]!.id },
  ]);
  // The next Tuesday.
  const next = found.people.find(({ person }) => person.name === 'Leo')!.next;
  expect(next?.at.slice(0, 10)).toBe('2026-10-27');
  expect(await namesFor(leo!)).toEqual(['Ivy', 'Mia']);

  await befriend(app.platform, mia!.id, friend!.id);
  expect(await namesFor(mia!)).toEqual(['Fay', 'Ivy', 'Leo']);
  expect((await peopleFor(mia!)).people.find(({ person }) => person.name === 'Fay')?.isContact).toBe(true);
  await app.ok(leo!, blockPerson, { id: mia!.id });
  expect(await namesFor(mia!)).toEqual(['Fay', 'Ivy']);
  expect(await namesFor(leo!)).toEqual(['Ivy']);
  await app.ok(leo!, unblockPerson, { id: mia!.id });

  // No answer contains a person's place, or anything finer than a neighborhood.
  const answers = JSON.stringify([await peopleFor(mia!), await peopleFor(leo!), await waysFor(mia!)]);
  expect(answers).not.toContain('Hidden');
  for (const row of await app.platform.db.select().from(commutes))
    for (const degrees of [row.fromLon, row.fromLat, row.toLon, row.toLat])
      expect(answers).not.toContain(degrees.toFixed(4));
  expect(answers).not.toMatch(/Torres|Chen|@/);

  await app.platform.db.update(users).set({ suspendedAt: app.clock.now() }).where(eq(users.id, leo!.id));
  expect(await namesFor(mia!)).toEqual(['Fay', 'Ivy']);
  await app.ok(mia!, endSeries, { id: series });
  await settle();
  expect(await peopleFor(mia!)).toEqual({ ways: [], people: [], total: 0 });
});

test('where enough people start and end next to me, those farther away and along my way are not read', async () => {
  const [dee, pam] = [await app.person('Dee Driver'), await app.person('Pam Near')];
  const order = { from: door(spots.aptos, 3), to: door(spots.scottsValley, 3) };
  await weekly(dee, { ...driving, ...order });
  await weekly(pam, { ...riding, from: door(spots.aptos, 4), to: door(spots.scottsValley, 4) });
  await settle();
  const asked = async () => {
    const statements = await statementsOf(async () => expect(await namesFor(dee)).toContain('Pam'));
    const count = (words: string) => statements.filter((text) => text.includes(words)).length;
    return { along: count('"corridor" &&'), beside: count('"from_area" = any') - count('"corridor" &&') };
  };
  expect(await asked()).toEqual({ along: 1, beside: 2 });
  const [row] = await app.platform.db.select().from(commutes).where(eq(commutes.personId, pam.id));
  const copies = Array.from({ length: 300 }, () => ({ ...row!, id: randomUUID() }));
  await app.platform.db.insert(commutes).values(copies);
  // Next door.
  expect(await asked()).toEqual({ along: 0, beside: 1 });
  // Beyond the next areas there could be nearer ones.
  await app.platform.db
    .update(commutes)
    .set({ fromLat: row!.fromLat + 0.015 })
    .where(eq(commutes.personId, pam.id));
  expect(await asked()).toEqual({ along: 0, beside: 2 });
});

test('women who want to be among women find each other, and nobody else finds them', async () => {
  const [ada, bea, carl] = await Promise.all(
    ['Ada Own', 'Bea Own', 'Carl Other'].map((name) => app.person(name)),
  );
  for (const woman of [ada!, bea!])
    await app.platform.db.update(users).set({ gender: 'female' }).where(eq(users.id, woman.id));
  const women = { preferences: { pets: false, luggage: false, quiet: false, women: true } };
  const way = { from: door(spots.scottsValley, 5), to: door(spots.westside, 5) };
  const evening = { localTime: '19:10' };
  await weekly(ada!, { ...driving, ...way, ...women }, evening);
  await weekly(bea!, { ...riding, ...way, ...women }, evening);
  await weekly(carl!, { ...riding, ...way }, evening);
  await settle();
  expect(await namesFor(ada!)).toEqual(['Bea']);
  expect(await namesFor(bea!)).toEqual(['Ada']);
  expect(await namesFor(carl!)).toEqual([]);
});

test('two rides on the same day of two weeks come back too; canceled ones never were', async () => {
  const [jon, kim] = [await app.person('Jon Often'), await app.person('Kim Weekly')];
  const way = { from: door(spots.soquel, 7), to: door(spots.westside, 7) };
  for (const week of [1, 8]) {
    // Fridays, half past two.
    const departsAt = new Date(startsAt.getTime() + week * dayMs - dayMs + 4.5 * hourMs).toISOString();
    await publishRide(app, jon, { ...way, departsAt });
  }
  await weekly(kim, { ...riding, ...way }, { weekdays: [5], localTime: '14:35' });
  await settle();
  const { people } = await peopleFor(kim);
  expect(people).toMatchObject([{ person: { name: 'Jon' }, days: [5], role: 'driver' }]);
  expect((await peopleFor(jon)).ways).toMatchObject([{ recurringId: null, days: [5] }]);

  const canceled = people[0]!.next!.orderId;
  await app.ok(jon, cancelOrder, { id: canceled });
  await settle();
  expect(await namesFor(kim)).toEqual([]);
});

test('people are computed together, each by their own orders; one at fault does not keep the others from theirs', async () => {
  const [una, ugo, ute, vic] = await Promise.all(
    ['Una Wrong', 'Ugo Driver', 'Ute Rider', 'Vic Gone'].map((name) => app.person(name)),
  );
  const way = { from: door(spots.soquel, 9), to: door(spots.campus, 9) };
  const late = { weekdays: [6], localTime: '21:15' };
  const wrong = await weekly(una!, { ...driving, ...way }, late);
  await weekly(ugo!, { ...driving, ...way }, late);
  await weekly(ute!, { ...riding, ...way }, late);
  await weekly(vic!, { ...driving, ...way }, late);
  await app.platform.db.update(users).set({ suspendedAt: app.clock.now() }).where(eq(users.id, vic!.id));
  await app.platform.db
    .update(recurringRides)
    .set({ template: sql`'{}'` })
    .where(eq(recurringRides.id, wrong));
  await settle();
  const countOf = ({ id }: TestPerson) => app.platform.db.$count(commutes, eq(commutes.personId, id));
  expect(await Promise.all([una!, ugo!, ute!, vic!].map(countOf))).toEqual([0, 1, 1, 0]);
  // Of the four only the one at fault is still due.
  const due = await app.platform.db.select().from(commutesDue).where(lte(commutesDue.dueAt, app.clock.now()));
  expect(due.map(({ personId }) => personId)).toEqual([una!.id]);
  await app.platform.db.delete(recurringRides).where(eq(recurringRides.id, wrong));
  await settle();
});

test('rides and requests of contacts, as far as their circle reaches', async () => {
  const [me, pal, blocked, stranger] = await Promise.all(
    ['Me Myself', 'Pal Known', 'Bad Known', 'No Body'].map((name) => app.person(name)),
  );
  for (const other of [pal!, blocked!]) await befriend(app.platform, me!.id, other.id);
  const shown = await publishRide(app, pal!, { visibility: 'all contacts' });
  await publishRide(app, pal!, {
    visibility: 'private',
    departsAt: later(startsAt, 30 * hourMs).toISOString(),
  });
  const asked = await publishRequest(app, blocked!);
  await publishRide(app, stranger!);
  const of = async (input: { role?: 'driver' } = {}) =>
    (await app.ok(me!, contactsOrders, input)).orders.map(({ id }) => id).toSorted();
  expect(await of()).toEqual([shown.id, asked.id].toSorted());
  expect(await of({ role: 'driver' })).toEqual([shown.id]);
  const { orders } = await app.ok(me!, contactsOrders, {});
  expect(orders.every(({ from }) => from.approximate)).toBe(true);
  await app.platform.db.execute(`insert into blocks values ('${blocked!.id}', '${me!.id}', now())`);
  expect(await of()).toEqual([shown.id]);
});
