import { expect, type Browser, type Locator, type Page } from '@playwright/test';
import { test } from './journey.ts';
import { callingAgain, newPerson, post, serverUrl, tomorrow, type Person } from './people.ts';

/** Counts what a person does on a page: each tap is one, each field that they fill in is one. */
class Taps {
  count = 0;
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async tap(target: Locator): Promise<void> {
    await target.click();
    this.count += 1;
  }

  async type(field: Locator, text: string): Promise<void> {
    await field.fill(text);
    this.count += 1;
  }

  /** Types a place into the chooser that is open, and takes the first one found. */
  async choosePlace(heading: string, text: string, result: RegExp): Promise<void> {
    await expect(this.page.getByRole('heading', { name: heading })).toBeVisible();
    await this.type(this.page.getByLabel('Street, place or airport'), text);
    await this.tap(this.page.getByRole('option', { name: result }).first());
  }
}

const minuteMs = 60_000;
const mission = { name: 'Mission Street', detail: 'Santa Cruz', lon: -122.0408, lat: 36.9689 };
const aptos = { name: 'Aptos Village', detail: 'Aptos', lon: -121.9027, lat: 36.9772 };

const publishRide = (driver: Person, departsAt: string) =>
  driver.post<{ id: string; departsAt: string }>('/order/create', {
    order: {
      role: 'driver',
      from: mission,
      to: aptos,
      departsAt,
      seats: 3,
      flexMinutes: 15,
      maxDetourMinutes: 30,
      vehicleId: null,
      priceKind: 'perPerson',
      costCents: 0,
    },
  });

const publishRequest = (rider: Person, around: string) =>
  rider.post<{ id: string }>('/order/create', {
    order: {
      role: 'passenger',
      from: mission,
      to: aptos,
      earliestAt: new Date(Date.parse(around) - 20 * minuteMs).toISOString(),
      latestAt: new Date(Date.parse(around) + 30 * minuteMs).toISOString(),
      seats: 1,
    },
  });

/** Rides on the way all over the next hours, so that the time which the form proposes has some. */
async function ridesOfToday(browser: Browser): Promise<void> {
  for (const minutes of [45, 75, 105]) {
    const driver = await newPerson(browser, 'Dina');
    await publishRide(driver, await tomorrow(minutes - 24 * 60));
    await driver.context.close();
  }
}

/** A driver and a passenger who has asked to join; `isAgreed` where the driver has accepted. */
async function pair(browser: Browser, isAgreed: boolean) {
  const [dora, pat] = [await newPerson(browser, 'Dora'), await newPerson(browser, 'Pat')];
  const ride = await publishRide(dora, await tomorrow());
  const { id: requestId } = await publishRequest(pat, await tomorrow());
  const { order } = await pat.post<{ order: { bookings: { id: string }[] } }>('/order/request', {
    rideId: ride.id,
    requestId,
  });
  const bookingId = order.bookings[0]!.id;
  if (isAgreed) await dora.post('/order/accept', { bookingId });
  return { dora, pat, ride, bookingId };
}

const homeOf = { driver: '/', passenger: '/pages/passenger/passenger' } as const;

async function open(who: Person, side: keyof typeof homeOf): Promise<Taps> {
  await who.page.goto(homeOf[side]);
  return new Taps(who.page);
}

test('a guest sees rides for a trip within 8 taps of the first page', async ({ browser }) => {
  await ridesOfToday(browser);
  const page = await (await browser.newContext({ baseURL: serverUrl() })).newPage();
  await page.goto('/');
  const taps = new Taps(page);
  await taps.tap(page.getByRole('button', { name: 'I need a ride' }));
  await taps.tap(page.getByRole('button', { name: /^From/ }).first());
  await taps.choosePlace('Where from?', 'Mission Street', /Mission Street/);
  await taps.choosePlace('Where to?', 'Aptos Village', /Aptos/);
  await taps.tap(page.getByRole('button', { name: /^See .*rides?$/ }));
  await expect(page.getByRole('listitem').filter({ hasText: 'Dina' }).first()).toBeInViewport();
  expect(taps.count).toBeLessThanOrEqual(8);
});

test('a person who is signed in asks for a ride within 6 taps', async ({ browser }) => {
  await ridesOfToday(browser);
  const pat = await newPerson(browser, 'Pat');
  await pat.post('/address/create', { label: 'home', labelText: '', ...mission });
  const taps = await open(pat, 'passenger');
  const { page } = pat;
  await expect(page.getByRole('button', { name: /^From/ }).first()).toContainText('Mission Street');
  await taps.tap(page.getByRole('button', { name: /^To/ }).first());
  await taps.choosePlace('Where to?', 'Aptos Village', /Aptos/);
  await taps.tap(page.getByRole('button', { name: /^See .*rides?$/ }));
  await taps.tap(page.getByRole('button', { name: 'Request this ride' }).first());
  await taps.tap(page.getByRole('dialog').getByRole('button', { name: /^(Request|Ask|Book)/ }));
  await expect(page.getByText(/Request sent to/)).toBeVisible();
  expect(taps.count).toBeLessThanOrEqual(6);
});

test('a driver offers a ride within 7 taps', async ({ browser }) => {
  const dora = await newPerson(browser, 'Dora');
  await dora.post('/address/create', { label: 'home', labelText: '', ...mission });
  const taps = await open(dora, 'driver');
  const { page } = dora;
  await expect(page.getByRole('button', { name: /^From/ }).first()).toContainText('Mission Street');
  await taps.tap(page.getByRole('button', { name: /^To/ }).first());
  await taps.choosePlace('Where to?', 'Aptos Village', /Aptos/);
  await taps.tap(page.getByRole('link', { name: 'Offer this ride' }));
  // Without an account for payments the ride is free.
  await taps.tap(page.getByRole('button', { name: 'Review your ride' }));
  await taps.tap(page.getByRole('button', { name: 'Publish this ride' }));
  await expect(page.getByRole('heading', { name: 'Your ride is live' })).toBeVisible();
  expect(taps.count).toBeLessThanOrEqual(7);
});

test('a driver answers an ask within 2 taps', async ({ browser }) => {
  const { dora } = await pair(browser, false);
  const taps = await open(dora, 'driver');
  await taps.tap(dora.page.getByRole('link', { name: /Reply to 1 rider/ }));
  await taps.tap(dora.page.getByRole('button', { name: 'Accept Pat' }));
  await expect(dora.page.getByText('Joined', { exact: true }).first()).toBeVisible();
  expect(taps.count).toBeLessThanOrEqual(2);
});

test('a passenger answers an invitation within 2 taps', async ({ browser }) => {
  const [dora, pat] = [await newPerson(browser, 'Dora'), await newPerson(browser, 'Pat')];
  const ride = await publishRide(dora, await tomorrow());
  const { id: requestId } = await publishRequest(pat, await tomorrow());
  await dora.post('/order/invite', { rideId: ride.id, requestId });
  const taps = await open(pat, 'passenger');
  await taps.tap(pat.page.getByRole('link', { name: /Reply to 1 invitation/ }));
  await taps.tap(pat.page.getByRole('button', { name: 'Accept', exact: true }));
  await expect(pat.page.getByText('Joined', { exact: true }).first()).toBeVisible();
  expect(taps.count).toBeLessThanOrEqual(2);
});

test('a passenger finds the next ride with 1 tap, messages its driver with 3, cancels with 4', async ({
  browser,
}) => {
  const { pat } = await pair(browser, true);
  const { page } = pat;
  const next = page.getByRole('link', { name: /Mission Street → Aptos Village/ }).first();
  const found = await open(pat, 'passenger');
  await found.tap(next);
  await expect(page.getByText(/^Dora picks you up at/)).toBeVisible();
  expect(found.count).toBeLessThanOrEqual(1);

  const messaged = await open(pat, 'passenger');
  await messaged.tap(next);
  await messaged.tap(page.getByRole('link', { name: 'Chat with Dora' }).last());
  await messaged.tap(page.getByRole('button', { name: 'Thank you!' }));
  await expect(page.getByRole('log').getByText('Thank you!')).toBeVisible();
  expect(messaged.count).toBeLessThanOrEqual(3);

  const canceled = await open(pat, 'passenger');
  await canceled.tap(next);
  await canceled.tap(page.getByRole('button', { name: /^Cancel/ }));
  await canceled.tap(page.getByRole('alertdialog').getByRole('button', { name: /^Cancel/ }));
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  expect(canceled.count).toBeLessThanOrEqual(4);
});

test('from the pick-up by PIN to the arrival it takes a driver with one passenger 5 taps', async ({
  browser,
}) => {
  const { dora, pat, ride, bookingId } = await pair(browser, true);
  await post('/demo/clock', { to: new Date(Date.parse(ride.departsAt) - 4 * minuteMs).toISOString() });
  const { page } = dora;
  const taps = await open(dora, 'driver');
  await taps.tap(page.getByRole('link', { name: /Open your current ride/ }));
  const riding = await callingAgain(pat);
  const { pin } = await riding.get<{ pin: string }>(`/order/boarding-pass?bookingId=${bookingId}`);
  // Before the count that matters: both are at the start.
  await page.getByRole('button', { name: 'I’m at the starting point' }).click();
  const sheet = page.getByRole('dialog').getByRole('button', { name: 'I’m here, my location is off' });
  const field = page.getByRole('textbox', { name: 'Pat’s PIN' });
  await expect(sheet.or(field)).toBeVisible();
  if (await sheet.isVisible()) await sheet.click();
  const day = new Taps(page);
  await day.type(field, pin);
  await day.tap(page.getByRole('button', { name: 'Depart' }));
  await day.tap(page.getByRole('button', { name: /^(Drop off|End ride)/ }));
  const arrive = page.getByRole('button', { name: 'End ride' });
  const arrived = page.getByRole('heading', { name: 'You’ve arrived' });
  await expect(arrive.or(arrived)).toBeVisible();
  if (await arrive.isVisible()) await day.tap(arrive);
  await expect(arrived).toBeVisible();
  expect(day.count).toBeLessThanOrEqual(5);
});
