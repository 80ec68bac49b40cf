import { expect, test, type Page } from '@playwright/test';
import { newPerson, tomorrow } from './people.ts';

test.use({ serviceWorkers: 'allow' });

const place = (name: string, lon: number, lat: number) => ({ name, detail: 'Santa Cruz', lon, lat });

/** What a browser has and Node's types do not. */
interface WithWorker {
  serviceWorker: { ready: Promise<unknown>; controller: { scriptURL: string } | null };
}

/** Until the worker has fetched all files of the app and serves this page. */
const untilKept = (page: Page) =>
  page.evaluate(async () => {
    const { serviceWorker } = navigator as unknown as WithWorker;
    await serviceWorker.ready;
    while (serviceWorker.controller === null) await new Promise((next) => setTimeout(next, 50));
  });

test('after one visit the app opens without a connection, with the orders last seen', async ({ browser }) => {
  const driver = await newPerson(browser, 'Ines');
  const { page, context } = driver;
  const { id } = await driver.post<{ id: string }>('/order/create', {
    order: {
      role: 'driver',
      note: '',
      contactWith: 'chat',
      visibility: 'private',
      from: place('Mission Street', -122.0408, 36.9689),
      to: place('Aptos Village', -121.9027, 36.9772),
      departsAt: await tomorrow(90),
      seats: 2,
      vehicleId: null,
      priceKind: 'perPerson',
      costCents: 0,
      maxDetourMinutes: 25,
    },
  });

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
