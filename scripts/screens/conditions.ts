import type { BrowserContext, Page, Route } from '@playwright/test';

/**
 * Under which condition a page is shown: `failed` where the server answers none of its reads, `offline` after
 * the connection is lost, `longNames` where people and places have names that fill two lines.
 */
export const conditions = ['usual', 'failed', 'offline', 'longNames'] as const;
export type Condition = (typeof conditions)[number];

/** The app's reads of itself before it shows any page. */
const ofTheApp = ['/access/', '/user/profile', '/app/', '/client/', '/region'];

const isRead = (route: Route): boolean => {
  const request = route.request();
  return ['fetch', 'xhr'].includes(request.resourceType()) && request.method() === 'GET';
};

/** Prepares a page for a condition, before it is opened. */
export async function prepare(page: Page, condition: Condition): Promise<void> {
  if (condition === 'failed')
    await page.route('**/*', async (route) => {
      const { pathname } = new URL(route.request().url());
      const isOwn = ofTheApp.some((prefix) => pathname.startsWith(prefix)) || pathname.includes('.');
      await (isRead(route) && !isOwn ? route.fulfill({ status: 500, body: '' }) : route.continue());
    });
  if (condition === 'longNames')
    await page.route('**/*', async (route) => {
      if (!isRead(route)) return route.continue();
      const response = await route.fetch().catch(() => null);
      if (response === null) return route.abort();
      if (!(response.headers()['content-type'] ?? '').includes('json')) return route.fulfill({ response });
      return route.fulfill({ response, json: lengthened(await response.json()) });
    });
}

/** Puts an open page under a condition that comes later. */
export async function impose(context: BrowserContext, page: Page, condition: Condition): Promise<void> {
  if (condition !== 'offline') return;
  await context.setOffline(true);
  await page.waitForTimeout(1500);
}

/** Takes a condition away again, so that the window can go on. */
export async function relieve(context: BrowserContext, page: Page): Promise<void> {
  await context.setOffline(false);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
}

const namesOf = new Set(['name', 'passengerName', 'eventName', 'title']);

/** The same answer with every name three times as long, up to 60 characters. */
function lengthened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lengthened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      namesOf.has(key) && typeof each === 'string' && each !== ''
        ? `${each} ${each} ${each}`.slice(0, 60)
        : lengthened(each),
    ]),
  );
}
