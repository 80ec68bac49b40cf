import { expect, type BrowserContext, type Page } from '@playwright/test';
import { demoAccounts, demoPassword } from '../server/features/demo/accounts.ts';
import { specifiedRoutes } from '../scripts/contract/specification.ts';
import { test } from './journey.ts';
import { openSignedIn, post, serverUrl } from './people.ts';

/** How far the page itself can be scrolled, in pixels. */
const scrollsBy = () => document.documentElement.scrollHeight - innerHeight;

/** Pages that lead a signed-in person on at once. */
const movingOn = new Set([
  '/pages/auth/auth',
  '/pages/auth/signup',
  '/pages/auth/signin',
  '/pages/login/login',
  '/pages/login/signup',
]);

/** The titles that the specification names, where a person reads them. */
const titles: Record<string, string> = {
  '/': 'Sameway',
  '/pages/order/confirm': 'Plan your ride',
  '/pages/order/order': 'Rides',
  '/pages/order/detail': 'Ride Detail',
  '/pages/car/car': 'Vehicles',
  '/pages/account/drvinglicense': 'Driver License',
  '/pages/contact/contact': 'Contacts',
  '/pages/discover/discover': 'Discover',
};

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
    await expect(page.getByText('Page not found'), route).toHaveCount(0);
    await expect(page.getByText('We couldn’t load this page'), route).toHaveCount(0);
    await expect(page, route).toHaveTitle(titles[route] ?? /./);
    // The page itself never scrolls; panes inside it do.
    expect(await page.evaluate(scrollsBy), route).toBe(0);
    if (!movingOn.has(route)) expect(new URL(page.url()).pathname, route).toBe(route);
  }
  expect(errors).toEqual([]);

  await page.goto('/pages/admin/statistics');
  const pane = page.locator('main .pane').first();
  const down = () => pane.evaluate((element) => element.scrollTop);
  await expect(page.getByRole('heading', { name: 'Statistics' })).toBeVisible();
  await pane.hover();
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 400);
      return down();
    })
    .toBeGreaterThan(0);
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
  await expect(page.getByText('Page not found')).toBeVisible();
});

const barOf = (page: Page) => page.getByRole('navigation', { name: 'Main' });

/** Waits until the app has drawn its own page, tab bar included, over the one in the HTML. */
const untilDrawn = (page: Page) => expect(page.locator('.first-screen')).toHaveCount(0);

async function showFourTabs(page: Page): Promise<void> {
  const bar = barOf(page);
  await page.goto('/');
  await untilDrawn(page);
  const tabs = bar.getByRole('link');
  await expect(tabs).toHaveText(['Carpool', 'Events', 'Discover', 'Account']);
  expect((await bar.getByRole('list').boundingBox())!.height).toBe(50);
  for (const [index, path] of ['/', 'events/events', 'discover/discover', 'account/account'].entries()) {
    await tabs.nth(index).click();
    await expect(page).toHaveURL(path === '/' ? /\/$/ : new RegExp(`/pages/${path}$`));
    for (let other = 0; other < 4; other++)
      await expect(tabs.nth(other)).toHaveCSS(
        'color',
        other === index ? 'rgb(89, 188, 107)' : 'rgb(178, 178, 178)',
      );
    const icon = (await tabs.nth(index).locator('svg').boundingBox())!;
    expect([icon.width, icon.height]).toEqual([24, 24]);
  }
  await page.goto('/pages/about/about');
  await expect(page.getByText(/3\.0\.20.*3020/).first()).toBeVisible();
  await expect(bar).toHaveCount(0);
}

async function offerNewerVersion(context: BrowserContext): Promise<void> {
  const fresh = await context.newPage();
  let tell = () => {};
  const asked = new Promise<void>((resolve) => (tell = resolve));
  await fresh.route('**/app/version?**', async (route) => {
    await asked;
    await route.fulfill({ json: { code: 200, info: 'OK', data: { version: '9.0.0', build: 9000 } } });
  });
  await fresh.goto('/pages/login/signup');
  const email = fresh.getByLabel('Email');
  await email.fill('half.typed@example');
  const answered = fresh.waitForResponse('**/app/version?**');
  tell();
  await answered;
  // Nothing comes between a person and what they type; then a line appears at the edge of the page.
  const strip = fresh.getByText('A newer version is ready');
  await fresh.waitForTimeout(1500);
  await expect(strip).toHaveCount(0);
  await expect(email).toBeFocused();
  await email.blur();
  await expect(strip).toBeVisible();
  await expect(fresh).toHaveURL(/\/pages\/login\/signup$/);
  await email.focus();
  await fresh.getByRole('button', { name: 'Update', exact: true }).click();
  const panel = fresh.getByRole('dialog', { name: 'Update available' });
  await expect(panel).toBeVisible();
  await expect(fresh).toHaveURL(/\/pages\/update\/update$/);
  await expect(panel).toHaveCSS('animation-name', 'appear');
  expect(await panel.evaluate((element) => getComputedStyle(element).backgroundColor)).toMatch(/0\.6\)$/);
  // The page lies under it, as it was, and takes no input meanwhile.
  await expect(fresh.locator('[inert]').getByLabel('Email')).toHaveValue('half.typed@example');
  await panel.getByRole('button', { name: 'Later' }).click();
  await expect(fresh).toHaveURL(/\/pages\/login\/signup$/);
  await expect(email).toHaveValue('half.typed@example');
  await expect(strip).toHaveCount(0);
  await fresh.reload();
  await fresh.getByRole('button', { name: 'Update', exact: true }).click();
  await expect(panel).toBeVisible();
  await fresh.getByRole('button', { name: 'Update now' }).click();
  await expect(fresh).toHaveURL(/\/pages\/login\/signup$/);
  await expect(email).toHaveValue('half.typed@example');
}

test('the frame of the app: four tabs, light only, back to the driver page, pages that do not arrive, a newer version', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: serverUrl(), colorScheme: 'dark' });
  await context.addInitScript(() => localStorage.setItem('sameway.introSeen', 'true'));
  const page = await context.newPage();
  const bar = barOf(page);

  await test.step('four tabs, 50 px high, icons of 24 px, green where one is and grey elsewhere', () =>
    showFourTabs(page));

  await test.step('light, whatever the device prefers; the tab bar stands on the dark primary colour', async () => {
    await page.goto('/pages/account/account');
    // Nothing reloads when pulled down, and nothing bounces.
    await expect(page.locator('html')).toHaveCSS('overscroll-behavior-y', 'none');
    await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(246, 247, 248)');
    await expect(bar).toHaveCSS('background-color', 'rgb(31, 36, 48)');
  });

  await test.step('going back with no history opens the driver page', async () => {
    await page.goto('/pages/legal/privacy');
    await page.getByRole('button', { name: 'Back' }).click();
    await expect(page).toHaveURL(/\/$/);
    await expect(page.getByRole('heading', { name: 'Where are you driving?' })).toBeVisible();
  });

  await test.step('a page on its way shows so after 200 ms, and is an error with a retry after a minute', async () => {
    await page.clock.install();
    await page.goto('/');
    // From here no file arrives: with one of its own missing, the app does not start.
    await untilDrawn(page);
    await page.route('**/assets/**', () => {});
    await page.clock.pauseAt(Date.now() + 60_000);
    await bar.getByRole('link', { name: 'Events' }).click();
    await page.clock.runFor(150);
    await expect(page.getByLabel('Loading')).toHaveCount(0);
    await page.clock.runFor(1000);
    await expect(page.getByLabel('Loading').first()).toBeAttached();
    await page.clock.runFor(60_000);
    await expect(page.getByText('We couldn’t load this page')).toBeVisible();
    await page.unroute('**/assets/**');
    await page.clock.resume();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { name: 'Events' })).toBeVisible();
  });

  await test.step('a newer version is offered beside the page that is open, once a launch, and nothing typed is lost', () =>
    offerNewerVersion(context));
});
