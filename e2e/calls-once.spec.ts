import { expect, type Page } from '@playwright/test';
import { demoAccounts, demoPassword } from '../server/features/demo/accounts.ts';
import { test } from './journey.ts';
import { ride, tripRequest } from './orders.ts';
import { newPerson, openSignedIn, post, serverUrl, type Person } from './people.ts';

/** Collects the addresses that a page reads, without what differs at each call. */
function followReads(page: Page): string[] {
  const made: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (request.method() !== 'GET' || !url.searchParams.has('signTime')) return;
    for (const name of ['signTime', 'sign']) url.searchParams.delete(name);
    made.push(url.pathname + url.search);
  });
  return made;
}

const twice = (made: readonly string[]) => made.filter((each, at) => made.indexOf(each) !== at);

/** Opens an address from scratch and waits until its socket is connected and everything has been read. */
async function open(page: Page, address: string, isSignedIn: boolean): Promise<void> {
  const isConnected = isSignedIn
    ? page
        .waitForEvent('websocket')
        .then((socket) =>
          socket.waitForEvent('framereceived', ({ payload }) => String(payload).startsWith('40')),
        )
    : null;
  await page.goto(serverUrl() + address);
  await isConnected;
  await page.waitForLoadState('networkidle');
  // What a connection changes is read within moments.
  await page.waitForTimeout(1500);
}

test('no screen reads an address twice when it opens', async ({ browser, page }) => {
  const { email } = demoAccounts.find(({ role }) => role === 'passenger')!;
  const person = await openSignedIn(browser, await post('/access/login', { email, password: demoPassword }));
  const { orders } = await person.get<{ orders: { id: string }[] }>('/order/list?role=passenger');
  const { id } = orders[0]!;
  const screens: [of: Page, address: string][] = [
    [page, '/'],
    [person.page, `/pages/order/match?id=${id}`],
    [person.page, `/pages/order/detail?id=${id}`],
    [person.page, '/pages/order/order'],
    [person.page, '/pages/chat/chat'],
    [person.page, '/pages/events/events'],
    [person.page, '/pages/discover/discover'],
    // Last, since alerts of the demo are matched when its server starts.
    [person.page, '/'],
  ];
  // In its first seconds a server does not know earlier changes, and the demo's alerts are matched.
  await expect
    .poll(async () => {
      const made = followReads(person.page);
      await open(person.page, '/', true);
      return twice(made);
    })
    .toEqual([]);
  for (const [of, address] of screens) {
    const made = followReads(of);
    await open(of, address, of === person.page);
    expect.soft(twice(made), address).toEqual([]);
    expect.soft(made.length, address).toBeGreaterThan(0);
  }
});

/** Holds back the page's socket until `connect` is called. */
async function holdSocket({ page }: Person): Promise<{ isHeld: Promise<void>; connect: () => void }> {
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.routeWebSocket(/\/live/, async (socket) => {
    held.resolve();
    await released.promise;
    socket.connectToServer();
  });
  return { isHeld: held.promise, connect: () => released.resolve() };
}

test('what changes between a page’s reads and its connection appears on it', async ({ browser }) => {
  const driver = await newPerson(browser, 'Dora');
  const passenger = await newPerson(browser, 'Pia');
  const { id } = await driver.post<{ id: string }>('/order/create', { order: await ride() });
  const request = await passenger.post<{ id: string }>('/order/create', { order: await tripRequest() });
  const socket = await holdSocket(driver);
  const { page } = driver;
  await page.goto(`/pages/order/detail?id=${id}`);
  await socket.isHeld;
  await page.waitForLoadState('networkidle');
  await passenger.post('/order/request', { rideId: id, requestId: request.id, message: '' });
  await expect(page.getByRole('button', { name: /^Accept/ })).toHaveCount(0);
  socket.connect();
  await expect(page.getByRole('button', { name: /^Accept/ }).first()).toBeVisible();
});
