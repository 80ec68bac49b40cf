import { expect, type Browser } from '@playwright/test';
import { test } from './journey.ts';
import { newPerson, tomorrow, type Person } from './people.ts';

const place = (name: string, lon: number, lat: number) => ({ name, detail: 'Santa Cruz', lon, lat });
const way = {
  from: place('Mission Street', -122.0408, 36.9689),
  to: place('Aptos Village', -121.9027, 36.9772),
};
const hourMs = 3_600_000;
const detail = (id: string) => `/pages/order/detail?id=${id}`;

async function publishRequest(person: Person, departsAt: number): Promise<string> {
  const order = {
    role: 'passenger',
    ...way,
    earliestAt: new Date(departsAt - hourMs / 4).toISOString(),
    latestAt: new Date(departsAt + hourMs / 2).toISOString(),
    seats: 1,
    offerCents: null,
  };
  return (await person.post<{ id: string }>('/order/create', { order })).id;
}

/** A ride that two have joined. */
interface Agreement {
  driver: Person;
  ann: Person;
  ben: Person;
  rideId: string;
  /** Ann's request. */
  byAnn: string;
  /** The ride as it was published. */
  order: object;
  departsAt: string;
}

async function agreeToAnotherTime({ driver, ann, ben, rideId, departsAt }: Agreement): Promise<void> {
  const { page } = driver;
  await page.goto(detail(rideId));
  await page.getByRole('link', { name: 'Propose a change' }).click();
  const field = page.getByRole('group', { name: 'Departure' }).getByLabel('Time');
  const before = await field.inputValue();
  await field.fill(`${before.slice(0, 3)}${before.slice(3) === '59' ? '58' : '59'}`);
  await page.getByRole('button', { name: 'Ask your riders' }).click();
  await expect(page.getByText('0 of 2 riders accepted')).toBeVisible();
  // Ann answers where she reads of it.
  await ann.page.goto('/pages/account/notifications');
  const line = ann.page.getByRole('listitem').filter({ hasText: 'Mission Street → Aptos Village' }).first();
  await expect(line).toContainText(/Dina .*proposed a change to your ride.*\(was .+\) · Free/s);
  await line.getByRole('button', { name: 'Accept', exact: true }).click();
  await expect(line).toContainText('You accepted.');
  await ben.page.goto(detail(rideId));
  await expect(ben.page.getByText('Dina proposes a change')).toBeVisible();
  await ben.page.getByRole('button', { name: 'Accept', exact: true }).click();
  await expect(ben.page.getByText('You accepted the change')).toBeVisible();
  // The same line tells that it applies.
  await expect(line).toContainText('Your ride changed as proposed');
  await expect(ann.page.getByText('proposes a change')).toHaveCount(0);
  // Without a reload.
  await expect(page.getByRole('link', { name: 'Propose a change' })).toBeVisible();
  const { order: now } = await driver.get<{ order: { departsAt: string; bookings: { state: string }[] } }>(
    `/order/detail?id=${rideId}`,
  );
  expect(now.departsAt).not.toBe(departsAt);
  expect(now.bookings.map(({ state }) => state)).toEqual(['joined', 'joined']);
}

async function leaveAnotherWay(
  browser: Browser,
  { driver, ann, ben, rideId, byAnn, order }: Agreement,
): Promise<void> {
  const { page } = driver;
  const eva = await newPerson(browser, 'Eva');
  const { order: agreed } = await driver.get<{ order: { departsAt: string } }>(`/order/detail?id=${rideId}`);
  await eva.post('/order/create', { order: { ...order, departsAt: agreed.departsAt } });
  await page.getByRole('link', { name: 'Propose a change' }).click();
  await page.getByRole('button', { name: 'Add a stop' }).click();
  await page.getByRole('combobox').fill('Soquel Drive');
  await page.getByRole('option').first().click();
  await page.getByRole('textbox', { name: 'Reason' }).fill('A parcel to drop');
  await page.getByRole('button', { name: 'Ask your riders' }).click();
  await expect(page.getByText('0 of 2 riders accepted')).toBeVisible();

  await ann.page.goto(detail(byAnn));
  const proposal = ann.page.getByRole('heading', { name: 'Dina proposes a change' });
  await expect(proposal).toBeVisible();
  await expect(ann.page.getByText(/Mission Street → .*Soquel.* → Aptos Village/)).toBeVisible();
  await expect(ann.page.getByText('Your drop-off')).toBeVisible();
  await ann.page.getByRole('button', { name: 'Accept', exact: true }).click();
  await expect(ann.page.getByText('You accepted the change')).toBeVisible();

  await ben.page.goto(detail(rideId));
  await ben.page.getByRole('button', { name: 'Decline' }).click();
  await ben.page.getByRole('alertdialog').getByRole('button', { name: 'Leave the ride' }).click();
  await expect(ben.page.getByRole('heading', { name: 'You left Dina’s ride' })).toBeVisible();
  await expect(ben.page.getByRole('button', { name: 'Book now with Eva' }).first()).toBeVisible();
  // The way stands for those who stay.
  await expect(proposal).toHaveCount(0);
  const { order: now } = await driver.get<{ order: { via: unknown[]; bookings: { state: string }[] } }>(
    `/order/detail?id=${rideId}`,
  );
  expect(now.via).toHaveLength(1);
}

test('a seat booked at once, a seat waited for, and another time that everybody agrees to', async ({
  browser,
}) => {
  const [driver, ann, ben] = [
    await newPerson(browser, 'Dina'),
    await newPerson(browser, 'Ann'),
    await newPerson(browser, 'Ben'),
  ];
  // Far from the demo community's days, to the minute as the forms show it.
  const departsAt = Math.floor((Date.parse(await tomorrow()) + 40 * 24 * hourMs) / 60_000) * 60_000;
  const order = {
    role: 'driver',
    ...way,
    departsAt: new Date(departsAt).toISOString(),
    seats: 1,
    vehicleId: null,
    priceKind: 'perPerson',
    costCents: 0,
    maxDetourMinutes: 10,
    instant: true,
  };
  const { id: rideId } = await driver.post<{ id: string }>('/order/create', { order });
  const [byAnn, byBen] = [await publishRequest(ann, departsAt), await publishRequest(ben, departsAt)];
  const agreement: Agreement = { driver, ann, ben, rideId, byAnn, order, departsAt: order.departsAt };

  await test.step('the driver edits the ride while nobody has joined', async () => {
    await driver.page.goto(detail(rideId));
    await driver.page.getByRole('link', { name: 'Edit this ride' }).click();
    await driver.page.getByLabel('Note').fill('By the lighthouse');
    await driver.page.getByRole('button', { name: 'Save changes' }).click();
    await expect(driver.page.getByText('By the lighthouse')).toBeVisible();
  });

  await test.step('Ann has joined at once', async () => {
    await ann.page.goto(`/pages/order/match?id=${byAnn}`);
    await ann.page.getByRole('button', { name: 'Book now' }).first().click();
    await ann.page.getByRole('dialog').getByRole('button', { name: 'Book now' }).click();
    await expect(ann.page.getByRole('heading', { name: 'You’re riding with Dina' })).toBeVisible();
  });

  await test.step('Ben waits for a seat', async () => {
    await ben.page.goto(detail(rideId));
    await ben.page.getByRole('button', { name: 'Join the waitlist' }).click();
    await expect(ben.page.getByText('You’re number 1 on the waitlist')).toBeVisible();
  });

  await test.step('what is agreed cannot be edited, and one more seat is kept for Ben', async () => {
    await driver.page.goto(`/pages/order/confirm?edit=${rideId}`);
    await expect(
      driver.page.getByText('You cannot edit the time, address or cost because the ride is already matched.'),
    ).toBeVisible();
    await driver.page.getByRole('button', { name: 'More seats' }).click();
    await driver.page.getByRole('button', { name: 'Save changes' }).click();
    await ben.page.goto(detail(byBen));
    await ben.page.getByRole('button', { name: 'Accept', exact: true }).click();
    await expect(ben.page.getByText('You joined the ride')).toBeVisible();
  });

  await test.step('another time is proposed, and stands once both have accepted', () =>
    agreeToAnotherTime(agreement));

  await test.step('another way is proposed with a stop that is searched for; one goes along, the other leaves and is offered another ride', () =>
    leaveAnotherWay(browser, agreement));
});
