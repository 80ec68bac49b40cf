import { expect } from '@playwright/test';
import { demoAccounts, demoPassword } from '../server/features/demo/accounts.ts';
import { chromiumLaunch } from './chromium.ts';
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
/** The first hundred changes load code and fill the cache of reads; the next hundred are measured. */
const warmChanges = 100;
const measuredChanges = 100;
const mostKilobytes = 200;

const { args, ...launch } = await chromiumLaunch();
// The browser keeps on compiling what runs often: what it writes then is none of the app's.
test.use({ launchOptions: { ...launch, args: [...args, '--js-flags=--no-opt --no-maglev --no-sparkplug'] } });

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
  const walk = async (changes: number) => {
    for (let change = 0; change < changes; change++) {
      const path = pages[change % pages.length]!;
      // The router follows the history: the document stays.
      await page.evaluate((to) => {
        history.pushState({}, '', to);
        dispatchEvent(new PopStateEvent('popstate'));
      }, path);
      await expect(page.getByRole('heading').first()).toBeVisible();
      await expect(page.getByLabel('Loading')).toHaveCount(0);
      titles.add(await page.title());
    }
    return heapKilobytes();
  };
  const first = await walk(warmChanges);
  const last = await walk(measuredChanges);
  expect(titles.size).toBeGreaterThanOrEqual(pages.length - 1);
  test.info().annotations.push({
    type: 'heap',
    description: `${first.toFixed(0)} to ${last.toFixed(0)} kB over ${measuredChanges} changes of page`,
  });
  expect(last - first).toBeLessThanOrEqual(mostKilobytes);
});
