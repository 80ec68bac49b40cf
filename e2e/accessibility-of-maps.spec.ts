import { expect } from '@playwright/test';
import { demoAccounts, demoPassword } from '../server/rooms/demo/accounts.ts';
import { violationsOn } from './axe.ts';
import { mapsDrawn } from './chromium.ts';
import { test } from './journey.ts';
import { openSignedIn, post, type Person } from './people.ts';

test.use(mapsDrawn);

/** The ride and the request of the first open ask, on their map. */
const matchMap = async (person: Person) => {
  const { orders } = await person.get<{
    orders: { bookings: { state: string; rideId: string; requestId: string }[] }[];
  }>('/order/list?role=driver&stage=Requesting');
  const { rideId, requestId } = orders
    .flatMap(({ bookings }) => bookings)
    .find(({ state }) => state === 'requesting')!;
  return `/pages/order/matchmap?rideId=${rideId}&requestId=${requestId}`;
};

const phone = { width: 390, height: 844 };
const desktop = { width: 1440, height: 900 };

test('axe finds nothing on maps, whose pins are buttons', async ({ browser }) => {
  const signedIn = async (role: 'driver' | 'passenger') => {
    const { email } = demoAccounts.find((account) => account.role === role)!;
    return openSignedIn(browser, await post('/access/login', { email, password: demoPassword }));
  };
  const [driver, passenger] = [await signedIn('driver'), await signedIn('passenger')];
  for (const [name, person, path, viewport] of [
    ['Match map', driver, await matchMap(driver), phone],
    ['Match map, on a desktop', driver, await matchMap(driver), desktop],
    ['Discover, on a desktop', passenger, '/pages/discover/discover', desktop],
    ['Ways of many, on a desktop', passenger, '/pages/discover/discover?view=ways', desktop],
  ] as const) {
    await person.page.setViewportSize(viewport);
    await person.page.goto(path);
    await expect(person.page.locator('canvas').first()).toBeVisible();
    expect(await violationsOn(person.page), name).toEqual([]);
  }
});
