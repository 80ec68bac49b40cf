import { inArray } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askToJoin } from '#contract/rides/endpoints.ts';
import { bookings } from '../../../schema/rides.ts';
import { publishRequest, publishRide } from '../../../testing/orders.ts';
import { openTestApp, type TestApp } from '../../../testing/test-app.ts';
import { remindAgain } from './store.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

async function joined(detail: string): Promise<string> {
  const ride = await publishRide(app, await app.person(`Kim ${detail}`), { instant: true });
  const passenger = await app.person(`Mia ${detail}`);
  const { id: requestId } = await publishRequest(app, passenger);
  const { order } = await app.ok(passenger, askToJoin, { rideId: ride.id, requestId });
  return order.bookings.find(({ rideId }) => rideId === ride.id)!.id;
}

test('the next looks at bookings are written without waiting for one that another transaction holds', async () => {
  const ids = [await joined('1'), await joined('2')];
  const read = () => app.platform.db.select().from(bookings).where(inArray(bookings.id, ids));
  const looked = (await read()).map(({ id, remindAt, pickupAt }) => ({
    bookingId: id,
    remindAt: remindAt!,
    pickupAt,
    nextAt: null,
  }));
  const holder = await app.pool.connect();
  try {
    await holder.query('begin');
    await holder.query('update bookings set reason = reason where id = $1', [ids[0]]);
    await remindAgain(app.platform.db, looked);
    const left = (await read()).filter(({ remindAt }) => remindAt !== null);
    expect(left.map(({ id }) => id)).toEqual([ids[0]]);
  } finally {
    await holder.query('rollback');
    holder.release();
  }
  await remindAgain(app.platform.db, looked);
  expect((await read()).map(({ remindAt }) => remindAt)).toEqual([null, null]);
}, 20_000);
