import fs from 'node:fs';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { test } from './journey.ts';
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
    ready: Promise<InWorker['registration']>;
    controller: { scriptURL: string; state: string } | null;
  };
}

interface WithCaches {
  caches: {
    keys(): Promise<string[]>;
    open(name: string): Promise<{ keys(): Promise<{ url: string }[]> }>;
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

/** Until the worker serves this page. */
const untilServed = (page: Page) =>
  page.evaluate(async () => {
    const { serviceWorker } = navigator as unknown as WithWorker;
    await serviceWorker.ready;
    while (serviceWorker.controller?.state !== 'activated') await new Promise((next) => setTimeout(next, 50));
  });

/** The files of the app that the worker has kept. */
const keptFiles = (page: Page) =>
  page.evaluate(async () => {
    const { caches } = globalThis as unknown as WithCaches;
    const all = await Promise.all(
      (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
    );
    return all.flat().map(({ url }) => new URL(url).pathname);
  });

/** Until the worker has kept all that the app is made of, but for what only admins open. */
async function untilKept(page: Page): Promise<void> {
  await untilServed(page);
  const assets = path.join(import.meta.dirname, '..', 'dist', 'web', 'assets');
  const files = fs
    .readdirSync(assets)
    .filter((name) => !/^(statistics|admin|driverlincens)-/.test(name))
    .map((name) => `/assets/${name}`);
  await expect
    .poll(async () => {
      const kept = new Set(await keptFiles(page));
      return files.filter((name) => !kept.has(name)).length;
    })
    .toBe(0);
}

test('after one visit the app opens without a connection, with the orders last seen', async ({ browser }) => {
  const driver = await newPerson(browser, 'Ines');
  const { page, context } = driver;
  const { id } = await driver.post<{ id: string }>('/order/create', { order: await ride() });

  await test.step('a guest who opens one page fetches what it needs, and no map', async () => {
    const guest = await browser.newContext({ baseURL: serverUrl() });
    const first = await guest.newPage();
    await first.goto('/pages/legal/privacy');
    await untilServed(first);
    await expect.poll(() => keptFiles(first)).toContainEqual(expect.stringMatching(/^\/assets\/privacy-/));
    const kept = await keptFiles(first);
    expect(kept.filter((name) => /map-canvas|maplibre|statistics|composer/.test(name))).toEqual([]);
    expect(kept.length).toBeLessThan(120);
    await guest.close();
  });

  await test.step('one visit', async () => {
    for (const read of ['/pages/chat/chat', '/pages/events/events', '/pages/account/account']) {
      await page.goto(read);
      await expect(page.getByRole('heading').first()).toBeVisible();
      await expect(page.getByLabel('Loading')).toHaveCount(0);
    }
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
    await page.goto('/pages/contact/tags');
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
    await page.goto('/pages/account/account');
    await expect(page.getByText(driver.name)).toBeVisible();
    await page.goto('/pages/chat/chat');
    await expect(page.getByText('No chats yet')).toBeVisible();
    await page.goto('/pages/events/events');
    await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible();
    // A legal text needs no call; its figures are those last heard.
    await page.goto('/pages/legal/payment');
    await expect(page.getByText('All prices are in US dollars.', { exact: false })).toBeVisible();
  });

  await test.step('the line that says so goes when the network is back', async () => {
    await expect(page.getByText('Connection lost, trying again')).toBeVisible();
    await context.setOffline(false);
    await expect(page.getByText('Connection lost, trying again')).toBeHidden({ timeout: 3000 });
    await context.setOffline(true);
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
  const permission = await page.evaluate(
    () => (globalThis as unknown as { Notification: { permission: string } }).Notification.permission,
  );
  test.skip(
    permission !== 'granted',
    'SKIPPED: the browser that npm brings along shows no notifications; the one of the package `chromium` does.',
  );
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
    body: 'Capitola Village → Science Hill · 免费',
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
  // Asked on the page: the browser ends a worker that has nothing to do, and starts another when a push comes.
  const shown = () =>
    page.evaluate(async () => {
      const registration = await (navigator as unknown as WithWorker).serviceWorker.ready;
      return (await registration.getNotifications()).map(({ title, body, tag }) => ({ title, body, tag }));
    });

  // No one promises that a worker which is just starting or ending gets a push: it is pushed until it shows.
  const untilShown = async (push: typeof pushed) =>
    expect(async () => {
      await deliver(JSON.stringify(push));
      const { title, body, tag } = push;
      await expect.poll(shown, { timeout: 3000 }).toEqual([{ title, body, tag }]);
    }).toPass({ timeout: 120_000 });

  await test.step('it shows as it was written, twice for one thing in one place', async () => {
    await untilShown({ ...pushed, title: 'earlier' });
    await untilShown(pushed);
  });

  await test.step('a tap opens its page in the window that is open', async () => {
    await expect(async () => {
      if (context.serviceWorkers().length === 0) await untilShown(pushed);
      await context
        .serviceWorkers()
        .at(-1)!
        .evaluate(async () => {
          const scope = globalThis as unknown as InWorker;
          const [notification] = await scope.registration.getNotifications();
          scope.dispatchEvent(
            new scope.NotificationEvent('notificationclick', { notification: notification! }),
          );
        });
    }).toPass();
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
