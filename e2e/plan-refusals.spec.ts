import { expect } from '@playwright/test';
import { test } from './journey.ts';
import { ride } from './orders.ts';
import { localTomorrow, newPerson, withPlan } from './people.ts';

const place = (name: string, lon: number, lat: number) => ({ name, detail: 'Santa Cruz', lon, lat });
const from = place('Mission Street', -122.0408, 36.9689);
const to = place('Aptos Village', -121.9027, 36.9772);

test('a refused event is said beside the event', async ({ browser }) => {
  const { context, page } = await newPerson(browser, 'Nora');
  const local = await localTomorrow(60);
  await withPlan(context, 'passenger', { from, to, local, eventId: crypto.randomUUID() });
  await page.goto('/pages/order/confirm?role=passenger');
  await page.getByRole('button', { name: 'Review your request' }).click();
  await page.getByRole('button', { name: 'Publish this request' }).click();
  await expect(page.locator('#field-eventId')).toContainText('This event no longer exists');
});

test('what a home’s form does not draw is said in a toast', async ({ browser }) => {
  const driver = await newPerson(browser, 'Dina');
  await driver.post('/order/create', { order: await ride() });
  const { context, page } = await newPerson(browser, 'Nora');
  const local = await localTomorrow(90);
  await withPlan(context, 'passenger', { from, to, local, eventId: crypto.randomUUID() });
  await page.goto('/pages/passenger/passenger');
  await page.getByRole('button', { name: /^See .*rides?$/ }).click();
  const found = page.getByRole('listitem').filter({ hasText: driver.name });
  await found.getByRole('button', { name: 'Request this ride' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Request/ })
    .click();
  await expect(page.getByText('This event no longer exists')).toBeVisible();
});
