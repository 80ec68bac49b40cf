import { expect } from '@playwright/test';
import { violationsOn } from './axe.ts';
import { mapsDrawn } from './chromium.ts';
import { test } from './journey.ts';
import { newPerson, tomorrow, type Person } from './people.ts';

test.use(mapsDrawn);

const place = (name: string, lon: number, lat: number) => ({ name, detail: 'Santa Cruz', lon, lat });
const order = {
  note: '',
  contactWith: 'chat',
  visibility: 'all users',
  from: place('Mission Street', -122.0408, 36.9689),
  to: place('Aptos Village', -121.9027, 36.9772),
};

/** A ride and a request for a seat in it, on their map. */
async function matchMap(driver: Person, passenger: Person): Promise<string> {
  const ride = await driver.post<{ id: string }>('/order/create', {
    order: {
      ...order,
      role: 'driver',
      departsAt: await tomorrow(90),
      seats: 2,
      vehicleId: null,
      priceKind: 'perPerson',
      costCents: 0,
      maxDetourMinutes: 25,
    },
  });
  const times = { earliestAt: await tomorrow(60), latestAt: await tomorrow(120) };
  const request = await passenger.post<{ id: string }>('/order/create', {
    order: { ...order, role: 'passenger', ...times, seats: 1, offerCents: null },
  });
  await passenger.post('/order/request', { rideId: ride.id, requestId: request.id, message: '' });
  return `/pages/order/matchmap?rideId=${ride.id}&requestId=${request.id}`;
}

const phone = { width: 390, height: 844 };
const desktop = { width: 1440, height: 900 };

test('axe finds nothing on maps, whose pins are buttons', async ({ browser }) => {
  const [driver, passenger] = [await newPerson(browser, 'Gil'), await newPerson(browser, 'Uma')];
  const match = await matchMap(driver, passenger);
  for (const [name, person, path, viewport] of [
    ['Match map', driver, match, phone],
    ['Match map, on a desktop', driver, match, desktop],
    ['Discover, on a desktop', passenger, '/pages/discover/discover', desktop],
    ['Ways of many, on a desktop', passenger, '/pages/discover/discover?view=ways', desktop],
  ] as const) {
    await person.page.setViewportSize(viewport);
    await person.page.goto(path);
    await expect(person.page.locator('canvas').first()).toBeVisible();
    expect(await violationsOn(person.page), name).toEqual([]);
  }
});
