import { expect } from '@playwright/test';
import { test } from './journey.ts';
import { joinedRide } from './orders.ts';
import { newPerson, serverUrl } from './people.ts';

test('a toast lies below the title bar, and says nothing that the page says itself', async ({ browser }) => {
  const { page } = await newPerson(browser, 'Nora');
  await page.goto('/pages/account/settings2');
  await page.getByRole('radio', { name: 'Chat in Sameway' }).click();
  const toast = page.locator('[data-sonner-toast]');
  await expect(toast).toHaveText('Contact preference saved');
  const bar = await page.locator('[data-title-bar]').first().boundingBox();
  const box = await toast.boundingBox();
  expect(box!.y).toBeGreaterThanOrEqual(bar!.y + bar!.height);

  await page.route('**/im/room-list?**', (route) =>
    route.fulfill({ status: 503, contentType: 'text/plain', body: 'Out of order' }),
  );
  await page.goto('/pages/chat/chat');
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  await expect(toast).toHaveCount(0);
});

test('the way to the chats says how many messages are unread', async ({ browser }) => {
  const [driver, passenger] = [await newPerson(browser, 'Dora'), await newPerson(browser, 'Pia')];
  const roomid = await joinedRide(driver, passenger);
  await driver.post('/im/send', { roomid, clientId: crypto.randomUUID(), text: 'Hello' });
  await passenger.page.goto('/');
  await expect(passenger.page.getByRole('link', { name: /^Chat 1 unread/ })).toBeVisible();
});

test('the icon is where phones look for it', async ({ request }) => {
  const icon = await request.get(`${serverUrl()}/apple-touch-icon.png`);
  expect(icon.status()).toBe(200);
  expect(icon.headers()['content-type']).toBe('image/png');
});

test('a search does not ask at every letter', async ({ browser }) => {
  const { page } = await newPerson(browser, 'Nora');
  await page.goto('/pages/events/events');
  await page.waitForLoadState('networkidle');
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === '/event/list') asked.push(searchParams.get('text') ?? '');
  });
  await page.getByRole('searchbox').pressSequentially('market', { delay: 50 });
  await expect.poll(() => asked).toContain('market');
  expect(asked.length).toBeLessThan(4);
});
