import { expect } from '@playwright/test';
import { violationsOn } from './axe.ts';
import { mapsDrawn } from './chromium.ts';
import { test } from './journey.ts';
import { ride, tripRequest } from './orders.ts';
import { newPerson, type Person } from './people.ts';

test.use(mapsDrawn);

/** A ride and a request for a seat in it, on their map. */
async function matchMap(driver: Person, passenger: Person): Promise<string> {
  const { id: rideId } = await driver.post<{ id: string }>('/order/create', { order: await ride() });
  const { id: requestId } = await passenger.post<{ id: string }>('/order/create', {
    order: await tripRequest(),
  });
  await passenger.post('/order/request', { rideId, requestId, message: '' });
  return `/pages/order/matchmap?rideId=${rideId}&requestId=${requestId}`;
}

const phone = { width: 390, height: 844 };
const desktop = { width: 1440, height: 900 };

test('axe finds no violation on pages with a map', async ({ browser }) => {
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
