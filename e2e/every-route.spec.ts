import { expect, test } from '@playwright/test';
import { demoAccounts, demoPassword } from '../server/rooms/demo/accounts.ts';
import { specifiedRoutes } from '../scripts/contract/specification.ts';
import { openSignedIn, post } from './people.ts';

/** Pages that lead a signed-in person on at once. */
const movingOn = new Set([
  '/pages/auth/auth',
  '/pages/auth/signup',
  '/pages/auth/signin',
  '/pages/login/login',
  '/pages/login/signup',
]);

test('every route of the specification opens, without an address that leads nowhere or an error', async ({
  browser,
}) => {
  const { email } = demoAccounts.find(({ role }) => role === 'admin')!;
  const { page } = await openSignedIn(
    browser,
    await post('/access/login', { email, password: demoPassword }),
  );
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(`${page.url()}: ${error.message}`));
  for (const route of specifiedRoutes) {
    await page.goto(route);
    const heading = page.getByRole('heading').first();
    await expect(heading, route).toBeAttached();
    await expect(page.getByText('Nothing here'), route).toHaveCount(0);
    await expect(page.getByText('This page did not load'), route).toHaveCount(0);
    expect(await page.title(), route).not.toBe('');
    if (!movingOn.has(route)) expect(new URL(page.url()).pathname, route).toBe(route);
  }
  expect(errors).toEqual([]);
});

test('a guest is asked to sign in and brought to where they were going; an admin page does not exist for others', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: process.env['E2E_URL'] ?? '' });
  const page = await context.newPage();
  await page.goto('/pages/car/car');
  await expect(page).toHaveURL(/\/pages\/auth\/auth\?returnTo=/);
  await page.getByRole('button', { name: /^Continue as Mia/ }).click();
  await expect(page).toHaveURL(/\/pages\/car\/car/);
  await expect(page.getByRole('heading', { name: 'Vehicles' })).toBeVisible();
  await page.goto('/pages/admin/admin');
  await expect(page.getByText('Nothing here')).toBeVisible();
});
