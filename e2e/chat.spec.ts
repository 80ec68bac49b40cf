import { expect, type Page, type WebSocketRoute } from '@playwright/test';
import sharp from 'sharp';
import { test } from './journey.ts';
import { newPerson, tomorrow, type Person } from './people.ts';

const place = (name: string, lon: number, lat: number) => ({ name, detail: 'Santa Cruz', lon, lat });
const common = { note: '', contactWith: 'chat', visibility: 'all users' };

const say = async ({ page }: Person, words: string) => {
  await page.getByLabel('Write a message').fill(words);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
};
/** Readers of the screen hear who speaks before the words. */
const line = (page: Page, words: string) => page.getByRole('log').getByText(new RegExp(`\\b${words}$`));

interface Pair {
  driver: Person;
  passenger: Person;
}

/** A ride that the passenger has asked to join. */
async function askedRide(driver: Person, passenger: Person): Promise<{ rideId: string; bookingId: string }> {
  const ride = await driver.post<{ id: string }>('/order/create', {
    order: {
      role: 'driver',
      ...common,
      from: place('Mission Street', -122.0408, 36.9689),
      to: place('Aptos Village', -121.9027, 36.9772),
      departsAt: await tomorrow(90),
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
      earliestAt: await tomorrow(70),
      latestAt: await tomorrow(130),
      seats: 1,
      offerCents: null,
    },
  });
  const asked = await passenger.post<{ order: { bookings: { id: string }[] } }>('/order/request', {
    rideId: ride.id,
    requestId: request.id,
    message: 'Room for a surfboard?',
  });
  return { rideId: ride.id, bookingId: asked.order.bookings[0]!.id };
}

async function talkInTheThread(
  { driver, passenger }: Pair,
  rideId: string,
  bookingId: string,
): Promise<void> {
  await driver.page.goto(`/pages/order/detail?id=${rideId}`);
  await driver.page.getByRole('link', { name: /^Chat with Omar/ }).click();
  await expect(driver.page.getByRole('log').getByText('Room for a surfboard?')).toBeVisible();
  await passenger.page.goto('/pages/chat/chat');
  await passenger.page.getByRole('link', { name: new RegExp(driver.name) }).click();
  await expect(passenger.page.getByRole('log').getByText('Room for a surfboard?')).toBeVisible();
  await driver.page.getByLabel('Write a message').pressSequentially('Up to seven', { delay: 30 });
  await expect(passenger.page.getByText(`${driver.name} is typing…`)).toBeVisible();
  await driver.page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(line(passenger.page, 'Up to seven')).toBeVisible();
  await expect(driver.page.getByText('Read', { exact: true })).toBeVisible();
  await passenger.page.getByRole('button', { name: 'Thank you!' }).click();
  await expect(driver.page.getByRole('log').getByText('Thank you!')).toBeVisible();
  await driver.post('/order/accept', { bookingId });
  await passenger.page.getByRole('link', { name: 'Open the ride’s chat' }).click();
  await driver.page.goto(`/pages/chat/message?roomid=${rideId}`);
  await say(driver, 'one');
  await expect(line(passenger.page, 'one')).toBeVisible();
}

/** Cuts a person's connection: calls about chats fail, the live connection ends, and none can be made. */
type Tunnel = (isInside: boolean) => Promise<void>;

/** To be made before the person opens a page. */
async function tunnelFor({ context }: Person): Promise<Tunnel> {
  const calls = /\/(im|upload)\//;
  const open = new Set<WebSocketRoute>();
  let isCut = false;
  await context.routeWebSocket(/\/live/, async (socket) => {
    if (isCut) return socket.close();
    socket.connectToServer();
    open.add(socket);
  });
  return async (isInside) => {
    isCut = isInside;
    if (!isInside) return context.unroute(calls);
    await context.route(calls, (route) => route.abort());
    for (const socket of open) await socket.close();
    open.clear();
  };
}

async function writeWithoutConnection(
  { driver, passenger }: Pair,
  rideId: string,
  tunnels: readonly Tunnel[],
): Promise<void> {
  // The app is there, the server is not: as in a tunnel.
  for (const tunnel of tunnels) await tunnel(true);
  await say(driver, 'two');
  await say(driver, 'three');
  await say(passenger, 'four');
  await say(passenger, 'five');
  await expect(passenger.page.getByText('Waiting for a connection')).toHaveCount(2);
  await expect(line(passenger.page, 'two')).toHaveCount(0);
  await passenger.page.reload();
  for (const tunnel of tunnels) await tunnel(false);
  for (const { page } of [driver, passenger])
    for (const words of ['one', 'two', 'three', 'four', 'five'])
      await expect(line(page, words)).toHaveCount(1, { timeout: 45_000 });
  await expect(passenger.page.getByText('Waiting for a connection')).toHaveCount(0);
  const { messages } = await driver.get<{ messages: { kind: string; text: string }[] }>(
    `/im/msg-list?roomid=${rideId}&offset=0&size=50`,
  );
  const texts = messages.flatMap(({ kind, text }) => (kind === 'text' ? [text] : [])).toReversed();
  expect(texts).toHaveLength(5);
  expect(texts.filter((text) => ['two', 'three'].includes(text))).toEqual(['two', 'three']);
  expect(texts.filter((text) => ['four', 'five'].includes(text))).toEqual(['four', 'five']);
}

async function sharePhotoAndPlace({ driver, passenger }: Pair): Promise<void> {
  const photo = await sharp({ create: { width: 1800, height: 1200, channels: 3, background: '#3f7f5f' } })
    .jpeg()
    .toBuffer();
  await driver.page
    .getByLabel('Photo', { exact: true })
    .setInputFiles({ name: 'car.jpg', mimeType: 'image/jpeg', buffer: photo });
  const shown = passenger.page.getByRole('img', { name: `Photo from ${driver.name}` });
  await expect(shown).toBeVisible();
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1600);
  await expect(driver.page.getByText('Read', { exact: true })).toBeVisible();

  await passenger.page.getByRole('button', { name: 'Share a photo or place' }).click();
  await passenger.page.getByRole('button', { name: 'Place', exact: true }).click();
  await passenger.page.getByLabel('Street, place or airport').fill('Pacific Avenue');
  await passenger.page
    .getByRole('option', { name: /Pacific Avenue/ })
    .first()
    .click();
  await driver.page
    .getByRole('log')
    .getByRole('button', { name: /Pacific Avenue/ })
    .click();
  const sheet = driver.page.getByRole('dialog');
  await expect(sheet.getByRole('button', { name: 'Copy address' })).toBeVisible();
  await sheet.getByRole('button', { name: 'Report message' }).click();
  const report = driver.page.getByRole('dialog', { name: `Report ${passenger.name}` });
  await expect(report.getByRole('figure')).toContainText('Pacific Avenue');
}

test('two people talk before and after joining: through a lost connection and a reload, with a photo, a place and read marks', async ({
  browser,
}) => {
  const [driver, passenger] = [await newPerson(browser, 'Nina'), await newPerson(browser, 'Omar')];
  const tunnels = [await tunnelFor(driver), await tunnelFor(passenger)];
  const { rideId, bookingId } = await askedRide(driver, passenger);

  await test.step('before joining the two have a thread of their own', () =>
    talkInTheThread({ driver, passenger }, rideId, bookingId));

  await test.step('what both write without a connection arrives once, in order, though the page is loaded again', () =>
    writeWithoutConnection({ driver, passenger }, rideId, tunnels));

  await test.step('a photo and a place are seen by the other, who has read them', () =>
    sharePhotoAndPlace({ driver, passenger }));
});
