import { expect, type Page } from '@playwright/test';
import { test } from './journey.ts';
import {
  adminSession,
  agreedRide,
  bookingOf,
  demoPassword,
  expectJoined,
  giveCard,
  giveVehicle,
  inMinutes,
  moveClock,
  requestRide,
  testCards,
  typeCard,
} from './money.ts';
import { callingAgain, newPerson, openSignedIn, withPlan, type Person } from './people.ts';

const dayMinutes = 24 * 60;

/** Moves to the day of a ride: the car is at the passenger's pick-up. Both with sessions of that day. */
async function dayOf(
  { dora, pat }: { dora: Person; pat: Person },
  { rideId, requestId }: { rideId: string; requestId: string },
): Promise<[driving: Person, riding: Person]> {
  const { order } = await dora.get<{ order: { departsAt: string } }>(`/order/detail?id=${rideId}`);
  await moveClock(order.departsAt, -10);
  const [driving, riding] = [await callingAgain(dora), await callingAgain(pat)];
  await expect.poll(async () => (await bookingOf(riding, requestId)).state).toBe('waiting');
  const reason = 'I stand here.';
  await driving.post('/order/reach', { id: rideId, reason });
  await moveClock(order.departsAt);
  await driving.post('/order/depart', { id: rideId });
  const { id: bookingId, pickup } = await bookingOf(riding, requestId);
  await driving.post('/order/reach', { id: rideId, bookingId, at: { lon: pickup.lon, lat: pickup.lat } });
  return [driving, riding];
}

/** The plan as the driver has begun it; the way by clicks is another journey's story. */
async function beginPlan(dora: Person, departsAt: string): Promise<void> {
  const local = new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'America/Los_Angeles',
    dateStyle: 'short',
    timeStyle: 'short',
  })
    .format(new Date(departsAt))
    .replace(' ', 'T');
  await withPlan(dora.context, 'driver', {
    from: { name: 'Mission Street', detail: 'Santa Cruz', lon: -122.0408, lat: 36.9689 },
    to: { name: 'Aptos Village', detail: 'Aptos', lon: -121.9027, lat: 36.9772 },
    local,
    price: 'perPerson',
    costCents: 12_00,
  });
}

async function publishOnceVerified(driver: Page): Promise<void> {
  await driver.goto('/pages/order/confirm');
  await expect(
    driver.getByText(
      'A connected payment account must be verified to accept in-app payments; otherwise the cost must be set to zero.',
    ),
  ).toBeVisible();
  await driver.getByRole('link', { name: 'Set up payments' }).click();
  await driver.getByRole('button', { name: 'Set up payments' }).click();
  await driver.getByRole('button', { name: 'Verified: can be paid' }).click();
  await expect(driver.getByRole('heading', { name: 'You’re ready to get paid' })).toBeVisible();
  await driver.getByRole('link', { name: 'Back to your ride' }).click();
  await expect(driver.getByText('You earn $10.15–$10.35 per person after fees.')).toBeVisible();
  await driver.getByRole('button', { name: 'Review your ride' }).click();
  await driver.getByRole('button', { name: 'Publish this ride' }).click();
  await driver.waitForURL(/\/pages\/order\/match/);
}

test('a paid ride from planning to receipt: account, price after fees, card, the bank’s question, ride, receipt', async ({
  browser,
}) => {
  const dora = await newPerson(browser, 'Dora');
  const pat = await newPerson(browser, 'Pat');
  const [driver, passenger] = [dora.page, pat.page];
  await giveVehicle(dora);
  await beginPlan(dora, await inMinutes(dayMinutes));

  await test.step('a price needs a verified account; the plan is kept while it is set up', () =>
    publishOnceVerified(driver));

  const request = await requestRide(pat, dayMinutes);
  await test.step('the passenger asks; the hold is explained; accepted without a card, a reminder goes out', async () => {
    await passenger.goto(`/pages/order/match?id=${request.id}`);
    const card = passenger.getByRole('listitem').filter({ hasText: dora.name });
    await card.getByRole('button', { name: 'Request a seat' }).click();
    await expect(passenger.getByRole('dialog')).toContainText('A temporary hold, not a charge');
    await passenger.getByRole('dialog').getByRole('button', { name: 'Request a seat' }).click();
    await expect(passenger.getByText(`Request sent to ${dora.name}`)).toBeVisible();
    const { rideId } = await bookingOf(pat, request.id);
    await driver.goto(`/pages/order/detail?id=${rideId}`);
    await driver.getByRole('button', { name: 'Accept' }).click();
    await expect(
      driver
        .getByText(
          'Payment method not ready: the passenger has not submitted a payment method, and a reminder was sent.',
        )
        .first(),
    ).toBeVisible();
    await expect(driver.getByText(/Last reminder: by email, /)).toBeVisible();
  });

  await test.step('the passenger adds a card, confirms with the bank twice, and the hold stands', async () => {
    await passenger.goto(`/pages/order/detail?id=${request.id}`);
    await passenger.getByRole('button', { name: 'Add a card' }).click();
    await typeCard(passenger, testCards.asksAlways);
    await passenger.getByRole('button', { name: 'Yes, confirm' }).click();
    await passenger.getByRole('button', { name: 'Confirm with your bank' }).click();
    await passenger.getByRole('button', { name: 'Yes, confirm' }).click();
    await expect(passenger.getByText('Held, not charged', { exact: true })).toBeVisible();
    await expect(passenger.getByText('Joined', { exact: true }).first()).toBeVisible();
    await expect(driver.getByText('$12.00 is on hold on the rider’s card.')).toBeVisible();
  });

  await test.step('the ride is driven; the share is taken, and both read what it came to', async () => {
    const { id: bookingId, rideId } = await bookingOf(pat, request.id);
    const [driving, riding] = await dayOf({ dora, pat }, { rideId, requestId: request.id });
    await driving.post('/order/pickup', { bookingId });
    await riding.post('/order/confirm-meeting', { bookingId });
    await driving.post('/order/arrive', { id: rideId, bookingId });
    await driving.post('/order/arrive', { id: rideId });
    await expect(passenger.getByText('We charged $12.00 to your card.')).toBeVisible();

    await passenger.getByRole('link', { name: 'Receipt' }).click();
    const receipt = passenger.getByRole('article');
    await expect(receipt).toContainText('Visa •••• 3184');
    await expect(receipt).toContainText('$12.00');
    await expect(receipt).toContainText('TEST MONEY');
    await passenger.emulateMedia({ media: 'print' });
    await expect(receipt).toBeVisible();
    await expect(passenger.getByRole('button', { name: 'Print or save as PDF' })).toBeHidden();

    await driver.goto('/pages/account/payments?view=earn');
    await expect(driver.getByRole('list', { name: 'Earnings' })).toContainText('$10.15');
  });
});

test('a declined card is repaired: the reason in words, another card, and the seat is kept meanwhile', async ({
  browser,
}) => {
  const [dora, pat] = [await newPerson(browser, 'Dora'), await newPerson(browser, 'Pat')];
  await giveCard(pat, testCards.refusedLater);
  const { request } = await agreedRide({ driver: dora, passenger: pat }, dayMinutes);
  const { page } = pat;
  await page.goto(`/pages/order/detail?id=${request.id}`);
  await expect(page.getByText('Payment failed, please try again.').first()).toBeVisible();
  await expect(page.getByText(/left to pay/)).toBeVisible();
  await page.getByRole('button', { name: 'Use another card' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Add another card' }).click();
  await typeCard(page, testCards.good);
  await expect(page.getByText('Held, not charged', { exact: true })).toBeVisible();
  await expect(page.getByText('Joined', { exact: true }).first()).toBeVisible();
  expect(new URL(page.url()).search).toBe(`?id=${request.id}`);
});

test('cancelling late costs half, said before; not coming costs all, objected to, answered, and decided', async ({
  browser,
}) => {
  const [dora, pat] = [await newPerson(browser, 'Dora'), await newPerson(browser, 'Pat')];

  await test.step('20 hours ahead: half of the share', async () => {
    await giveCard(pat);
    const { request } = await agreedRide({ driver: dora, passenger: pat }, 20 * 60);
    await expectJoined(pat, request.id);
    await moveClock(await inMinutes(60));
    const { page } = pat;
    await page.goto(`/pages/order/detail?id=${request.id}`);
    await page.getByRole('button', { name: 'Cancel my seat' }).click();
    const dialog = page.getByRole('alertdialog');
    await expect(dialog).toContainText('Canceling now costs $6.00, 50% of your $12.00 share.');
    await dialog.getByRole('button', { name: 'Cancel and pay $6.00' }).click();
    await expect(page.getByText('Seat canceled')).toBeVisible();
    await expect(page.getByText('We charged $6.00 to your card.')).toBeVisible();
    await expect(page.getByText('Cancellation fee')).toBeVisible();
  });

  await test.step('nobody at the pick-up: the driver marks a no-show and reads what it costs', async () => {
    const [driving, lee] = [await callingAgain(dora), await newPerson(browser, 'Lee')];
    await giveCard(lee);
    const { ride, request } = await agreedRide({ driver: driving, passenger: lee }, 2 * dayMinutes);
    await expectJoined(lee, request.id);
    const [, waiting] = await dayOf({ dora: driving, pat: lee }, { rideId: ride.id, requestId: request.id });
    await moveClock((await bookingOf(waiting, request.id)).noShowFrom!, 1);
    await dora.page.goto(`/pages/order/ride?id=${ride.id}`);
    await expect(dora.page.getByRole('button', { name: 'Lee didn’t show up' })).toBeDisabled();
    await expect(dora.page.getByText('Call or message Lee first.')).toBeVisible();
    await dora.page.getByRole('link', { name: 'Chat with Lee' }).click();
    await expect.poll(async () => (await bookingOf(waiting, request.id)).contacted).toBe(true);
    await dora.page.goto(`/pages/order/ride?id=${ride.id}`);
    await dora.page.getByRole('button', { name: 'Lee didn’t show up' }).click();
    const dialog = dora.page.getByRole('alertdialog');
    await expect(dialog).toContainText('We’ll charge Lee 100% of their share');
    await dialog.getByRole('button', { name: 'Mark as a no-show' }).click();
    await expect.poll(async () => (await bookingOf(waiting, request.id)).state).toBe('missed');

    await lee.page.goto(`/pages/order/detail?id=${request.id}`);
    await expect(lee.page.getByText('No-show fee')).toBeVisible();
    await lee.page.getByRole('button', { name: 'Dispute this payment' }).click();
    await lee.page.getByLabel('What happened?').fill('I stood at the corner the whole time.');
    await lee.page.getByRole('button', { name: 'Send dispute' }).click();
    await expect(lee.page.getByText('Waiting for the driver')).toBeVisible();

    await dora.page.goto(`/pages/order/detail?id=${ride.id}`);
    await dora.page.getByRole('button', { name: 'Tell your side' }).click();
    await dora.page.getByLabel('What happened?').fill('I waited ten minutes and called twice.');
    await dora.page.getByRole('button', { name: 'Send reply' }).click();
    await expect(dora.page.getByText('In review')).toBeVisible();

    const ada = await openSignedIn(browser, { ...(await adminSession()), name: 'Ada' });
    await ada.page.goto('/pages/admin/admin?view=disputes');
    const dispute = ada.page.getByRole('listitem').filter({ hasText: lee.name });
    await expect(dispute).toContainText('I waited ten minutes and called twice.');
    await dispute.getByRole('button', { name: 'Decide' }).click();
    await ada.page.getByRole('textbox', { name: 'Refund to passenger' }).fill('7.50');
    await ada.page
      .getByRole('textbox', { name: 'Reason' })
      .fill('Both were there; the corner was not clear.');
    await ada.page.getByRole('button', { name: 'Refund $7.50 and close' }).click();
    await expect(ada.page.getByText('Dispute decided')).toBeVisible();

    await expect(lee.page.getByText('You get $7.50 back.')).toBeVisible();
    await expect(lee.page.getByText('The corner', { exact: false }).first()).toBeVisible();
  });
});

test('a car that breaks down: what follows is read first, what was ridden is paid, an admin settles it', async ({
  browser,
}) => {
  const [dora, lee] = [await newPerson(browser, 'Dora'), await newPerson(browser, 'Lee')];
  await giveCard(lee);
  const { ride, request, bookingId } = await agreedRide({ driver: dora, passenger: lee }, 40);
  const [driving, riding] = await dayOf({ dora, pat: lee }, { rideId: ride.id, requestId: request.id });
  await driving.post('/order/pickup', { bookingId });
  await riding.post('/order/confirm-meeting', { bookingId });
  await driving.post('/order/location', { id: ride.id, lon: -121.9566, lat: 36.988 });

  await dora.page.goto(`/pages/order/ride?id=${ride.id}`);
  await dora.page.getByRole('button', { name: 'I can’t continue' }).click();
  const dialog = dora.page.getByRole('alertdialog');
  // How far it is by road is the map's to say; what is paid for it is its part of the price.
  await expect(dialog).toContainText(/rode [\d.]+ mi of [\d.]+ mi and pays/);
  const [, ridden = '', whole = '', pays = ''] =
    /rode ([\d.]+) mi of ([\d.]+) mi and pays \$([\d.]+) of \$12\.00/.exec(
      (await dialog.textContent()) ?? '',
    )!;
  expect(Math.abs(Number(pays) / 12 - Number(ridden) / Number(whole))).toBeLessThan(0.02);
  await dialog.getByRole('button', { name: 'End the ride here' }).click();
  await expect(dialog).toContainText('Please select a reason.');
  await dialog.getByRole('radio', { name: /The car broke down/ }).check();
  await dialog.getByRole('button', { name: 'End the ride here' }).click();
  await expect(dora.page.getByRole('heading', { name: 'The ride ended early' })).toBeVisible();
  await expect(dora.page.getByText(`${ridden} mi of ${whole} mi`)).toBeVisible();
  await expect(dora.page.getByRole('listitem').filter({ hasText: `Pick up ${lee.name}` })).toContainText(
    'Done',
  );
  await lee.page.goto(`/pages/order/detail?id=${request.id}`);
  await expect(lee.page.getByText('You pay only for the distance you rode.')).toBeVisible();
  await expect(lee.page.getByText('You pay nothing')).toBeHidden();

  const ada = await openSignedIn(browser, { ...(await adminSession()), name: 'Ada' });
  await ada.page.goto('/pages/admin/admin?view=broken');
  const shown = ada.page.getByRole('listitem').filter({ hasText: dora.name });
  await shown.getByRole('button', { name: 'Settle' }).click();
  await ada.page.getByRole('textbox', { name: 'Amount' }).fill('7.50');
  await ada.page.getByLabel('Reason (both sides see it)').fill('The street was closed.');
  // Her sign-in is too long ago for money: she confirms that it is her, and the same decision goes out.
  await moveClock(await inMinutes(11));
  await ada.page.getByRole('button', { name: 'Settle at $7.50' }).click();
  const proof = ada.page.getByRole('dialog', { name: 'Confirm it’s you' });
  await proof.getByLabel('Password', { exact: true }).fill(demoPassword);
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await expect(shown).toContainText('Settled: $7.50');

  await lee.page.goto(`/pages/order/detail?id=${request.id}`);
  await expect(lee.page.getByText('We charged $7.50 to your card.')).toBeVisible();
  await expect(lee.page.getByText('Our team: “The street was closed.”')).toBeVisible();
  await lee.page.goto(`/pages/account/payments?receipt=${bookingId}`);
  await expect(lee.page.getByText(`${ridden} mi of ${whole} mi`)).toBeVisible();
});
