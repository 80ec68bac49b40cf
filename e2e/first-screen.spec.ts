import { expect } from '@playwright/test';
import { test } from './journey.ts';
import { serverUrl } from './people.ts';

declare global {
  /** When the question of the first screen was there, in milliseconds. */
  var questionAt: number | undefined;
}

test('a guest sees the frame of a page before any script, and the home after few requests', async ({
  browser,
}) => {
  await test.step('without scripts the page is not blank', async () => {
    const context = await browser.newContext({ baseURL: serverUrl(), javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto('/');
    await expect(page.locator('.frame-map .frame-page')).toBeVisible();
    await expect(page.locator('.frame-nav img')).toBeVisible();
    await page.goto('/pages/legal/legal');
    await expect(page.locator('.frame-page')).toBeVisible();
    await context.close();
  });

  await test.step('what is fetched before the home asks where one drives', async () => {
    const context = await browser.newContext({ baseURL: serverUrl() });
    await context.addInitScript(() => {
      new MutationObserver((_changes, observer) => {
        if (document.querySelector('#app h2') === null) return;
        globalThis.questionAt = performance.now();
        observer.disconnect();
      }).observe(document, { childList: true, subtree: true });
    });
    const page = await context.newPage();
    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'Where are you driving?' })).toBeVisible();
    const fetched = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter(({ startTime }) => startTime < (globalThis.questionAt ?? 0))
        .map(({ name }) => new URL(name).pathname),
    );
    const scripts = fetched.filter((name) => name.endsWith('.js'));
    expect(scripts.length, scripts.join(' ')).toBeLessThanOrEqual(10);
    // The map, dialogs, forms with their checks, and what shows messages come later.
    expect(scripts.filter((name) => /map-canvas|dialogs|schemas|forms|toaster/.test(name))).toEqual([]);
    expect(fetched.length, fetched.join(' ')).toBeLessThanOrEqual(26);
    await context.close();
  });
});
