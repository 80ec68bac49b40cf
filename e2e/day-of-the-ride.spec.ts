import { expect, type Page } from '@playwright/test';
import { test } from './journey.ts';
import { mapsDrawn } from './chromium.ts';
import { newPerson, post, serverUrl, tomorrow, type Person } from './people.ts';

test.use(mapsDrawn);

const westside = { name: 'Mission Street', detail: 'Santa Cruz', lon: -122.0408, lat: 36.9689 };
const aptos = { name: 'Aptos Village', detail: 'Aptos', lon: -121.9027, lat: 36.9772 };
const downtown = { name: 'Pacific Avenue', detail: 'Santa Cruz', lon: -122.0263, lat: 36.9741 };
const soquel = { name: 'Soquel Drive', detail: 'Soquel', lon: -121.9566, lat: 36.988 };
const capitola = { name: 'Capitola Village', detail: 'Capitola', lon: -121.9533, lat: 36.9722 };

interface Order {
  id: string;
  departsAt: string;
  bookings: { id: string }[];
}

/** A ride tomorrow that the passenger has joined. */
async function agreedRide(dora: Person, pat: Person): Promise<Order> {
  const ride = await dora.post<Order>('/order/create', {
    order: {
      role: 'driver',
      from: westside,
      via: [soquel],
      to: aptos,
      maxDetourMinutes: 30,
      departsAt: await tomorrow(),
      seats: 3,
      vehicleId: null,
      priceKind: 'perPerson',
      costCents: 0,
    },
  });
  const request = await pat.post<Order>('/order/create', {
    order: {
      role: 'passenger',
      from: downtown,
      to: capitola,
      earliestAt: await tomorrow(-20),
      latestAt: await tomorrow(45),
      seats: 1,
    },
  });
  const asked = await pat.post<{ order: Order }>('/order/request', {
    rideId: ride.id,
    requestId: request.id,
  });
  await dora.post('/order/accept', { bookingId: asked.order.bookings[0]!.id });
  return ride;
}

interface Pages {
  dora: Person;
  driver: Page;
  passenger: Page;
}

async function stepWithoutConnection({ dora, driver, passenger }: Pages): Promise<void> {
  await driver.getByRole('button', { name: 'I’m at the starting point' }).click();
  await expect(driver.getByRole('button', { name: 'Depart' })).toBeEnabled();
  await dora.context.setOffline(true);
  await driver.getByRole('button', { name: 'Depart' }).click();
  await expect(driver.getByText('You’re offline. We’ll send this when you’re back:')).toBeVisible();
  await driver.getByRole('button', { name: 'I’m here' }).click();
  // The phone still says that it is at the start.
  await driver.getByRole('button', { name: 'I’m here, my location is off' }).click();
  await expect(driver.getByText('Pick up Pat here')).toBeVisible();
  await expect(passenger.getByText('Dora is at the starting point')).toBeVisible();
  await dora.context.setOffline(false);
  await expect(passenger.getByText('Dora is here')).toBeVisible();
  await expect(driver.getByText('You’re offline. We’ll send this when you’re back:')).toHaveCount(0);
}

async function boardByPin({ driver, passenger, watcher }: Pages & { watcher: Page }): Promise<void> {
  const pass = await passenger.getByText('Tell Dora this PIN').locator('..').innerText();
  await passenger.getByRole('button', { name: 'Show code' }).click();
  await expect(passenger.getByRole('img', { name: 'My boarding code' })).toBeVisible();
  await passenger.keyboard.press('Escape');
  const pin = /\d{4}/.exec(pass)![0];
  const typed = driver.getByRole('textbox', { name: 'Pat’s PIN' });
  // The fourth digit sends it; a wrong one is said under the field.
  await typed.fill(pin === '1111' ? '2222' : '1111');
  await expect(driver.getByText('That PIN isn’t right.')).toBeVisible();
  await expect(typed).toBeFocused();
  await expect(typed).toHaveValue('');
  await typed.fill(pin);
  await expect(passenger.getByText('You’re on board')).toBeVisible();
  await expect(watcher.getByText(/is on the way/)).toBeVisible();
}

test('the day of a ride: steps without a connection, boarding by PIN, somebody at home who follows', async ({
  browser,
}) => {
  const dora = await newPerson(browser, 'Dora');
  const pat = await newPerson(browser, 'Pat');
  const ride = await agreedRide(dora, pat);
  const { path } = await pat.post<{ path: string }>('/order/share', { id: ride.id });
  await post('/demo/clock', { to: new Date(Date.parse(ride.departsAt) - 4 * 60_000).toISOString() });

  await dora.context.grantPermissions(['geolocation']);
  await dora.context.setGeolocation({ longitude: westside.lon, latitude: westside.lat });
  const [driver, passenger] = [dora.page, pat.page];
  const guest = await browser.newContext({ baseURL: serverUrl() });
  const watcher = await guest.newPage();
  const underWay = `/pages/order/ride?id=${ride.id}`;
  await Promise.all([driver.goto(underWay), passenger.goto(underWay), watcher.goto(path)]);

  await test.step('the car is on the map of the passenger and of the one at home', async () => {
    await expect(driver.getByText('Riders see your location until the ride ends.')).toBeVisible();
    for (const page of [passenger, watcher])
      await expect(page.getByRole('img', { name: /^Car: / })).toBeVisible();
    await expect(watcher.getByText(/is waiting for the ride/)).toBeVisible();
  });

  await test.step('steps without a connection wait, marked as such, and are done when it is back', () =>
    stepWithoutConnection({ dora, driver, passenger }));

  await test.step('the passenger says the PIN and is on board', () =>
    boardByPin({ dora, driver, passenger, watcher }));

  await test.step('the emergency button says what to say, and calls only at a second tap', async () => {
    // In reach however far the panel was scrolled.
    for (const button of ['Emergency', /^Share/])
      await expect(passenger.getByRole('button', { name: button })).toBeInViewport({ ratio: 1 });
    await passenger.getByRole('button', { name: 'Emergency' }).click();
    const dialog = passenger.getByRole('dialog');
    await expect(dialog.getByText(dora.name)).toBeVisible();
    await expect(dialog.getByRole('link', { name: 'Call 911' })).toHaveAttribute('href', 'tel:911');
    await passenger.keyboard.press('Escape');
  });

  await test.step('with the ride ends what the one at home sees', async () => {
    // Which of the two comes first is for the roads to say.
    const next = driver.getByRole('button', { name: /^(Drop off|Done, drive on)$/ });
    const first = await next.innerText();
    await next.click();
    await expect(next).not.toHaveText(first);
    await next.click();
    await driver.getByRole('button', { name: 'End ride' }).click();
    await expect(watcher.getByText(/trip has ended/)).toBeVisible();
  });
});
