import { afterAll, beforeAll, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import {
  createVehicle,
  deleteVehicle,
  latestVehicleYear,
  listBrands,
  listModels,
  listVehicles,
  updateVehicle,
} from '#contract/vehicles/endpoints.ts';
import { rides } from '../../../schema/rides.ts';
import { openRide } from '../../../testing/orders.ts';
import { openTestApp, type TestApp } from '../../../testing/test-app.ts';
import { vehiclesById, ownVehicle } from './vehicles.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const car = (plate: string) => ({
  plate,
  brand: 'Toyota',
  model: 'Prius',
  type: 'hatchback' as const,
  year: 2019,
  color: 'silver' as const,
  seats: 4,
});

test('a vehicle is added, changed and removed', async () => {
  const mia = await app.person('Mia');
  const added = await app.ok(mia, createVehicle, car(' 7abc123 '));
  expect(added).toMatchObject({ ...car('7ABC123') });
  const changed = await app.ok(mia, updateVehicle, { ...car('7ABC124'), id: added.id, seats: 3 });
  expect(await app.ok(mia, listVehicles, {})).toEqual({ vehicles: [changed] });
  await app.ok(mia, deleteVehicle, { id: added.id });
  expect(await app.ok(mia, listVehicles, {})).toEqual({ vehicles: [] });
  expect((await app.call(mia, deleteVehicle, { id: added.id })).reason).toBe('vehicle.notFound');
  // Past rides still show it.
  expect((await vehiclesById(app.platform, [added.id])).get(added.id)).toEqual(changed);
  // Its plate is free again.
  await app.ok(mia, createVehicle, car('7ABC124'));
});

test('how new a vehicle may be is told by the clock, and a year too far ahead is refused with nothing stored', async () => {
  const mia = await app.person('Mia');
  const latest = latestVehicleYear(app.platform.clock.now().getTime());
  const added = await app.ok(mia, createVehicle, { ...car('NEW1'), year: latest });
  for (const answer of [
    await app.call(mia, createVehicle, { ...car('NEW2'), year: latest + 1 }),
    await app.call(mia, updateVehicle, { ...car('NEW1'), id: added.id, year: latest + 1 }),
  ])
    expect(answer).toMatchObject({
      code: 422,
      reason: 'vehicle.yearAhead',
      data: { fields: { year: `Please enter a year up to ${latest}.` } },
    });
  expect(await app.ok(mia, listVehicles, {})).toEqual({ vehicles: [added] });
  app.clock.advance(366 * 86_400_000);
  await app.ok(mia, createVehicle, { ...car('NEW2'), year: latest + 1 });
});

test('somebody else’s vehicle is not there', async () => {
  const [mia, eve] = [await app.person('Mia'), await app.person('Eve')];
  const { id } = await app.ok(mia, createVehicle, car('MINE1'));
  for (const answer of [
    await app.call(eve, updateVehicle, { ...car('EVIL1'), id }),
    await app.call(eve, deleteVehicle, { id }),
    await app.call(eve, deleteVehicle, { id: crypto.randomUUID() }),
  ])
    expect(answer).toMatchObject({ code: 404, reason: 'vehicle.notFound' });
  expect(await app.ok(mia, listVehicles, {})).toMatchObject({ vehicles: [{ plate: 'MINE1' }] });
  expect(await ownVehicle(app.platform.db, eve.id, id)).toBeNull();
  expect(await ownVehicle(app.platform.db, mia.id, id)).toMatchObject({ id });
});

test('a plate stands once among a person’s vehicles, also when added twice at once', async () => {
  const [mia, leo] = [await app.person('Mia'), await app.person('Leo')];
  const answers = await Promise.all([1, 2, 3].map(() => app.call(mia, createVehicle, car('ONCE1'))));
  expect(answers.map((each) => each.code).toSorted((a, b) => a - b)).toEqual([200, 422, 422]);
  expect(answers.find((each) => each.code === 422)).toMatchObject({
    reason: 'vehicle.plateTaken',
    data: { fields: { plate: expect.any(String) } },
  });
  const other = await app.ok(mia, createVehicle, car('ONCE2'));
  const refused = await app.call(mia, updateVehicle, { ...car('ONCE1'), id: other.id });
  expect(refused.reason).toBe('vehicle.plateTaken');
  await app.ok(leo, createVehicle, car('ONCE1'));
});

test('ten vehicles are enough, also when twelve are added at once', async () => {
  const collector = await app.person('Collector');
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, at) => app.call(collector, createVehicle, car(`CAR${at}`))),
  );
  expect(answers.filter((each) => each.code === 200)).toHaveLength(10);
  expect(answers.filter((each) => each.reason === 'vehicle.tooMany')).toHaveLength(2);
});

test('a vehicle on an open ride stays until the ride has ended', async () => {
  const mia = await app.person('Mia');
  const { id } = await app.ok(mia, createVehicle, car('BUSY1'));
  const ride = openRide({ driverId: mia.id, vehicleId: id, departsAt: app.clock.now() });
  await app.platform.db.insert(rides).values(ride);
  const refused = await app.call(mia, deleteVehicle, { id });
  expect(refused).toMatchObject({ code: 409, reason: 'vehicle.onOpenRide' });
  await app.platform.db.update(rides).set({ state: 'finished' }).where(eq(rides.id, ride.id));
  await app.ok(mia, deleteVehicle, { id });
});

test('a vehicle that a ride is just being published with cannot be removed', async () => {
  const mia = await app.person('Mia');
  const { id } = await app.ok(mia, createVehicle, car('RACE1'));
  const held = Promise.withResolvers<void>();
  const publishing = app.platform.transact('test', async (tx) => {
    await ownVehicle(tx, mia.id, id);
    held.resolve();
    await new Promise((resolve) => setTimeout(resolve, 100));
    await tx.insert(rides).values(openRide({ driverId: mia.id, vehicleId: id, departsAt: app.clock.now() }));
  });
  const removing = held.promise.then(() => app.call(mia, deleteVehicle, { id }));
  const [refused] = await Promise.all([removing, publishing]);
  expect(refused.reason).toBe('vehicle.onOpenRide');
});

test.each([
  [{ seats: 0 }, 'seats'],
  [{ seats: 9 }, 'seats'],
  [{ seats: 2.5 }, 'seats'],
  [{ year: 1900 }, 'year'],
  [{ plate: '' }, 'plate'],
  [{ color: 'plaid' as 'red' }, 'color'],
])('%j is refused by name', async (wrong, field) => {
  const mia = await app.person('Mia');
  const refused = await app.call(mia, createVehicle, { ...car('OK1'), ...wrong });
  expect(refused).toMatchObject({
    code: 422,
    reason: 'input.invalid',
    data: { fields: { [field]: expect.any(String) } },
  });
});

test('brands and models are found by typing', async () => {
  const mia = await app.person('Mia');
  expect((await app.ok(mia, listBrands, {})).brands.length).toBeGreaterThan(40);
  expect(await app.ok(mia, listBrands, { text: 'toy' })).toEqual({ brands: ['Toyota'] });
  expect(await app.ok(mia, listModels, { brand: 'Toyota', text: 'pri' })).toEqual({
    models: ['Prius', 'Prius c', 'Prius Prime', 'Prius v', 'RAV4 Prime'],
  });
  expect(await app.ok(mia, listModels, { brand: 'Home-made' })).toEqual({ models: [] });
});
