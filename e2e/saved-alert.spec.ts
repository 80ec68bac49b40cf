import { expect } from '@playwright/test';
import { test } from './journey.ts';
import { get, newPerson, tomorrow, withPlan } from './people.ts';

const place = (name: string, lon: number, lat: number) => ({ name, detail: 'Santa Cruz', lon, lat });
const hourMs = 3_600_000;

test('an alert saved from an empty search finds a ride the moment it is published', async ({ browser }) => {
  const [passenger, driver] = [await newPerson(browser, 'Nora'), await newPerson(browser, 'Theo')];
  const { page } = passenger;
  const connected = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'));
  // Far from the demo community's days, at night: no one drives yet. A retry takes the day after, since
  // the ride of the try before is still there.
  const days = 30 + test.info().retry;
  const at = new Date(Date.parse(await tomorrow()) + days * 24 * hourMs);
  const day = at.toLocaleDateString('sv-SE', { timeZone: 'America/Los_Angeles' });

  await test.step('nothing fits, and one tap keeps looking', async () => {
    await withPlan(passenger.context, 'passenger', {
      from: place('Pacific Avenue', -122.0263, 36.9741),
      to: place('Capitola Village', -121.9533, 36.9722),
      local: `${day}T03:30`,
      seats: 1,
    });
    await page.goto('/pages/passenger/passenger');
    await expect(page.getByRole('heading', { name: 'No matches yet' })).toBeVisible();
    await page.getByRole('button', { name: 'Save alert' }).click();
    await page.getByRole('link', { name: 'See my alerts' }).click();
    await expect(page.getByText('No matches yet. We’ll keep looking.')).toBeVisible();
  });

  // The page shows a message only for what happens while its socket is connected.
  await connected;
  const { alerts } = await passenger.get<{
    alerts: { id: string; times: { earliestAt: string; latestAt: string } }[];
  }>('/alert/list');
  const { earliestAt, latestAt } = alerts[0]!.times;
  const ride = await driver.post<{ id: string }>('/order/create', {
    order: {
      role: 'driver',
      note: '',
      contactWith: 'chat',
      visibility: 'all users',
      from: place('Mission Street', -122.0408, 36.9689),
      to: place('Aptos Village', -121.9027, 36.9772),
      departsAt: new Date((Date.parse(earliestAt) + Date.parse(latestAt)) / 2).toISOString(),
      seats: 2,
      vehicleId: null,
      priceKind: 'perPerson',
      costCents: 0,
      maxDetourMinutes: 25,
    },
  });

  await test.step('the hit shows without a reload, and opens the ride', async () => {
    await expect(page.getByText('New match for your alert', { exact: true })).toBeVisible();
    const hits = page.getByRole('list', { name: '1 ride matches' });
    await expect(hits.getByText('New', { exact: true })).toBeVisible();
    await hits.getByRole('link', { name: new RegExp(driver.name) }).click();
    await expect(page).toHaveURL(new RegExp(`/pages/order/detail\\?id=${ride.id}`));
    await expect(page.getByRole('heading', { name: 'Ride Detail' })).toBeVisible();
  });

  await test.step('an email leads there too', async () => {
    // A job sends the email after the page has shown the hit.
    await expect
      .poll(emailsOfMatches)
      .toContainEqual(expect.stringContaining(`/pages/order/detail?id=${ride.id}`));
    await page.goto('/pages/demo/outbox');
    const email = page
      .getByRole('article')
      .filter({ hasText: 'A ride matches your alert: Pacific Avenue → Capitola Village' })
      .filter({ hasText: ride.id });
    await email.getByRole('link', { name: ride.id }).click();
    await expect(page.getByRole('heading', { name: 'Ride Detail' })).toBeVisible();
  });

  await test.step('a deleted alert is gone', async () => {
    await page.goto('/pages/discover/discover');
    await page.getByRole('radio', { name: 'Alerts' }).check();
    await page.getByRole('button', { name: 'Delete alert' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete alert' }).click();
    await expect(page.getByRole('heading', { name: 'No alerts yet' })).toBeVisible();
  });
});

/** The texts of the emails about matches of alerts. */
async function emailsOfMatches(): Promise<string[]> {
  const { letters } = await get<{ letters: { subject: string; text: string }[] }>('/demo/outbox');
  return letters
    .filter(({ subject }) => subject.startsWith('A ride matches your alert'))
    .map(({ text }) => text);
}
