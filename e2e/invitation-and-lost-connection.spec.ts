import { expect } from '@playwright/test';
import { test } from './journey.ts';
import { newPerson, tomorrow, type Person } from './people.ts';

const place = (name: string, lon: number, lat: number) => ({ name, detail: 'Santa Cruz', lon, lat });
const common = { note: '', contactWith: 'chat', visibility: 'all users' };

interface Pair {
  driver: Person;
  passenger: Person;
}

async function invite({ driver, passenger }: Pair, rideId: string, requestId: string): Promise<void> {
  await passenger.page.goto(`/pages/order/detail?id=${requestId}`);
  await expect(passenger.page.getByText('Matching', { exact: true })).toBeVisible();
  await driver.page.goto(`/pages/order/match?id=${rideId}`);
  const card = driver.page.getByRole('listitem').filter({ hasText: passenger.name });
  await card.getByRole('button', { name: 'Invite' }).click();
  await driver.page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
  await expect(card.getByText('Inviting')).toBeVisible();
  await passenger.page.getByRole('button', { name: 'Accept', exact: true }).click();
  await expect(passenger.page.getByText('Joined', { exact: true }).first()).toBeVisible();
  // How the driver has asked to be contacted.
  const { email } = await driver.get<{ email: string }>('/user/profile');
  const write = passenger.page.getByRole('link', { name: `Email ${driver.name}` });
  await expect(write).toHaveAttribute('href', `mailto:${email}`);
}

async function writeWithoutConnection({ driver, passenger }: Pair, rideId: string): Promise<void> {
  const room = `/pages/chat/message?roomid=${rideId}`;
  await driver.page.goto(room);
  await passenger.page.goto(room);
  const say = async (page: typeof driver.page, words: string) => {
    await page.getByLabel('Write a message').fill(words);
    await page.getByRole('button', { name: 'Send' }).click();
  };
  await say(driver.page, 'one');
  await expect(passenger.page.getByText('one', { exact: true })).toBeVisible();
  await passenger.context.setOffline(true);
  await say(driver.page, 'two');
  await say(passenger.page, 'three');
  await say(passenger.page, 'four');
  await expect(passenger.page.getByText('two', { exact: true })).toBeHidden();
  await passenger.context.setOffline(false);
  for (const { page } of [driver, passenger]) {
    for (const words of ['one', 'two', 'three', 'four']) {
      // Readers of the screen hear who speaks before the words.
      const line = page.getByRole('log').getByText(new RegExp(`\\b${words}$`));
      await expect(line).toHaveCount(1, { timeout: 45_000 });
    }
  }
  const { messages } = await driver.get<{ messages: { kind: string; text: string }[] }>(
    `/im/msg-list?roomid=${rideId}&offset=0&size=50`,
  );
  const texts = messages.filter(({ kind }) => kind === 'text').map(({ text }) => text);
  expect(texts.toReversed()).toEqual(['one', 'two', 'three', 'four']);
}

test('a driver invites a waiting passenger, and a lost connection neither loses nor doubles a message', async ({
  browser,
}) => {
  const [driver, passenger] = [await newPerson(browser, 'Ines'), await newPerson(browser, 'Ravi')];
  const ride = await driver.post<{ id: string }>('/order/create', {
    order: {
      role: 'driver',
      ...common,
      contactWith: 'email',
      from: place('Mission Street', -122.0408, 36.9689),
      to: place('Aptos Village', -121.9027, 36.9772),
      departsAt: await tomorrow(),
      seats: 2,
      vehicleId: null,
      priceKind: 'perPerson',
      costCents: 0,
      maxDetourMinutes: 25,
    },
  });
  const request = await passenger.post<{ id: string }>('/order/create', {
    order: {
      role: 'passenger',
      ...common,
      from: place('Pacific Avenue', -122.0263, 36.9741),
      to: place('Capitola', -121.9533, 36.9722),
      earliestAt: await tomorrow(-20),
      latestAt: await tomorrow(40),
      seats: 1,
      offerCents: null,
    },
  });

  await test.step('the invitation arrives without a reload and is accepted', () =>
    invite({ driver, passenger }, ride.id, request.id));

  await test.step('what is written while the connection is away arrives once, in order, on both sides', () =>
    writeWithoutConnection({ driver, passenger }, ride.id));
});
