import { expect } from '@playwright/test';
import { test } from './journey.ts';
import { agreedRide, bookingOf, expectJoined, giveCard, moveClock } from './money.ts';
import { callingAgain, newPerson, type Person } from './people.ts';

const place = (name: string, lon: number, lat: number) => ({ name, detail: 'Santa Cruz', lon, lat });
// Far from the demo community's days.
const minutesAhead = 45 * 24 * 60;
const minuteMs = 60_000;

/** Another person who drives the way of the ride that is paid, a while later and for nothing. */
async function alsoDrives(driver: Person, departsAt: string, fields: object = {}): Promise<void> {
  await driver.post('/order/create', {
    order: {
      role: 'driver',
      from: place('Mission Street', -122.0408, 36.9689),
      to: place('Aptos Village', -121.9027, 36.9772),
      departsAt: new Date(Date.parse(departsAt) + 45 * minuteMs).toISOString(),
      flexMinutes: 30,
      seats: 3,
      vehicleId: null,
      priceKind: 'perPerson',
      costCents: 0,
      ...fields,
    },
  });
}

test('the driver does not come: nothing is charged, and another ride is one tap away', async ({
  browser,
}) => {
  const [dora, pat, bob] = [
    await newPerson(browser, 'Dora'),
    await newPerson(browser, 'Pat'),
    await newPerson(browser, 'Bob'),
  ];
  await giveCard(pat);
  const { ride, request } = await agreedRide({ driver: dora, passenger: pat }, minutesAhead);
  await alsoDrives(bob, ride.departsAt);
  await alsoDrives(await newPerson(browser, 'Ann'), ride.departsAt, { instant: true });
  await expectJoined(pat, request.id);
  const { page } = pat;

  await test.step('the hold stands, and a quarter of an hour after the agreed time the driver may be reported', async () => {
    await moveClock(ride.departsAt, -30);
    const waiting = await callingAgain(pat);
    await expect.poll(async () => (await bookingOf(waiting, request.id)).state).toBe('waiting');
    await page.goto(`/pages/order/detail?id=${request.id}`);
    await expect(page.getByText('Held, not charged', { exact: true })).toBeVisible();
    await page.getByRole('link', { name: 'Go to the ride' }).click();
    await expect(page.getByRole('heading', { name: 'Dora hasn’t left yet' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Driver didn’t show up' })).toHaveCount(0);
    await moveClock(ride.departsAt, 30);
    await page.getByRole('button', { name: 'Driver didn’t show up' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Report the driver' }).click();
  });

  const offers = page.getByRole('list', { name: 'Other rides for you' });
  await test.step('at once: nothing to pay, and the others who go the same way', async () => {
    await expect(page.getByRole('heading', { name: 'Sorry, Dora didn’t show up' })).toBeVisible();
    await expect(page.getByText('We release the $12.00 hold')).toBeVisible();
    await expect(offers.getByRole('listitem')).toHaveCount(2);
    await expect(offers.getByRole('button', { name: 'Book now with Ann' })).toBeVisible();
  });

  await test.step('one tap asks Bob; he says yes in his own window, and Pat has a ride', async () => {
    await offers.getByRole('button', { name: 'Ask Bob' }).click();
    await expect(page.getByText('Request sent to Bob').first()).toBeVisible();
    const riding = await callingAgain(pat);
    const asked = (
      await riding.get<{ order: { bookings: { state: string; rideId: string }[] } }>(
        `/order/detail?id=${request.id}`,
      )
    ).order.bookings.find(({ state }) => state === 'requesting');
    await bob.page.goto(`/pages/order/detail?id=${asked!.rideId}`);
    await bob.page.getByRole('button', { name: 'Accept' }).click();
    // The page follows the passenger to the ride that they have now.
    await page.waitForURL(`**/pages/order/ride?id=${asked!.rideId}`);
    await expect(page.getByRole('heading', { name: 'Bob hasn’t left yet' })).toBeVisible();
  });
});
