import { expect, type Page } from '@playwright/test';
import { test } from './journey.ts';
import { newPerson, tomorrow } from './people.ts';

const from = { name: 'Mission Street', detail: 'Santa Cruz', lon: -122.0408, lat: 36.9689 };
const to = { name: 'Aptos Village', detail: 'Aptos', lon: -121.9027, lat: 36.9772 };

/** Notes which elements are named at the start of each view transition. */
const followTransitions = (page: Page) =>
  page.addInitScript(() => {
    const start = document.startViewTransition.bind(document);
    const seen: string[] = [];
    Object.assign(window, { seenTransitions: seen });
    document.startViewTransition = (update) => {
      const named = [...document.querySelectorAll<HTMLElement>('[data-opens-ride]')];
      seen.push(named.map((each) => each.style.viewTransitionName).join(','));
      return start(update);
    };
  });
const seenOn = (page: Page) =>
  page.evaluate(() => (window as unknown as { seenTransitions: string[] }).seenTransitions);

for (const reducedMotion of ['no-preference', 'reduce'] as const) {
  test(`a ride’s card grows into its page and back, with motion: ${reducedMotion}`, async ({ browser }) => {
    const dora = await newPerson(browser, 'Dora');
    for (const minutes of [30, 300])
      await dora.post('/order/create', {
        order: {
          role: 'driver',
          from,
          to,
          departsAt: await tomorrow(minutes),
          seats: 3,
          vehicleId: null,
          priceKind: 'perPerson',
          costCents: 0,
        },
      });
    const { page } = dora;
    await page.emulateMedia({ reducedMotion });
    await followTransitions(page);
    await page.goto('/pages/order/order');
    await page
      .getByRole('link', { name: /Mission Street/ })
      .first()
      .click();
    await expect(page.getByRole('button', { name: 'Cancel this ride' })).toBeVisible();
    expect(await seenOn(page)).toEqual(reducedMotion === 'reduce' ? [] : ['ride,']);

    await page.goBack();
    const cards = page.locator('[data-opens-ride]');
    await expect(cards).toHaveCount(2);
    const named = await cards.evaluateAll(
      (all) => all.filter((each) => (each as HTMLElement).style.viewTransitionName === 'ride').length,
    );
    expect([named, (await seenOn(page)).length]).toEqual(reducedMotion === 'reduce' ? [0, 0] : [1, 2]);
  });
}
