import { expect } from '@playwright/test';
import { demoAccounts, demoPassword } from '../server/features/demo/accounts.ts';
import { test } from './journey.ts';
import { get, openSignedIn, post } from './people.ts';

interface LayoutShift {
  value: number;
  hadRecentInput: boolean;
}
declare global {
  /** How much of the page has jumped so far. */
  var shifted: number;
}

test('nothing jumps while a page is read, and no page breaks the content security policy', async ({
  browser,
}) => {
  const { email } = demoAccounts.find(({ role }) => role === 'passenger')!;
  const session = await post<{ accessToken: string; name: string }>('/access/login', {
    email,
    password: demoPassword,
  });
  const { orders } = await get<{ orders: { id: string; rideId: string | null }[] }>(
    '/order/list',
    session.accessToken,
  );
  const { rooms } = await get<{ rooms: { roomid: string }[] }>('/im/room-list', session.accessToken);
  const { context, page } = await openSignedIn(browser, session);
  await context.addInitScript(() => {
    globalThis.shifted = 0;
    new PerformanceObserver((list) => {
      // The DOM's types know no layout shifts yet.
      for (const shift of list.getEntries() as (PerformanceEntry & LayoutShift)[])
        if (!shift.hadRecentInput) globalThis.shifted += shift.value;
    }).observe({ type: 'layout-shift', buffered: true });
    // Chromium keeps some of what the policy refuses out of its console.
    addEventListener('securitypolicyviolation', ({ violatedDirective, sourceFile }) =>
      console.error(`Content Security: ${violatedDirective} in ${sourceFile}`),
    );
  });
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  // Slow enough that parts which are read later would be seen coming in.
  await page.route(/\/(order|payment|im|user|app)\//, async (route) => {
    await new Promise((next) => setTimeout(next, 200 * Math.random()));
    await route.continue();
  });
  for (const [path, shown] of [
    ['/', page.getByRole('heading', { name: 'Where are you driving?' })],
    [
      `/pages/order/detail?id=${orders.find(({ rideId }) => rideId !== null)!.id}`,
      page.getByText(/SW-/).first(),
    ],
    ['/pages/account/payments', page.getByRole('heading', { name: 'Cards' })],
    [`/pages/chat/message?roomid=${rooms[0]!.roomid}`, page.getByRole('log')],
  ] as const) {
    await page.goto(path);
    await expect(shown).toBeVisible();
    await page.waitForLoadState('networkidle');
    expect(await page.evaluate(() => globalThis.shifted), path).toBeLessThan(0.02);
  }
  expect(errors.filter((text) => /Content Security|unsafe-eval/i.test(text))).toEqual([]);
});
