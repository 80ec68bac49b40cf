import { expect, type Browser, type Page } from '@playwright/test';
import { test } from './journey.ts';
import { serverUrl } from './people.ts';

declare global {
  /** When the question of the first screen was there, in milliseconds. */
  var questionAt: number | undefined;
  /** The sum of all shifts of layout, and the time of the largest paint. */
  var layout: { shifts: number; largestAt: number; frames: number };
}

const phone = { width: 412, height: 823 };
const withoutScripts = (browser: Browser, locale: string) =>
  browser.newContext({ baseURL: serverUrl(), javaScriptEnabled: false, viewport: phone, locale });

test('without scripts a guest reads the introduction in their language and goes on by its links', async ({
  browser,
}) => {
  const context = await withoutScripts(browser, 'en-US');
  const page = await context.newPage();
  await page.goto('/intro');
  await expect(page.getByRole('heading', { name: 'Going the same way? Share the car.' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'I’m driving' })).toBeVisible();
  await page.getByRole('link', { name: 'I need a ride' }).click();
  await expect(page).toHaveURL('/pages/passenger/passenger');
  await expect(page.getByRole('heading', { name: 'Where are you going?' })).toBeVisible();
  await page.getByRole('link', { name: 'Carpool' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('heading', { name: 'Where are you driving?' })).toBeVisible();
  // Other pages have their frame.
  await page.goto('/pages/legal/legal');
  await expect(page.locator('.frame-page')).toBeVisible();
  await context.close();

  const chinese = await withoutScripts(browser, 'zh-CN');
  const inChinese = await chinese.newPage();
  await inChinese.goto('/intro');
  await expect(inChinese.getByRole('link', { name: '我要搭车' })).toBeVisible();
  await chinese.close();
});

/** Opens an address while scripts take their time; `before` checks the page before they come. */
async function openSlowly(page: Page, path: string, before: () => Promise<void>): Promise<void> {
  await page.addInitScript(() => {
    globalThis.layout = { shifts: 0, largestAt: 0, frames: 0 };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if (!(entry as unknown as { hadRecentInput: boolean }).hadRecentInput)
          globalThis.layout.shifts += (entry as unknown as { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) globalThis.layout.largestAt = startTime;
    }).observe({ type: 'largest-contentful-paint', buffered: true });
  });
  let letScriptsCome = () => {};
  const held = new Promise<void>((resolve) => {
    letScriptsCome = resolve;
  });
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(path, { waitUntil: 'commit' });
  await before();
  letScriptsCome();
}

for (const [name, viewport] of [
  ['a phone', phone],
  ['a desktop', { width: 1350, height: 940 }],
] as const)
  test(`on ${name} the app takes over from what its HTML shows, and nothing moves`, async ({ browser }) => {
    for (const [path, heading] of [
      ['/intro', 'Going the same way? Share the car.'],
      ['/', 'Where are you driving?'],
      ['/pages/passenger/passenger', 'Where are you going?'],
    ] as const) {
      const context = await browser.newContext({ baseURL: serverUrl(), viewport });
      await context.addInitScript(() => localStorage.setItem('sameway.introSeen', 'true'));
      const page = await context.newPage();
      const words = page.getByRole('heading', { name: heading });
      await openSlowly(page, path, async () => {
        // Without its style sheet, which comes a little later, the HTML has those of both widths.
        await expect(page.locator('.first-screen:visible')).toHaveCount(1);
        await expect(words).toBeVisible();
      });
      await expect(page.locator('.first-screen')).toHaveCount(0);
      await expect(words).toBeVisible();
      await page.waitForLoadState('networkidle');
      const { shifts, largestAt } = await page.evaluate(() => globalThis.layout);
      const painted = await page.evaluate(
        () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
      );
      test.info().annotations.push({
        type: path,
        description: `shifts ${shifts.toFixed(4)}, first paint ${painted.toFixed(0)} ms, largest ${largestAt.toFixed(0)} ms`,
      });
      expect(shifts, path).toBeLessThan(0.02);
      await context.close();
    }
  });

test('a first visit reads the introduction over home before any script, and its choice counts', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: serverUrl(), viewport: phone });
  const page = await context.newPage();
  await openSlowly(page, '/', async () => {
    await expect(page.getByRole('link', { name: 'I need a ride' })).toBeVisible();
  });
  // It stays until the app has its own there.
  await expect(page.getByRole('dialog', { name: 'Introduction' })).toBeVisible();
  await expect(page.locator('.greeting')).toHaveCount(0);
  expect(await page.evaluate(() => globalThis.layout.shifts)).toBeLessThan(0.02);
  await page.getByRole('button', { name: 'I need a ride' }).click();
  await expect(page).toHaveURL('/pages/passenger/passenger');
  await context.close();

  const other = await browser.newContext({ baseURL: serverUrl(), viewport: phone });
  const second = await other.newPage();
  await openSlowly(second, '/', async () => {
    await second.getByRole('link', { name: 'I’m driving' }).click({ noWaitAfter: true });
    // Until its style sheet is there, the page that the link leads to has the first screens of both widths.
    await expect(second.locator('.first-screen:visible')).toHaveCount(1);
    await expect(second.getByRole('heading', { name: 'Where are you driving?' })).toBeVisible();
  });
  await expect(second.locator('.first-screen')).toHaveCount(0);
  await expect(second.getByRole('dialog')).toHaveCount(0);
  await other.close();
});

test('a guest who comes back sees the page at once again; one who was planning a trip finds that', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: serverUrl(), viewport: phone });
  await context.addInitScript(() => localStorage.setItem('sameway.introSeen', 'true'));
  const keptPlan = (page: Page) => page.evaluate(() => localStorage.getItem('sameway.drafts') ?? '');
  const first = await context.newPage();
  await first.goto('/');
  // The page fills in a time by itself, which is stored like what a person types.
  await expect.poll(() => keptPlan(first)).toContain('plan.driver');
  const second = await context.newPage();
  await openSlowly(second, '/', async () => {
    await expect(second.locator('.first-screen:visible')).toHaveCount(1);
  });
  await expect(second.locator('.first-screen')).toHaveCount(0);
  await second.evaluate(() => {
    const drafts = JSON.parse(localStorage.getItem('sameway.drafts') ?? '{}') as {
      'plan.driver': { value: { from: unknown } };
    };
    drafts['plan.driver'].value.from = { name: 'Boardwalk', detail: '', lon: -122.018, lat: 36.9642 };
    localStorage.setItem('sameway.drafts', JSON.stringify(drafts));
  });
  const third = await context.newPage();
  await openSlowly(third, '/', async () => {
    await expect(third.locator('.frame-page')).toBeVisible();
    await expect(third.locator('.first-screen:visible')).toHaveCount(0);
  });
  await expect(third.getByText('Boardwalk').first()).toBeVisible();
  await context.close();
});

test('an address that leads on to another page is drawn there: home on the other side, a page of people who are signed in', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: serverUrl(), viewport: phone });
  await context.addInitScript(() => {
    localStorage.setItem('sameway.introSeen', 'true');
    localStorage.setItem('sameway.startSide', '"passenger"');
  });
  const page = await context.newPage();
  await page.goto('/');
  await expect(page).toHaveURL('/pages/passenger/passenger');
  await expect(page.getByRole('heading', { name: 'Where are you going?' })).toBeVisible();
  await page.goto('/pages/chat/chat');
  await expect(page).toHaveURL(/\/pages\/auth\/auth/);
  await expect(page.getByRole('button').first()).toBeVisible();
  await context.close();
});

test('a person who is signed in sees no page of a guest', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: serverUrl(), viewport: phone });
  await context.addInitScript(() =>
    localStorage.setItem('sameway.session', JSON.stringify({ accessToken: 'kept', authed: true })),
  );
  const page = await context.newPage();
  await openSlowly(page, '/', async () => {
    await expect(page.locator('.frame-page')).toBeVisible();
    await expect(page.locator('.first-screen:visible')).toHaveCount(0);
    await expect(page.getByRole('heading')).toHaveCount(0);
  });
  await context.close();
});

test('what the HTML shows stays until the app shows its own', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: serverUrl(), viewport: phone });
  await context.addInitScript(() => {
    globalThis.layout = { shifts: 0, largestAt: 0, frames: 0 };
    const look = () => {
      const home = document.querySelector('#app');
      if (document.readyState !== 'loading' && home?.querySelector('.frame, .first-screen, .shell') === null)
        globalThis.layout.frames += 1;
      requestAnimationFrame(look);
    };
    look();
  });
  const page = await context.newPage();
  for (const path of ['/', '/pages/events/events', '/pages/auth/auth']) {
    await page.goto(path);
    await expect(page.locator('.frame, .first-screen')).toHaveCount(0);
    await expect(page.locator('.shell')).toBeVisible();
    expect([path, await page.evaluate(() => globalThis.layout.frames)]).toEqual([path, 0]);
  }
  await context.close();
});

test('what is fetched before the home asks where one drives', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: serverUrl() });
  await context.addInitScript(() => {
    new MutationObserver((_changes, observer) => {
      if (document.querySelector('#app h2') === null || document.querySelector('.first-screen') !== null)
        return;
      globalThis.questionAt = performance.now();
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true });
  });
  const page = await context.newPage();
  await page.goto('/');
  await page.waitForFunction(() => globalThis.questionAt !== undefined);
  const fetched = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ startTime }) => startTime < (globalThis.questionAt ?? 0))
      .map(({ name }) => new URL(name).pathname),
  );
  const scripts = fetched.filter((name) => name.endsWith('.js'));
  expect(scripts.length, scripts.join(' ')).toBeLessThanOrEqual(11);
  // The map, dialogs, forms with their checks, and what shows messages come later.
  expect(scripts.filter((name) => /map-canvas|dialogs|schemas|forms|toaster/.test(name))).toEqual([]);
  expect(fetched.length, fetched.join(' ')).toBeLessThanOrEqual(27);
  await context.close();
});

test('the introduction takes up to 250 kB with its font, all that follows it included', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: serverUrl(), viewport: phone });
  const page = await context.newPage();
  await page.goto('/intro');
  await expect(page.getByRole('button', { name: 'I need a ride' })).toBeVisible();
  // What draws messages comes last, once nothing else is done.
  await page.waitForTimeout(5000);
  await page.waitForLoadState('networkidle');
  const fetched = await page.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map(
      (entry) => ({ name: entry.name, bytes: (entry as PerformanceResourceTiming).transferSize }),
    ),
  );
  const bytes = fetched.reduce((sum, each) => sum + each.bytes, 0);
  const list = fetched.map((each) => `${each.name} ${each.bytes}`).join('\n');
  test
    .info()
    .annotations.push({ type: 'intro', description: `${bytes} bytes in ${fetched.length} requests` });
  expect(bytes, list).toBeLessThanOrEqual(250_000);
  await context.close();
});
