import { expect } from '@playwright/test';
import { test } from './journey.ts';
import { newPerson } from './people.ts';

test('the Carpool tab opens the driver page, unless a person has chosen to start with rides', async ({
  browser,
}) => {
  const { page } = await newPerson(browser, 'Nora');
  const tab = page.getByRole('link', { name: 'Carpool' });
  await page.goto('/');
  await page.getByRole('radio', { name: 'Passenger' }).click();
  await expect(page).toHaveURL('/pages/passenger/passenger');
  await tab.click();
  await expect(page).toHaveURL('/');
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Where are you driving?' })).toBeVisible();
  await page.goto('/pages/account/settings2');
  await page.getByRole('radio', { name: 'I need a ride' }).click();
  await page.goto('/');
  await expect(page).toHaveURL('/pages/passenger/passenger');
  await page.getByRole('radio', { name: 'Driver', exact: true }).click();
  await expect(page).toHaveURL('/');
  await tab.click();
  await expect(page).toHaveURL('/pages/passenger/passenger');
});

test('the search for a place and the introduction are reached by tapping', async ({ browser }) => {
  const { page } = await newPerson(browser, 'Nora');
  await page.goto('/pages/account/account');
  await page.getByRole('link', { name: 'Address shortcuts' }).click();
  await page.getByRole('link', { name: /^Find a place/ }).click();
  await expect(page).toHaveURL('/pages/address/address?for=driver&field=to');
  await page.getByLabel('Street, place or airport').fill('Aptos Village');
  await page.getByRole('option', { name: /Aptos/ }).first().click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('button', { name: /^To: .*Aptos/ })).toBeVisible();
  await page.goto('/pages/account/account');
  await page.getByRole('link', { name: 'About' }).click();
  await page.getByRole('link', { name: 'How Sameway works' }).click();
  await expect(page).toHaveURL('/intro');
  await expect(page.getByRole('heading', { name: 'Going the same way? Share the car.' })).toBeVisible();
});
