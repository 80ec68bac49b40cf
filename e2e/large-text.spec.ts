import type { OrderSummary } from '#contract/rides/views.ts';
import { expect } from '@playwright/test';
import { demoAccounts, demoPassword } from '../server/features/demo/accounts.ts';
import { test } from './journey.ts';
import { openSignedIn, post, serverUrl } from './people.ts';
import { readInAllSizes } from './readable.ts';

for (const language of ['en', 'zh'] as const) {
  test(`at 200 % text, on its side and at 320 × 568 nothing is cut off or covered, in ${language}`, async ({
    browser,
  }) => {
    const words = {
      en: { next: 'Next' },
      zh: { next: '下一步' },
    }[language];
    const context = await browser.newContext({
      baseURL: serverUrl(),
      locale: language === 'en' ? 'en-US' : 'zh-CN',
    });
    const first = await context.newPage();
    await first.goto('/intro');
    const next = first.getByRole('button', { name: words.next });
    await expect(next).toBeVisible();
    await readInAllSizes(first, 'introduction', () => expect(next).toBeInViewport({ ratio: 1 }));
    // At 320 × 568, the last size, the sentence is above the dots and the button, all of it.
    await expect(first.locator('h1 + p')).toBeInViewport({ ratio: 1 });
    const [sentence, dots] = [first.locator('h1 + p'), first.locator('[aria-current="step"]')];
    expect((await sentence.boundingBox())!.y + (await sentence.boundingBox())!.height).toBeLessThanOrEqual(
      (await dots.boundingBox())!.y + 4,
    );
    await context.close();

    for (const role of ['driver', 'passenger'] as const) {
      const { email } = demoAccounts.find((account) => account.role === role)!;
      const person = await openSignedIn(
        browser,
        await post('/access/login', { email, password: demoPassword }),
      );
      const { page } = person;
      await person.context.addInitScript(
        (chosen) => localStorage.setItem('sameway.language', JSON.stringify(chosen)),
        language,
      );
      const { orders } = await person.get<{ orders: Pick<OrderSummary, 'id' | 'rideId' | 'nextAction'>[] }>(
        `/order/list?role=${role}`,
      );
      const withPeople =
        orders.find(({ rideId, nextAction }) =>
          role === 'driver' ? nextAction?.kind === 'answerRequest' : rideId !== null,
        ) ?? orders[0]!;
      const home = role === 'driver' ? '/' : '/pages/passenger/passenger';
      for (const path of [
        home,
        '/pages/order/order',
        `/pages/order/detail?id=${withPeople.id}`,
        '/pages/account/account',
      ]) {
        await page.goto(path);
        await expect(page.getByRole('heading').first()).toBeAttached();
        await page.waitForLoadState('networkidle');
        await readInAllSizes(page, path, async () => {
          if (path === home) await expect(page.locator('#field-to')).toBeInViewport({ ratio: 1 });
        });
      }
      await person.context.close();
    }
  });
}
