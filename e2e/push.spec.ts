import { expect, type Browser, type Page } from '@playwright/test';
import { wholeBrowser } from './chromium.ts';
import { test } from './journey.ts';
import { ride, tripRequest } from './orders.ts';
import { newPerson, serverUrl, type Person } from './people.ts';
import { untilKept } from './service-worker.ts';

test.use({ ...wholeBrowser, serviceWorkers: 'allow' });

/** What a service worker has; the types of pages and of workers do not go together. */
interface InWorker {
  registration: ServiceWorkerRegistration;
  NotificationEvent: new (kind: string, of: { notification: Notification }) => Event;
  dispatchEvent(event: Event): void;
}

/** Delivers pushes to the page's worker by the browser's own tools. */
async function pusherTo(page: Page): Promise<(data: string) => Promise<unknown>> {
  const devtools = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) =>
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL.startsWith(serverUrl()));
      if (own !== undefined) resolve(own.registrationId);
    }),
  );
  await devtools.send('ServiceWorker.enable');
  return async (data) =>
    devtools.send('ServiceWorker.deliverPushMessage', {
      origin: serverUrl(),
      registrationId: await registered,
      data,
    });
}

async function readInTheCenter(browser: Browser, driver: Person, id: string): Promise<void> {
  const { page } = driver;
  await page.goto('/pages/account/account');
  const asker = await newPerson(browser, 'Lena');
  const request = await asker.post<{ id: string }>('/order/create', { order: await tripRequest() });
  await asker.post('/order/request', { rideId: id, requestId: request.id, message: '' });
  // The app is in the foreground: it shows the change at once.
  await expect(page.getByText(`${asker.name} wants to join your ride`)).toBeVisible();
  await page
    .getByRole('link', { name: /^Notifications/ })
    .first()
    .click();
  const line = page.getByRole('list', { name: 'Your notifications' }).getByRole('link');
  await expect(line).toContainText('New');
  await line.click();
  await expect(page).toHaveURL(new RegExp(`/pages/order/detail\\?id=${id}`));
  await expect.poll(() => driver.get('/notification/unread-count')).toEqual({ unread: 0 });
}

test('a push shows while the app is looked away from, and opens the right page', async ({ browser }) => {
  const driver = await newPerson(browser, 'Omar');
  const { page, context } = driver;
  await context.grantPermissions(['notifications'], { origin: serverUrl() });
  const { id } = await driver.post<{ id: string }>('/order/create', { order: await ride() });
  await page.goto('/pages/account/account');
  const permission = await page.evaluate(() => Notification.permission);
  test.skip(
    permission !== 'granted',
    'SKIPPED: the browser that npm brings along shows no notifications; the one of the package `chromium` does.',
  );
  await untilKept(page);

  const deliver = await pusherTo(page);
  const pushed = {
    title: '小明 申请与您同行',
    body: 'Capitola Village → Science Hill · 免费',
    tag: `order:${id}`,
    path: `/pages/order/detail?id=${id}`,
    language: 'zh-CN',
    atMs: Date.now(),
    unread: 1,
  };
  // Asked on the page: the browser ends a worker that has nothing to do, and starts another when a push
  // comes.
  const shown = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
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
      const worker = await context.serviceWorkers().at(-1)!.evaluateHandle<InWorker>('globalThis');
      await worker.evaluate(async (scope) => {
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

  await test.step('news of the same reaches the centre, and is read by opening its page', () =>
    readInTheCenter(browser, driver, id));
});
