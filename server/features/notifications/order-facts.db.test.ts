import { afterAll, beforeAll, expect, test } from 'vitest';
import { accept, askToJoin } from '#contract/rides/endpoints.ts';
import { openAccessFixture, type Step } from '../../testing/access-fixture.ts';
import { makeDriver, saveCard } from '../../testing/money.ts';
import { publishRequest, publishRide } from '../../testing/orders.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { factsFrom, roundedBookingOf } from '../orders/facts/queries.ts';
import { toldPickups } from '../orders/facts/told-pickups.ts';
import { factsOfOwn, type OfOrder } from './order-facts.ts';
import { readRecipients } from './recipients/store.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ startsAt: new Date('2026-11-23T17:00:00Z') });
});
afterAll(() => app.close());

/** The facts that are read for a batch, and those that the order's view gives, one by one. */
async function bothWays(asked: readonly { userId: string; of: OfOrder }[]) {
  const about = { news: 'accepted', source: '', otherId: null, path: '', facts: {} } as const;
  const drafts = asked.map((each) => ({ ...about, ...each }));
  const rows = await readRecipients(app.platform.kept, drafts, app.clock.now());
  const viewed = await Promise.all(asked.map(({ of, userId }) => factsOfOwn(app.platform, of, userId)));
  const pickups = await toldPickups(
    app.platform,
    rows.flatMap(({ order }) => roundedBookingOf(order) ?? []),
  );
  return { read: rows.map(({ order }) => factsFrom(order, pickups)), viewed };
}

test.each<Step>(['asked', 'joined', 'picked', 'finished'])(
  'what is read for many notices at once is what each person sees: %s',
  async (step) => {
    const { ride, request, bookingId, people } = await openAccessFixture(app, step);
    const [driver, passenger] = [people.driver.id, people.passenger.id];
    const { read, viewed } = await bothWays([
      { userId: driver, of: { rideId: ride.id } },
      { userId: driver, of: { rideId: ride.id, bookingId } },
      { userId: passenger, of: { requestId: request.id } },
      { userId: passenger, of: { rideId: ride.id, bookingId } },
      { userId: passenger, of: { rideId: ride.id } },
    ]);
    expect(read).toEqual(viewed);
    expect(viewed.every((facts) => facts !== null)).toBe(true);
  },
);

test('a price per car is what each seat still pays at most, while others may share it', async () => {
  const driver = await app.person('Driver');
  const vehicleId = await makeDriver(app, driver.id);
  const price = { priceKind: 'perCar', costCents: 3000, vehicleId } as const;
  const ride = await publishRide(app, driver, price);
  const asks: { passengerId: string; bookingId: string }[] = [];
  for (const name of ['Pia', 'Paul']) {
    const passenger = await app.person(name);
    await saveCard(app, passenger.id);
    const request = await publishRequest(app, passenger);
    const { order } = await app.ok(passenger, askToJoin, { rideId: ride.id, requestId: request.id });
    asks.push({ passengerId: passenger.id, bookingId: order.bookings[0]!.id });
  }
  await app.ok(driver, accept, { bookingId: asks[0]!.bookingId });
  const { read, viewed } = await bothWays([
    { userId: driver.id, of: { rideId: ride.id } },
    ...asks.map(({ bookingId }) => ({ userId: driver.id, of: { rideId: ride.id, bookingId } })),
    { userId: asks[0]!.passengerId, of: { rideId: ride.id, bookingId: asks[0]!.bookingId } },
  ]);
  expect(read).toEqual(viewed);
  expect(read[1]).toMatchObject({ price: { per: 'most' } });
});

test('an order that is gone has no facts', async () => {
  const somebody = await app.person('Sam');
  const [rideId, requestId] = [crypto.randomUUID(), crypto.randomUUID()];
  const asked = [{ rideId }, { requestId }].map((of) => ({ userId: somebody.id, of }));
  expect((await bothWays(asked)).read).toEqual([null, null]);
});
