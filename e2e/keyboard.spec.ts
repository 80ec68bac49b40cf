import { expect, type Page } from '@playwright/test';
import { test } from './journey.ts';
import { newPerson, tomorrow } from './people.ts';

const from = { name: 'Mission Street', detail: 'Santa Cruz', lon: -122.0408, lat: 36.9689 };
const to = { name: 'Aptos Village', detail: 'Aptos', lon: -121.9027, lat: 36.9772 };

const mostStops = 80;

/** The accessible name and role of what has the focus, as a screen reader says it. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const at = document.activeElement;
    // A pane that scrolls takes the focus too, and is no control.
    if (!(at instanceof HTMLElement) || !at.matches('a, button, input, textarea, select')) return '';
    const labelled = at.getAttribute('aria-label') ?? (at as HTMLInputElement).labels?.[0]?.textContent;
    return (labelled ?? at.textContent ?? '').replace(/\s+/g, ' ').trim();
  });

/** Presses Tab until what has the focus is called so. The focus is seen at each stop. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let stop = 0; stop < mostStops; stop++) {
    if (name.test(await focused(page))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The keyboard did not reach ${name} within ${mostStops} stops.`);
}

/** Goes to what is called so, and presses it. */
async function press(page: Page, name: RegExp, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press(key);
}

/** The place chooser: the words are typed, and Enter takes the first that is found. */
async function choose(page: Page, heading: string, text: string): Promise<void> {
  await expect(page.getByRole('heading', { name: heading })).toBeVisible();
  await tabTo(page, /Street, place or airport/);
  await page.keyboard.type(text);
  await expect(page.getByRole('option').first()).toBeVisible();
  await page.keyboard.press('Enter');
}

test('the keyboard alone finds a ride, asks for it, writes to the driver and cancels', async ({
  browser,
}) => {
  const driver = await newPerson(browser, 'Dina');
  await driver.post('/order/create', {
    order: {
      role: 'driver',
      from,
      to,
      departsAt: await tomorrow(40),
      seats: 3,
      vehicleId: null,
      priceKind: 'perPerson',
      costCents: 0,
    },
  });
  const pat = await newPerson(browser, 'Pat');
  const { page } = pat;
  await page.goto('/pages/passenger/passenger');
  await expect(page.getByRole('button', { name: /^From/ }).first()).toBeVisible();
  await press(page, /^From/);
  await choose(page, 'Where from?', 'Mission Street');
  await choose(page, 'Where to?', 'Aptos Village');
  await expect(page.getByRole('button', { name: 'Tomorrow' })).toBeVisible();
  await press(page, /^Tomorrow$/, 'Space');
  await expect(page.getByRole('button', { name: /^See .*rides?$/ })).toBeVisible();
  await press(page, /^See .*rides?$/);
  await expect(page.getByRole('button', { name: 'Request this ride' }).first()).toBeVisible();
  await press(page, /^Request this ride$/);
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  // The focus is in the dialog and stays there.
  const holdsFocus = () => dialog.evaluate((each) => each.contains(document.activeElement));
  for (let stop = 0; stop < 12; stop++) {
    // From the last stop a guard hands it back to the first.
    await expect.poll(holdsFocus).toBe(true);
    await page.keyboard.press('Tab');
  }
  await press(page, /^Request/);
  await expect(page.getByText(/^Request sent to/)).toBeVisible();

  await page.goto('/pages/order/order');
  await expect(page.getByRole('link', { name: /Mission Street/ }).first()).toBeVisible();
  await press(page, /Mission Street/);
  await expect(page.getByRole('button', { name: /^Cancel/ }).first()).toBeVisible();
  await press(page, /Chat with Dina|Message Dina/);
  await expect(page.getByRole('textbox').first()).toBeVisible();
  await tabTo(page, /message/i);
  await page.keyboard.type('Hello Dina');
  await press(page, /^Send/);
  await expect(page.getByRole('log').getByText('Hello Dina')).toBeVisible();

  await page.goBack();
  await expect(page.getByRole('button', { name: /^Cancel/ }).first()).toBeVisible();
  await press(page, /^Cancel/);
  const question = page.getByRole('alertdialog').or(page.getByRole('dialog'));
  await expect(question).toBeVisible();
  // Escape keeps the request, and the focus is where it was.
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  expect(await focused(page)).toMatch(/^Cancel/);
  await page.keyboard.press('Enter');
  // Until the dialog has the focus, Enter would press the button behind it again.
  await expect.poll(() => question.evaluateAll(([box]) => box?.contains(document.activeElement))).toBe(true);
  await press(page, /^Cancel/);
  await expect(question).toHaveCount(0);
});
