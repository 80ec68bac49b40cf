import { expect, test } from '@playwright/test';
import { demoAccounts, demoPassword } from '../server/rooms/demo/accounts.ts';
import { openSignedIn, post, serverUrl } from './people.ts';

const area = (folder: string, ...pages: string[]) => pages.map((page) => `/pages/${folder}/${page}`);

/** Every route of the specification, spelled as it stands there. */
const routes = [
  '/',
  '/intro',
  ...area('login', 'login', 'signup'),
  ...area('address', 'address', 'shortcut', 'editor'),
  ...area('order', 'order', 'confirm', 'match', 'matchmap', 'detail', 'ride', 'review'),
  ...area('car', 'car', 'editor', 'brands', 'models'),
  ...area(
    'account',
    'account',
    'drvinglicense',
    'settings2',
    'payments',
    'stripelanding',
    'avatar',
    'invite',
    'updatephone',
  ),
  '/pages/account/settings/notificationSettings',
  ...area('admin', 'admin', 'driverlincens', 'statistics'),
  ...area('passenger', 'passenger'),
  ...area('auth', 'auth', 'signup', 'profile', 'signin', 'oauth'),
  ...area('legal', 'legal', 'teams', 'privacy', 'optin', 'carpool', 'payment'),
  ...area('about', 'about'),
  ...area('feedback', 'feedback'),
  ...area('chat', 'chat', 'message'),
  ...area('events', 'events', 'eventJoinAsDriver'),
  ...area('contact', 'contact', 'add', 'user', 'edit', 'search', 'addressbook', 'tags', 'tagdetail'),
  ...area('discover', 'discover'),
  ...area('references', 'stripeSetup'),
  ...area('update', 'update'),
];

/** Pages that lead a signed-in person on at once. */
const movingOn = new Set(area('auth', 'auth', 'signup', 'signin').concat(area('login', 'login', 'signup')));

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
  for (const route of routes) {
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
  const context = await browser.newContext({ baseURL: serverUrl() });
  const page = await context.newPage();
  await page.goto('/pages/car/car');
  await expect(page).toHaveURL(/\/pages\/auth\/auth\?returnTo=/);
  await page.getByRole('button', { name: /^Continue as Mia/ }).click();
  await expect(page).toHaveURL(/\/pages\/car\/car/);
  await expect(page.getByRole('heading', { name: 'Vehicles' })).toBeVisible();
  await page.goto('/pages/admin/admin');
  await expect(page.getByText('Nothing here')).toBeVisible();
});
