import { expect } from '@playwright/test';
import { test } from './journey.ts';
import { giveCard, giveVehicle, verify } from './money.ts';
import { newPerson, tomorrow, withPlan } from './people.ts';

const place = (name: string, lon: number, lat: number) => ({ name, detail: 'Santa Cruz', lon, lat });
const route = {
  from: place('Mission Street', -122.0408, 36.9689),
  to: place('Aptos Village', -121.9027, 36.9772),
};

test('instant booking says that the seat is taken and the share held at once, and that is what happens', async ({
  browser,
}) => {
  const driver = await newPerson(browser, 'Dina');
  const rider = await newPerson(browser, 'Ann');
  await verify(driver);
  await giveCard(rider);
  const departsAt = await tomorrow(7 * 60);
  const order = {
    role: 'driver',
    ...route,
    departsAt,
    seats: 2,
    vehicleId: await giveVehicle(driver),
    priceKind: 'perPerson',
    costCents: 1200,
    maxDetourMinutes: 10,
    instant: true,
  };
  await driver.post('/order/create', { order });
  const { page } = rider;

  await test.step('the search says "Book now", and its question names the hold and no waiting', async () => {
    const config = await rider.get<{ region: { timeZone: string } }>('/app/config');
    const local = new Intl.DateTimeFormat('sv-SE', {
      timeZone: config.region.timeZone,
      dateStyle: 'short',
      timeStyle: 'short',
    })
      .format(new Date(departsAt))
      .replace(' ', 'T');
    await withPlan(page, 'passenger', { ...route, local });
    await page.goto('/pages/passenger/passenger');
    const card = page.getByRole('listitem').filter({ hasText: driver.name });
    await card.getByRole('button', { name: 'Book now' }).click();
    const question = page.getByRole('dialog');
    await expect(question).toContainText(/Book a seat with Dina/);
    await expect(question).toContainText('No need to wait');
    await expect(question).toContainText('we hold $12.00 on your card when you book');
    await expect(question).not.toContainText('other drivers can invite you');
    await question.getByRole('button', { name: 'Book now · $12.00 held, not charged' }).click();
  });

  await test.step('what was done is what is told', async () => {
    await expect(page.getByText(/Booked\. You’re riding with Dina/)).toBeVisible();
    await expect(page).toHaveURL(/\/pages\/order\/detail\?id=/);
    await expect(page.getByRole('heading', { name: 'Your ride', exact: true })).toBeVisible();
    const { order } = await rider.get<{
      order: { state: string; bookings: { payment: { state: string } | null }[] };
    }>(`/order/detail?id=${new URL(page.url()).searchParams.get('id')}`);
    expect(order).toMatchObject({
      state: 'joined',
      bookings: [{ payment: { state: 'requires_capture' } }],
    });
  });
});
