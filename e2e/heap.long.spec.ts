import { expect } from '@playwright/test';
import { demoAccounts, demoPassword } from '../server/features/demo/accounts.ts';
import { test } from './journey.ts';
import { openSignedIn, post } from './people.ts';

const pages = [
  '/',
  '/pages/passenger/passenger',
  '/pages/order/order',
  '/pages/chat/chat',
  '/pages/events/events',
  '/pages/discover/discover',
  '/pages/account/account',
  '/pages/account/payments',
  '/pages/contact/contact',
  '/pages/legal/privacy',
];
const rounds = 10;
/** The first rounds load code and fill the cache of reads. */
const warmRounds = 2;
const mostKilobytesEach = 20;

/** The slope of the line that lies closest to the points, by least squares. */
function slopeOf(points: readonly { x: number; y: number }[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map((each) => each.x)), mean(points.map((each) => each.y))];
  const along = points.reduce((sum, each) => sum + (each.x - x) * (each.y - y), 0);
  return along / points.reduce((sum, each) => sum + (each.x - x) ** 2, 0);
}

test('a hundred changes of page leave the heap as it was', async ({ browser }) => {
  const { email } = demoAccounts.find(({ role }) => role === 'passenger')!;
  const session = await post<{ accessToken: string; name: string }>('/access/login', {
    email,
    password: demoPassword,
  });
  const { page, context } = await openSignedIn(browser, session);
  const devtools = await context.newCDPSession(page);
  const heapKilobytes = async () => {
    await devtools.send('HeapProfiler.collectGarbage');
    await devtools.send('HeapProfiler.collectGarbage');
    return (await devtools.send('Runtime.getHeapUsage')).usedSize / 1000;
  };
  await page.goto('/');
  const titles = new Set<string>();
  const points: { x: number; y: number }[] = [];
  for (let changes = 0; changes < rounds * pages.length;) {
    for (const path of pages) {
      // The router follows the history: the document stays.
      await page.evaluate((to) => {
        history.pushState({}, '', to);
        dispatchEvent(new PopStateEvent('popstate'));
      }, path);
      await expect(page.getByRole('heading').first()).toBeVisible();
      await expect(page.getByLabel('Loading')).toHaveCount(0);
      titles.add(await page.title());
      changes++;
    }
    if (changes >= warmRounds * pages.length) points.push({ x: changes, y: await heapKilobytes() });
  }
  expect(titles.size).toBeGreaterThanOrEqual(pages.length - 1);
  const slope = slopeOf(points);
  const [first, last] = [points[0]!.y, points.at(-1)!.y];
  test.info().annotations.push({
    type: 'heap',
    description: `${first.toFixed(0)} to ${last.toFixed(0)} kB, ${slope.toFixed(1)} kB a change of page`,
  });
  expect(slope, JSON.stringify(points)).toBeLessThan(mostKilobytesEach);
});
