import { expect } from '@playwright/test';
import { test } from './journey.ts';
import { ride } from './orders.ts';
import { newPerson, serverUrl } from './people.ts';
import { keptFiles, untilKept, untilServed } from './service-worker.ts';

test.use({ serviceWorkers: 'allow' });

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
    const shown = await page.evaluate(() => navigator.serviceWorker.controller?.scriptURL);
    expect(shown).toMatch(/\/sw\.js$/);
  });

  await test.step('the next one without a connection', async () => {
    await context.setOffline(true);
    await page.goto('/pages/order/order');
    await expect(page.getByText('You’re offline. Reconnecting…')).toBeVisible();
    await page.getByRole('link', { name: /Aptos Village/ }).click();
    await expect(page).toHaveURL(new RegExp(`/pages/order/detail\\?id=${id}`));
    await expect(page.getByText('Mission Street').first()).toBeVisible();
    // A page never opened before is there too; what it would show is not, and it says so.
    await page.goto('/pages/account/settings/notificationSettings');
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
    await expect(page.getByText('You’re offline. Reconnecting…')).toBeVisible();
    await context.setOffline(false);
    await expect(page.getByText('You’re offline. Reconnecting…')).toBeHidden({ timeout: 3000 });
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
