import { expect, type Page } from '@playwright/test';
import { test } from './journey.ts';
import { fillWhen } from './orders.ts';
import { emailedCode, localTomorrow, newPerson, serverUrl, tomorrow } from './people.ts';

const from = { name: 'Mission Street', detail: 'Santa Cruz', lon: -122.0408, lat: 36.9689 };
const to = { name: 'Aptos Village', detail: 'Aptos', lon: -121.9027, lat: 36.9772 };

/** Signs up where the app has led a guest: email, its code, a first name. */
async function signUpHere(page: Page, firstName: string): Promise<void> {
  const email = `${firstName.toLowerCase()}.${Math.random().toString(36).slice(2, 8)}@example.com`;
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.getByLabel('6-digit code').fill(await emailedCode(email));
  await page.getByLabel('First name').fill(firstName);
  await page.getByRole('button', { name: 'Save and continue' }).click();
}

test('a guest taps a ride, signs up, and finds the ride’s question open', async ({ browser }) => {
  const driver = await newPerson(browser, 'Dina');
  const departsAt = await tomorrow(40);
  await driver.post('/order/create', {
    order: {
      role: 'driver',
      from,
      to,
      departsAt,
      seats: 3,
      vehicleId: null,
      priceKind: 'perPerson',
      costCents: 0,
    },
  });
  const context = await browser.newContext({ baseURL: serverUrl() });
  await context.addInitScript(() => localStorage.setItem('sameway.introSeen', 'true'));
  const page = await context.newPage();
  await page.goto('/pages/passenger/passenger');
  await page.getByRole('button', { name: /^From/ }).first().click();
  await page.getByLabel('Street, place or airport').fill('Mission Street');
  await page
    .getByRole('option', { name: /Mission Street/ })
    .first()
    .click();
  await page.getByLabel('Street, place or airport').fill('Aptos Village');
  await page.getByRole('option', { name: /Aptos/ }).first().click();
  await fillWhen(page, 'Leave around', await localTomorrow(40));
  await page.getByRole('button', { name: /^See .*rides?$/ }).click();
  // Other journeys have published rides on this way as well.
  const ride = page.getByRole('listitem').filter({ hasText: driver.name });
  await ride.getByRole('button', { name: 'Request this ride' }).click();
  await signUpHere(page, 'Gina');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(driver.name);
  await dialog.getByRole('button', { name: /^Request/ }).click();
  await expect(page.getByText(/^Request sent to/)).toBeVisible();
  // The tap is done: opening the page again asks nothing.
  await page.goto('/pages/passenger/passenger');
  await expect(page.getByRole('button', { name: /^From/ }).first()).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
