import { expect, type Route } from '@playwright/test';
import { demoAccounts, demoPassword } from '../server/features/demo/accounts.ts';
import { test } from './journey.ts';
import { openSignedIn, post } from './people.ts';

interface Orders {
  orders: { id: string; rideId: string | null }[];
}

/** Reads that every page needs: which installation this is, and how much is unread. */
const readsOfTheShell = /\/(app\/|im\/unread-count|notification\/unread-count)/;

/** Pages that read something, with what stays there when the read fails. */
const pages: readonly [path: (ids: { order: string; ride: string }) => string, states: number][] = [
  [({ ride }) => `/pages/order/review?id=${ride}`, 1],
  [() => '/pages/order/review', 1],
  [() => '/pages/order/order', 1],
  [({ order }) => `/pages/order/detail?id=${order}`, 1],
  [({ order }) => `/pages/order/match?id=${order}`, 1],
  [({ order, ride }) => `/pages/order/matchmap?rideId=${ride}&requestId=${order}`, 1],
  [({ ride }) => `/pages/order/ride?id=${ride}`, 1],
  [() => '/pages/car/car', 1],
  [() => '/pages/address/shortcut', 1],
  [() => '/pages/address/editor?id=00000000-0000-4000-8000-000000000000', 1],
  [() => '/pages/account/payments', 1],
  [() => '/pages/account/payments?view=earn', 1],
  [() => '/pages/account/drvinglicense', 1],
  [() => '/pages/account/settings2', 1],
  [() => '/pages/account/settings/notificationSettings', 1],
  [() => '/pages/account/notifications', 1],
  [() => '/pages/account/invite', 1],
  [() => '/pages/chat/chat', 1],
  [() => '/pages/contact/contact', 1],
  [() => '/pages/contact/tags', 1],
  [() => '/pages/contact/add', 1],
  [() => '/pages/events/events', 1],
  [() => '/pages/discover/discover', 1],
  [() => '/pages/discover/discover?view=alerts', 1],
  [() => '/pages/references/stripeSetup', 1],
];

test('a page that cannot read what it shows says so and reads it again on a tap; none stays a skeleton', async ({
  browser,
}) => {
  const { email } = demoAccounts.find(({ role }) => role === 'passenger')!;
  const { page, get } = await openSignedIn(
    browser,
    await post('/access/login', { email, password: demoPassword }),
  );
  // The one or the other, by how far earlier journeys have moved the clock.
  const lists = ['Joined', 'Completed'].map((stage) =>
    get<Orders>(`/order/list?role=passenger&stage=${stage}`),
  );
  const [booked] = (await Promise.all(lists)).flatMap(({ orders }) =>
    orders.flatMap(({ id, rideId }) => (rideId === null ? [] : [{ order: id, ride: rideId }])),
  );
  const ids = booked!;

  const refuse = (route: Route) => {
    const request = route.request();
    const isRead = request.resourceType() === 'fetch' && request.method() === 'GET';
    return isRead && new URL(request.url()).search !== '' && !readsOfTheShell.test(request.url())
      ? route.fulfill({ status: 503, contentType: 'text/plain', body: 'Out of order' })
      : route.continue();
  };
  await page.route('**/*', refuse);
  // Live updates read again once they are connected; here a tap does.
  await page.routeWebSocket(/\/live/, () => {});
  for (const [path, states] of pages) {
    const address = path(ids);
    await page.goto(address);
    await expect(page.getByRole('button', { name: 'Try again' }).first(), address).toBeVisible();
    expect(await page.getByRole('button', { name: 'Try again' }).count(), address).toBeGreaterThanOrEqual(
      states,
    );
    await expect(page.locator('output[aria-label="Loading"]'), address).toHaveCount(0);
  }

  await page.unroute('**/*', refuse);
  await page.goto('/pages/order/order');
  await page.route('**/order/detail?**', (route) =>
    route.fulfill({ status: 503, contentType: 'text/plain', body: 'Out of order' }),
  );
  await page.goto(`/pages/order/review?id=${ids.ride}`);
  await expect(page.getByText('Out of order').first()).toBeVisible();
  await page.unroute('**/order/detail?**');
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await expect(page.getByText('Out of order')).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Back to the ride' })).toBeVisible();
});
