import { expect, test, type Page } from '@playwright/test';
import { newPerson, serverUrl, tomorrow } from './people.ts';

test.use({ serviceWorkers: 'allow' });

const place = (name: string, lon: number, lat: number) => ({ name, detail: 'Santa Cruz', lon, lat });

const mission = place('Mission Street', -122.0408, 36.9689);
const aptos = place('Aptos Village', -121.9027, 36.9772);
const anybody = { note: '', contactWith: 'chat', visibility: 'all users', from: mission, to: aptos };

const ride = async () => ({
  ...anybody,
  role: 'driver',
  departsAt: await tomorrow(90),
  seats: 2,
  vehicleId: null,
  priceKind: 'perPerson',
  costCents: 0,
  maxDetourMinutes: 25,
});
const wish = async () => ({
  ...anybody,
  role: 'passenger',
  earliestAt: await tomorrow(60),
  latestAt: await tomorrow(120),
  seats: 1,
  offerCents: null,
});

/** What a browser has and Node's types do not. */
interface WithWorker {
  serviceWorker: {
    ready: Promise<unknown>;
    controller: { scriptURL: string; state: string } | null;
  };
}

/** What a service worker has. */
interface InWorker {
  registration: {
    getNotifications(): Promise<{ title: string; body: string; tag: string }[]>;
  };
  NotificationEvent: new (kind: string, of: { notification: object }) => Event;
  dispatchEvent(event: Event): void;
}

/** Until the worker has fetched all files of the app and serves this page. */
const untilKept = (page: Page) =>
  page.evaluate(async () => {
    const { serviceWorker } = navigator as unknown as WithWorker;
    await serviceWorker.ready;
    while (serviceWorker.controller?.state !== 'activated') await new Promise((next) => setTimeout(next, 50));
  });

test('after one visit the app opens without a connection, with the orders last seen', async ({ browser }) => {
  const driver = await newPerson(browser, 'Ines');
  const { page, context } = driver;
  const { id } = await driver.post<{ id: string }>('/order/create', { order: await ride() });

  await test.step('one visit', async () => {
    await page.goto('/pages/order/order');
    await page.getByRole('link', { name: /Aptos Village/ }).click();
    await expect(page.getByRole('heading', { name: 'Ride Detail' })).toBeVisible();
    await untilKept(page);
    const shown = await page.evaluate(
      () => (navigator as unknown as WithWorker).serviceWorker.controller?.scriptURL,
    );
    expect(shown).toMatch(/\/sw\.js$/);
  });

  await test.step('the next one without a connection', async () => {
    await context.setOffline(true);
    await page.goto('/pages/order/order');
    await expect(page.getByText('Connection lost, trying again')).toBeVisible();
    await page.getByRole('link', { name: /Aptos Village/ }).click();
    await expect(page).toHaveURL(new RegExp(`/pages/order/detail\\?id=${id}`));
    await expect(page.getByText('Mission Street').first()).toBeVisible();
    // A page never opened before is there too; what it would show is not, and it says so.
    await page.goto('/pages/car/car');
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
    await page.goto('/pages/account/account');
    await expect(page.getByRole('heading', { name: 'Account' })).toBeVisible();
  });

  await test.step('calls are never answered by the worker', async () => {
    const answered = await page.evaluate(() =>
      fetch('/app/version').then(
        () => 'answered',
        () => 'not answered',
      ),
    );
    expect(answered).toBe('not answered');
    await context.setOffline(false);
    await page.goto('/pages/car/car');
    await expect(page.getByRole('heading', { name: 'Vehicles' })).toBeVisible();
  });
});

test('a push shows while the app is looked away from, and opens the right page', async ({ browser }) => {
  const driver = await newPerson(browser, 'Omar');
  const { page, context } = driver;
  await context.grantPermissions(['notifications'], { origin: serverUrl() });
  const { id } = await driver.post<{ id: string }>('/order/create', { order: await ride() });
  await page.goto('/pages/account/account');
  await untilKept(page);

  const devtools = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) =>
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL.startsWith(serverUrl()));
      if (own !== undefined) resolve(own.registrationId);
    }),
  );
  await devtools.send('ServiceWorker.enable');
  const pushed = {
    title: '小明 想搭您的车',
    body: '行程 SW-7KQ2M9',
    tag: `order:${id}`,
    path: `/pages/order/detail?id=${id}`,
    language: 'zh-CN',
    atMs: Date.now(),
  };
  const deliver = async (data: string) =>
    devtools.send('ServiceWorker.deliverPushMessage', {
      origin: serverUrl(),
      registrationId: await registered,
      data,
    });
  const [worker] = context.serviceWorkers();
  const shown = () =>
    worker!.evaluate(async () => {
      const { registration } = globalThis as unknown as InWorker;
      return (await registration.getNotifications()).map(({ title, body, tag }) => ({ title, body, tag }));
    });

  await test.step('it shows as it was written, twice for one thing in one place', async () => {
    await deliver(JSON.stringify({ ...pushed, title: 'earlier' }));
    await expect.poll(async () => (await shown()).map(({ title }) => title)).toEqual(['earlier']);
    await deliver(JSON.stringify(pushed));
    await expect
      .poll(shown)
      .toEqual([{ title: '小明 想搭您的车', body: '行程 SW-7KQ2M9', tag: `order:${id}` }]);
  });

  await test.step('a tap opens its page in the window that is open', async () => {
    await worker!.evaluate(async () => {
      const scope = globalThis as unknown as InWorker;
      const [notification] = await scope.registration.getNotifications();
      scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification: notification! }));
    });
    await expect(page).toHaveURL(new RegExp(`/pages/order/detail\\?id=${id}`));
    await expect(page.getByRole('heading', { name: 'Ride Detail' })).toBeVisible();
    await expect.poll(shown).toEqual([]);
  });

  await test.step('news of the same reaches the centre, and is read by opening its page', async () => {
    await page.goto('/pages/account/account');
    const asker = await newPerson(browser, 'Lena');
    const request = await asker.post<{ id: string }>('/order/create', { order: await wish() });
    await asker.post('/order/request', { rideId: id, requestId: request.id, message: '' });
    // The app is looked at: it says so at once.
    await expect(page.getByText(`${asker.name} asks to join your ride`)).toBeVisible();
    await page
      .getByRole('link', { name: /^Notifications/ })
      .first()
      .click();
    const line = page.getByRole('list', { name: 'Your notifications' }).getByRole('link');
    await expect(line).toContainText('New');
    await line.click();
    await expect(page).toHaveURL(new RegExp(`/pages/order/detail\\?id=${id}`));
    await expect.poll(() => driver.get('/notification/unread-count')).toEqual({ unread: 0 });
  });
});
