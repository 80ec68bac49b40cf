import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askToJoin, listOrders, nextOrder } from '#contract/rides/endpoints.ts';
import { bookingStates, requestStates, rideStates, stages } from '#contract/rides/moves.ts';
import { bookings, requests, rides } from '../../../schema/rides.ts';
import { publishRequest, publishRide } from '../../../testing/orders.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../../testing/test-app.ts';

let app: TestApp;
let driver: TestPerson;
let passenger: TestPerson;
let rideId: string;
let requestId: string;

beforeAll(async () => {
  app = await openTestApp();
  driver = await app.person('Dana Driver');
  passenger = await app.person('Pat Passenger');
  rideId = (await publishRide(app, driver)).id;
  requestId = (await publishRequest(app, passenger)).id;
  await app.ok(passenger, askToJoin, { rideId, requestId });
});
afterAll(() => app.close());

/** The stage by which the database finds an order, and the one that its view shows. */
async function stagesOf(person: TestPerson) {
  const { orders, counts, total } = await app.ok(person, listOrders, {});
  const counted = stages.filter((stage) => counts[stage] > 0);
  const found = await app.ok(person, listOrders, { stage: counted[0] });
  expect(total).toBe(1);
  return { shown: orders.map(({ stage }) => stage), counted, found: found.orders.map(({ stage }) => stage) };
}

test('the database finds an order in the stage that its view shows, whatever its state and its booking’s', async () => {
  for (const booking of bookingStates) {
    await app.platform.db.update(bookings).set({ state: booking });
    for (const [index, state] of rideStates.entries()) {
      await app.platform.db.update(rides).set({ state }).where(eq(rides.id, rideId));
      const ofRequest = requestStates[index % requestStates.length]!;
      await app.platform.db.update(requests).set({ state: ofRequest }).where(eq(requests.id, requestId));
      for (const person of [driver, passenger]) {
        const { shown, counted, found } = await stagesOf(person);
        expect([counted, found], `${state}, ${ofRequest}, ${booking}`).toEqual([shown, shown]);
      }
    }
  }
});

test('pages follow each other: those to come soonest first, then those past latest first; the next one is the first', async () => {
  const busy = await app.person('Busy Driver');
  const publish = (hour: number) =>
    publishRide(app, busy, {
      departsAt: new Date(app.clock.now().getTime() + hour * 3_600_000).toISOString(),
    });
  const all: string[] = [];
  for (let index = 0; index < 20; index++) all.push((await publish(30 + 5 * index)).id);
  for (const ended of [all[3]!, all[7]!])
    await app.platform.db.update(rides).set({ state: 'cancel' }).where(eq(rides.id, ended));
  for (const hour of [200, 205]) all.push((await publish(hour)).id);
  const ids = async (offset: number) => {
    const page = await app.ok(busy, listOrders, { role: 'driver', offset });
    expect(page.total).toBe(all.length);
    return page.orders.map(({ id }) => id);
  };
  expect((await ids(0)).length).toBe(20);
  const open = all.filter((id) => id !== all[3] && id !== all[7]);
  expect([...(await ids(0)), ...(await ids(20))]).toEqual([...open, all[7], all[3]]);
  expect((await app.ok(busy, nextOrder, { role: 'driver' })).order?.id).toBe(open[0]);
  expect((await app.ok(busy, nextOrder, { role: 'passenger' })).order).toBeNull();
  await app.platform.db.update(rides).set({ state: 'picking' }).where(eq(rides.id, open[5]!));
  expect((await app.ok(busy, nextOrder, { role: 'driver' })).order?.id).toBe(open[5]);
});
