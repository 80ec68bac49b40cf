import { expect } from '@playwright/test';
import { test } from './journey.ts';
import { newPerson, tomorrow, withPlan } from './people.ts';

const place = (name: string, lon: number, lat: number) => ({ name, detail: 'Santa Cruz', lon, lat });
const dayMs = 24 * 3_600_000;

interface RecurringDay {
  day: string;
  state: string;
  orderId: string | null;
}

test('a recurring week, there and back, with one day left out', async ({ browser }) => {
  const driver = await newPerson(browser, 'Dina');
  const { page } = driver;
  const first = (await tomorrow()).slice(0, 10);
  const until = new Date(Date.parse(first) + 30 * dayMs).toISOString().slice(0, 10);
  const way = {
    from: place('Mission Street', -122.0408, 36.9689),
    to: place('Aptos Village', -121.9027, 36.9772),
  };
  await withPlan(page, 'driver', { ...way, local: `${first}T07:15`, price: 'free' });

  await test.step('planned in one go', async () => {
    await page.goto('/pages/order/confirm');
    await page.getByRole('switch', { name: 'Add a return trip' }).click();
    await page.getByRole('switch', { name: 'Every week' }).click();
    // A night shift is on the day after, and is shown so.
    await page.getByLabel('Return', { exact: true }).fill('06:00');
    await expect(page.getByText('the return is the next day')).toBeVisible();
    await page.getByLabel('Return', { exact: true }).fill('17:30');
    await expect(page.getByText('the return is the next day')).toBeHidden();
    for (const day of ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']) {
      const button = page.getByRole('button', { name: day, exact: true });
      if ((await button.getAttribute('aria-pressed')) === 'false') await button.click();
    }
    await page.getByLabel('Until', { exact: true }).fill(until);
    await page.getByRole('button', { name: 'Review your ride' }).click();
    const review = page.getByRole('dialog');
    await expect(review.getByText('Every day')).toBeVisible();
    await expect(review.getByText('5:30 PM')).toBeVisible();
    await review.getByRole('button', { name: 'Publish this ride' }).click();
    await expect(page.getByRole('heading', { name: 'Every day at 7:15 AM' })).toBeVisible();
  });

  const list = page.getByRole('list', { name: 'Days' });
  const third = list.getByRole('listitem').nth(2);
  await test.step('one day is left out', async () => {
    await third.getByRole('button', { name: /^Skip/ }).click();
    await expect(third.getByText('Skipped')).toBeVisible();
  });

  await test.step('the other days are rides with their way back; the series stands above the list', async () => {
    await list.getByRole('listitem').first().getByRole('link').click();
    await expect(page.getByText('Part of your weekly ride')).toBeVisible();
    await page.getByRole('link', { name: /^Return/ }).click();
    await expect(page.getByRole('link', { name: /^Outbound/ })).toBeVisible();
    await page.goto('/pages/order/order');
    await expect(page.getByRole('list', { name: 'Weekly rides' }).getByRole('listitem')).toHaveCount(2);
  });

  const { series } = await driver.get<{ series: { days: RecurringDay[] }[] }>('/series/list');
  const states = series.map(({ days }) => days.slice(0, 4).map(({ state }) => state));
  expect(states).toEqual([
    ['open', 'open', 'skipped', 'open'],
    ['open', 'open', 'open', 'open'],
  ]);
});
