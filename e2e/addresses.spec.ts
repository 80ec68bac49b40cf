import { setTimeout as pause } from 'node:timers/promises';
import { expect } from '@playwright/test';
import { test } from './journey.ts';
import { giveVehicle, verify } from './money.ts';
import { fillWhen } from './orders.ts';
import { newPerson, tomorrow } from './people.ts';

test('own position, an airport by its code, and a place to keep', async ({ browser }) => {
  const { page, context } = await newPerson(browser, 'Mia');
  await page.goto('/');
  await page.goto('/pages/address/address?for=driver&field=from');
  await page.getByRole('button', { name: 'Use my current location' }).click();
  await expect(page.getByText('Positioning failed.')).toBeVisible();
  await expect(page.getByText('Failed to locate position, enter manually.')).toBeVisible();

  await context.grantPermissions(['geolocation']);
  await context.setGeolocation({ latitude: 36.9741, longitude: -122.0263 });
  await page.getByRole('button', { name: 'Use my current location' }).click();
  await expect(page).toHaveURL('/');

  await page.goto('/pages/address/address?for=driver&field=from');
  await page.getByRole('button', { name: 'Pick on the map' }).click();
  await page.getByRole('button', { name: 'Use this place' }).click();
  await expect(page).toHaveURL('/');

  await page.goto('/pages/address/address?for=driver&field=to');
  await page.getByRole('combobox').fill('sfo');
  await page.getByRole('option', { name: /San Francisco International Airport/ }).click();
  await expect(page).toHaveURL('/');
  await page.goto('/pages/order/confirm?role=driver');
  await expect(page.getByLabel('Flight number')).toBeVisible();

  await page.goto('/pages/address/editor?label=home');
  await page.getByRole('button', { name: 'Save place' }).click();
  await expect(page.getByText('Please select a place.')).toBeVisible();
  await page.getByRole('button', { name: /Choose a place/ }).click();
  await page.getByRole('combobox').fill('123 Pacific Avenue');
  await page
    .getByRole('option', { name: /Pacific Avenue/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Save place' }).click();
  // Leaving at once would take the call with it.
  await expect(page).not.toHaveURL(/editor/);
  await page.goto('/pages/address/shortcut');
  await expect(page.getByRole('link', { name: /^Home.*Pacific Avenue/ })).toBeVisible();
});

test('the place chooser lies over the form: a reload keeps it, going back closes it', async ({ browser }) => {
  const { page } = await newPerson(browser, 'Mia');
  await page.goto('/pages/order/confirm?role=driver');
  await page.getByLabel('Note').fill('Two suitcases fit');
  await page.getByRole('button', { name: 'Add a stop' }).click();
  const chooser = page.getByRole('dialog', { name: 'Where’s the stop?' });
  await expect(chooser.getByRole('combobox')).toBeFocused();
  await page.reload();
  await expect(chooser).toBeVisible();
  await page.goBack();
  await expect(chooser).toBeHidden();
  await expect(page.getByLabel('Note')).toHaveValue('Two suitcases fit');

  await page.getByRole('button', { name: 'Add a stop' }).click();
  await chooser.getByRole('combobox').fill('Pacific Avenue');
  await chooser
    .getByRole('option', { name: /Pacific Avenue/ })
    .first()
    .click();
  await expect(chooser).toBeHidden();
  await expect(page.getByRole('list', { name: 'Stops' })).toContainText('Pacific Avenue');
  await expect(page).toHaveURL('/pages/order/confirm?role=driver');
});

test('what a plan lacks is asked for in the words of the specification', async ({ browser }) => {
  const leo = await newPerson(browser, 'Leo');
  const { page } = leo;
  const review = page.getByRole('button', { name: /^Review your/ });
  // Far from what the demo community does, at noon of the ride's own clocks.
  const day = new Date(Date.parse(await tomorrow()) + 45 * 86_400_000).toISOString().slice(0, 10);
  const plan = {
    from: { name: 'Mission Street', detail: 'Santa Cruz', lon: -122.0408, lat: 36.9689 },
    to: { name: 'Aptos Village', detail: 'Aptos', lon: -121.9027, lat: 36.9772 },
    local: `${day}T12:00`,
  };
  const planning = async (role: 'driver' | 'passenger', part: object) => {
    await page.evaluate(
      ([name, value]) =>
        localStorage.setItem(
          'sameway.drafts',
          JSON.stringify({ [name]: { userId: '', savedAtMs: Date.now(), value } }),
        ),
      [`plan.${role}`, { ...plan, ...part }] as const,
    );
    await page.goto(`/pages/order/confirm?role=${role}`);
  };

  await test.step('a start, a vehicle, a time to come', async () => {
    await page.goto('/pages/order/confirm?role=driver');
    await review.click();
    await expect(page.getByText('Please verify the starting point.')).toBeVisible();
    await planning('driver', { price: 'perPerson', costCents: 12_00 });
    await review.click();
    await expect(page.getByText('Please add a vehicle first.')).toBeVisible();
    await planning('driver', { price: 'free' });
    await fillWhen(page, 'Departure', '2026-01-05T08:00');
    await review.click();
    await expect(page.getByText('Please select a departure time in the future.')).toBeVisible();
  });

  await test.step('a price that is allowed', async () => {
    await giveVehicle(leo);
    await verify(leo);
    // What is not read yet is not said to be missing.
    await page.route('**/car/list', async (route) => {
      await pause(1500);
      await route.continue();
    });
    await planning('driver', { price: 'perPerson', costCents: 501_00 });
    await review.click();
    await page.unroute('**/car/list');
    await page.getByRole('button', { name: 'Publish this ride' }).click();
    await expect(page.getByText('The maximum transaction amount allowed is $500.')).toBeVisible();
  });

  await test.step('an offer that is enough, at a time that is still free', async () => {
    await planning('driver', { price: 'free' });
    await review.click();
    await page.getByRole('button', { name: 'Publish this ride' }).click();
    await page.waitForURL(/\/pages\/order\/match/);
    await planning('passenger', { offerCents: 5_00 });
    await review.click();
    await expect(page.getByText('Please offer more than $5 per person to the driver.')).toBeVisible();
    await planning('passenger', { offerCents: null });
    await review.click();
    await page.getByRole('button', { name: 'Publish this request' }).click();
    await expect(
      page
        .getByText('There is an existing ride at the same departure time, so choose a different time.')
        .first(),
    ).toBeVisible();
  });
});
