import { expect, type Browser, type Page } from '@playwright/test';
import { test } from './journey.ts';
import { giveCard, verify } from './money.ts';
import { fillWhen } from './orders.ts';
import { callsOf, get, serverUrl } from './people.ts';

// Their own names, so that the journey finds its people among the demo community and on a server that has
// seen it before.
const run = Date.now().toString(36).slice(-5);
const dora = { name: `Dora ${run}`, email: `dora.${run}@example.com` };
const pat = { name: `Pat ${run}`, email: `pat.${run}@example.com` };

async function open(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ baseURL: serverUrl() });
  await context.addInitScript(() => localStorage.setItem('sameway.introSeen', 'true'));
  return context.newPage();
}

/** Signs up as a new person does: email, the code from the demo inbox, the first name. */
async function signUp(page: Page, { name, email }: typeof dora): Promise<void> {
  await page.goto('/pages/auth/auth');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Enter the code' })).toBeVisible();
  await page.getByLabel('6-digit code').fill(await readCode(page, email));
  await expect(page.getByRole('heading', { name: 'What should we call you?' })).toBeVisible();
  await page.getByLabel('First name').fill(name);
  await page.getByRole('button', { name: 'Save and continue' }).click();
  await page.waitForURL((at) => at.pathname === '/');
}

async function readCode(page: Page, email: string): Promise<string> {
  const outbox = await page.context().newPage();
  await outbox.goto('/pages/demo/outbox');
  const message = outbox
    .locator('article, section, li, div')
    .filter({ hasText: `To ${email}` })
    .last();
  await expect(message).toBeVisible();
  const code = /\b(\d{6})\b/.exec(await outbox.locator('main, body').first().innerText());
  await outbox.close();
  return code![1]!;
}

/** Chooses where a trip begins; the app then asks where it leads. */
async function choosePlaces(
  page: Page,
  ends: { from: [text: string, result: RegExp]; to: [text: string, result: RegExp] },
): Promise<void> {
  await page.getByRole('button', { name: /^From/ }).first().click();
  for (const [heading, [text, result]] of [
    ['Where from?', ends.from],
    ['Where to?', ends.to],
  ] as const) {
    await expect(page.getByRole('heading', { name: heading })).toBeVisible();
    await page.getByLabel('Street, place or airport').fill(text);
    await page.getByRole('option', { name: result }).first().click();
  }
  await expect(page.getByRole('button', { name: /^From/ }).first()).toContainText(ends.from[1]);
  await expect(page.getByRole('button', { name: /^To/ }).first()).toContainText(ends.to[1]);
}

/** A time of tomorrow by the server's clock, as the date-time field takes it. */
async function tomorrowAt(time: string): Promise<string> {
  const config = await get<{ now: string }>('/app/config');
  const tomorrow = new Date(Date.parse(config.now) + 24 * 3_600_000);
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles' }).format(tomorrow);
  return `${day}T${time}`;
}

/** The agreed departure of the person's next ride. */
async function departureOf(page: Page): Promise<string> {
  const calls = await callsOf(page);
  return (await calls.get<{ order: { departsAt: string } }>('/order/next?role=driver')).order.departsAt;
}

/** A driver whose phone does not say where it is says it by hand, and why. */
async function sayThere(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'I’m here, my location is off' }).click();
}

async function moveClock(to: string): Promise<void> {
  const answer = await fetch(`${serverUrl()}/demo/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ to }),
  });
  expect(await answer.json()).toMatchObject({ code: 200 });
}

async function signUpBoth(driver: Page, passenger: Page): Promise<void> {
  await signUp(driver, dora);
  await signUp(passenger, pat);
  await passenger.reload();
  await passenger.goto('/pages/account/account');
  await expect(passenger.getByText(pat.name)).toBeVisible();
  await passenger.getByRole('link', { name: 'Settings', exact: true }).click();
  await passenger.getByRole('button', { name: 'Sign out' }).click();
  await passenger.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
  const signedIn = () =>
    passenger.evaluate(() => localStorage.getItem('sameway.session')?.includes('"authed":true'));
  await expect.poll(signedIn).not.toBe(true);
  await passenger.goto('/pages/account/account');
  await expect(passenger.getByText('You’re browsing as a guest')).toBeVisible();
  await passenger.goto('/pages/login/login');
  // There is no password yet: a code comes by email, and sets one.
  await passenger.getByLabel('Email or phone number').fill(pat.email);
  await passenger.getByRole('button', { name: 'Forgot your password?' }).click();
  await passenger.getByRole('button', { name: 'Send me the code' }).click();
  await expect(passenger.getByLabel('6-digit code')).toBeVisible();
  await passenger.getByLabel('6-digit code').fill(await readCode(passenger, pat.email));
  await passenger.getByLabel('New password', { exact: true }).fill('a long way together');
  await passenger.getByRole('button', { name: 'Save new password' }).click();
  await passenger.waitForURL((at) => at.pathname !== '/pages/login/login');
  await passenger.goto('/pages/account/account');
  await expect(passenger.getByText(pat.name)).toBeVisible();
}

async function publishRide(driver: Page, passenger: Page): Promise<void> {
  await driver.goto('/pages/car/car');
  await driver.getByRole('link', { name: 'Add a vehicle' }).click();
  await driver.getByLabel('License plate').fill('8abc123');
  await driver.getByRole('button', { name: /Brand/ }).click();
  await driver.getByText('Toyota', { exact: true }).click();
  await driver.getByText('Prius', { exact: true }).click();
  await driver.getByLabel('Type').selectOption({ label: 'Hatchback' });
  await driver.getByLabel('Year').fill('2021');
  await driver.getByRole('radio', { name: 'Blue' }).click();
  await driver.getByRole('button', { name: 'Save vehicle' }).click();
  await expect(driver.getByText(/8ABC123/)).toBeVisible();

  // How money is set up and moves is another journey's story.
  await verify(await callsOf(driver));
  await giveCard(await callsOf(passenger));
  await driver.goto('/');
  await choosePlaces(driver, { from: ['Mission Street', /Mission St/], to: ['Aptos', /Aptos/] });
  await fillWhen(driver, 'Departure', await tomorrowAt('08:30'));
  await expect(driver.getByText(/\d+ mi/).first()).toBeVisible();
  await driver.getByRole('link', { name: 'Offer this ride' }).click();
  await driver.getByRole('radio', { name: 'Per person' }).click();
  await driver.getByLabel('Price per person').fill('6.50');
  await driver.getByRole('button', { name: 'Review your ride' }).click();
  await driver.getByRole('button', { name: 'Publish this ride' }).click();
  await driver.waitForURL(/\/pages\/order\/match/);
  await driver.getByRole('link', { name: /^Your ride/ }).click();
  await expect(driver.getByRole('heading', { name: 'Ride Detail' })).toBeVisible();
  await expect(driver.getByText('Matching', { exact: true })).toBeVisible();
}

async function askToJoin(passenger: Page): Promise<void> {
  await passenger.goto('/pages/passenger/passenger');
  await choosePlaces(passenger, { from: ['Pacific Avenue', /Pacific Ave/], to: ['Capitola', /Capitola/] });
  await fillWhen(passenger, 'Leave around', await tomorrowAt('08:40'));
  await passenger.getByRole('link', { name: 'Post a request' }).click();
  await passenger.getByRole('button', { name: 'Review your request' }).click();
  await passenger.getByRole('button', { name: 'Publish this request' }).click();
  const card = passenger.getByRole('listitem').filter({ hasText: dora.name });
  await expect(card).toContainText('$6.50');
  await expect(card).toContainText(/detour/);
  await card.getByRole('link', { name: 'Show on map' }).click();
  await expect(passenger.getByRole('heading', { name: 'Match map' })).toBeAttached();
  await expect(passenger.getByRole('button', { name: 'Request a seat' })).toBeVisible();
  await passenger.getByRole('button', { name: 'Request a seat' }).click();
  await passenger.getByRole('dialog').getByLabel('Message').fill('I stand at the corner');
  await passenger.getByRole('dialog').getByRole('button', { name: 'Request a seat' }).click();
  await expect(passenger.getByText(`Request sent to ${dora.name}`)).toBeVisible();
}

async function chat(driver: Page, passenger: Page): Promise<void> {
  await passenger.getByRole('link', { name: /^Chat/ }).first().click();
  await driver.getByRole('link', { name: /^Chat/ }).first().click();
  await passenger.getByLabel('Write a message').fill('Hello Dora, see you <b>tomorrow</b>');
  await passenger.getByRole('button', { name: 'Send' }).click();
  await expect(driver.getByText('Hello Dora, see you <b>tomorrow</b>')).toBeVisible();
  await driver.getByLabel('Write a message').fill('See you at the corner');
  await driver.getByRole('button', { name: 'Send' }).click();
  await expect(passenger.getByText('See you at the corner')).toBeVisible();
  await expect(passenger.getByText(`${pat.name} joined the ride`)).toBeVisible();
}

async function rideTogether(driver: Page, passenger: Page): Promise<void> {
  await moveClock(new Date(Date.parse(await departureOf(driver)) - 10 * 60_000).toISOString());
  await driver.goto('/');
  await driver.getByRole('link', { name: 'Open your current ride' }).click();
  await passenger.goto('/pages/passenger/passenger');
  await passenger.getByRole('link', { name: 'Follow your ride' }).click();
  // No passenger boards at the start: nothing is asked there.
  await driver.getByRole('button', { name: 'I’m at the starting point' }).click();
  await moveClock(await departureOf(driver));
  await driver.getByRole('button', { name: 'Depart' }).click();
  await expect(passenger.getByText('Dora is on the way to you')).toBeVisible();
  await sayThere(driver, 'I’m here');
  await expect(passenger.getByText('Dora is here')).toBeVisible();
  await driver.getByRole('button', { name: 'Pat got in without a PIN' }).click();
  await passenger.getByRole('button', { name: 'I’m in the car' }).click();
  await expect(passenger.getByText('You’re on board')).toBeVisible();
  await driver
    .getByRole('button', { name: 'End ride' })
    .or(driver.getByRole('button', { name: 'Drop off' }))
    .first()
    .click();
  await driver.getByRole('button', { name: 'End ride' }).click();
  await expect(passenger.getByText('How was it with Dora?')).toBeVisible();
}

async function review(driver: Page, passenger: Page): Promise<void> {
  await passenger.getByRole('link', { name: /^Review Dora/ }).click();
  await passenger.getByRole('radio', { name: /^5/ }).click();
  await passenger.getByRole('button', { name: 'Send review' }).click();
  await driver.getByRole('link', { name: /^Review Pat/ }).click();
  await driver.getByRole('radio', { name: /^4/ }).click();
  await driver.getByRole('button', { name: 'Send review' }).click();
  await expect(driver.getByText('Thanks! Both reviews are now public.')).toBeVisible();
  await driver.goto('/pages/order/order');
  await driver.getByRole('tab', { name: /^Completed/ }).click();
  await driver.getByRole('link', { name: /Mission Street/ }).click();
  await expect(driver.getByText('Finished', { exact: true }).first()).toBeVisible();
  await expect(driver.getByText(`${pat.name} is on board`)).toBeVisible();
  await expect(driver.getByText('Ride completed')).toBeVisible();
  // Its chat can be read, and nothing more be written.
  await driver.goto(`/pages/chat/message?roomid=${new URL(driver.url()).searchParams.get('id')!}`);
  await expect(driver.getByText('See you at the corner')).toBeVisible();
  await expect(driver.getByText('The ride has ended, no more messages can be sent.')).toBeVisible();
  await expect(driver.getByLabel('Write a message')).toHaveCount(0);
}

test('two people sign up, find each other, ride together and review each other', async ({ browser }) => {
  const [driver, passenger] = [await open(browser), await open(browser)];

  await test.step('1. sign up, in and out; the session survives a reload', () =>
    signUpBoth(driver, passenger));

  await test.step('2. the driver adds a vehicle and publishes a ride', () => publishRide(driver, passenger));

  await test.step('3. the passenger sees the ride with its detour, price and map, and asks to join', () =>
    askToJoin(passenger));

  await test.step('4. the driver sees the ask without a reload and accepts', async () => {
    await expect(driver.getByText('I stand at the corner', { exact: true })).toBeVisible();
    await driver.getByRole('button', { name: 'Accept Pat' }).click();
    await expect(driver.getByText('Joined', { exact: true }).first()).toBeVisible();
    await passenger.goto('/pages/order/order');
    await passenger.getByRole('tab', { name: /^Joined/ }).click();
    await passenger.getByRole('link', { name: /Pacific Avenue/ }).click();
    await expect(passenger.getByText('Joined', { exact: true }).first()).toBeVisible();
  });

  await test.step('5. both chat, live', () => chat(driver, passenger));

  await test.step('6. the day of the ride', () => rideTogether(driver, passenger));

  await test.step('7. both review each other, and the ride stands under Completed with its timeline', () =>
    review(driver, passenger));
});
