import { expect, test } from '@playwright/test';
import { newPerson } from './people.ts';

test('own position, an airport by its code, and a place to keep', async ({ browser }) => {
  const { page, context } = await newPerson(browser, 'Mia');
  await page.goto('/');
  await page.goto('/pages/address/address?for=driver&field=from');
  await page.getByRole('button', { name: 'Use my current position' }).click();
  await expect(page.getByText('Positioning failed.')).toBeVisible();
  await expect(page.getByText('Failed to locate position, enter manually.')).toBeVisible();

  await context.grantPermissions(['geolocation']);
  await context.setGeolocation({ latitude: 36.9741, longitude: -122.0263 });
  await page.getByRole('button', { name: 'Use my current position' }).click();
  await expect(page).toHaveURL('/');

  await page.goto('/pages/address/address?for=driver&field=to');
  await page.getByRole('combobox').fill('sfo');
  await page.getByRole('option', { name: /San Francisco International Airport/ }).click();
  await expect(page).toHaveURL('/');
  await page.goto('/pages/order/confirm?role=driver');
  await expect(page.getByLabel('Flight number')).toBeVisible();

  await page.goto('/pages/address/editor?label=home');
  await page.getByRole('button', { name: 'Save this place' }).click();
  await expect(page.getByText('Please select a place.')).toBeVisible();
  await page.getByRole('button', { name: /Choose a place/ }).click();
  await page.getByRole('combobox').fill('123 Pacific Avenue');
  await page
    .getByRole('option', { name: /Pacific Avenue/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Save this place' }).click();
  await page.goto('/pages/address/shortcut');
  await expect(page.getByRole('link', { name: /^Home.*Pacific Avenue/ })).toBeVisible();
});

test('a plan without a start asks for it in the words of the specification', async ({ browser }) => {
  const { page } = await newPerson(browser, 'Leo');
  await page.goto('/pages/order/confirm?role=driver');
  await page.getByRole('button', { name: 'Review' }).click();
  await expect(page.getByText('Please verify the starting point.')).toBeVisible();
});
