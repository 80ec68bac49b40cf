import { expect, type Page } from '@playwright/test';
import { test } from './journey.ts';
import { newPerson, tomorrow, withPlan, type Person } from './people.ts';

const place = (name: string, lon: number, lat: number) => ({ name, detail: 'Santa Cruz', lon, lat });
const home = place('Pacific Avenue', -122.0263, 36.9741);
const minuteMs = 60_000;

/** Opens the event and answers the place that its organizer proposes. */
async function accept(person: Person, id: string, saying: RegExp): Promise<void> {
  const { page } = person;
  await page.goto(`/pages/events/events?id=${id}`);
  await page.getByRole('button', { name: 'Accept', exact: true }).first().click();
  await expect(page.getByText(saying).first()).toBeVisible();
}

/** They have chosen where they start before, as a person who was in the app yesterday. */
const startAtHome = (page: Page, role: 'driver' | 'passenger') =>
  withPlan(page, role, { from: home, seats: role === 'driver' ? 2 : 1, price: 'free' });

async function announce({ page }: Person, name: string, day: string): Promise<string> {
  await page.goto('/pages/events/events');
  await page.getByRole('link', { name: 'Create an event' }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Starts').fill(`${day}T18:00`);
  await page.getByLabel('Ends').fill(`${day}T20:30`);
  await page.getByRole('button', { name: 'Publish event' }).click();
  await expect(page.getByText('Please select a place.')).toBeVisible();
  await page.getByRole('button', { name: /Where is it/ }).click();
  await page.getByLabel('Street, place or airport').fill('Capitola Village');
  await page.getByRole('option').first().click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue(name);
  await page.getByRole('button', { name: 'Publish event' }).click();
  await page.waitForURL(/events\?id=/);
  await expect(page.getByRole('heading', { name })).toBeVisible();
  return new URL(page.url()).searchParams.get('id')!;
}

async function joinThereAndBack(
  { page }: Person,
  [first, ...others]: [Person, ...Person[]],
  { id, name }: { id: string; name: string },
): Promise<void> {
  await startAtHome(page, 'driver');
  await page.goto('/pages/events/events');
  await page.getByLabel('Search by name or place').fill(name);
  await page.getByRole('link', { name: new RegExp(name) }).click();
  await page.getByRole('link', { name: 'Drive there' }).click();
  await page.getByRole('button', { name: 'Offer these seats' }).click();
  await expect(page.getByText('Outbound: You drive')).toBeVisible();
  await expect(page.getByText('Return: You drive')).toBeVisible();

  await startAtHome(first.page, 'passenger');
  await first.page.goto(`/pages/events/events?id=${id}`);
  await first.page.getByRole('link', { name: 'Ride there' }).click();
  await first.page.getByRole('switch', { name: 'Ride back' }).click();
  await first.page.getByRole('button', { name: 'Request these seats' }).click();
  await expect(first.page.getByText('Outbound: You ride')).toBeVisible();
  const { orders } = await first.get<{ orders: { id: string }[] }>(`/event/mine?id=${id}`);
  expect(orders).toHaveLength(1);
  const { order } = await first.get<{ order: { earliestAt: string; latestAt: string } }>(
    `/order/detail?id=${orders[0]!.id}`,
  );
  const { earliestAt, latestAt } = order;
  for (const other of others)
    await other.post('/event/join-as-passenger', {
      id,
      from: home,
      seats: 1,
      there: { earliestAt, latestAt },
      back: null,
    });
}

test('an event is planned, its places are accepted, and who drops out is replaced', async ({ browser }) => {
  const [olga, dora, ...passengers] = [
    await newPerson(browser, 'Olga'),
    await newPerson(browser, 'Dora'),
    await newPerson(browser, 'Ann'),
    await newPerson(browser, 'Ben'),
    await newPerson(browser, 'Cho'),
  ];
  const name = `Lantern walk ${olga.name}`;
  // Weeks ahead, where no one of the demo community is on the road.
  const at = Date.parse(await tomorrow()) + 40 * 24 * 60 * minuteMs;
  const day = new Date(at).toLocaleDateString('sv-SE', { timeZone: 'America/Los_Angeles' });

  const id = await test.step('the organizer announces it', () => announce(olga, name, day));

  await test.step('a driver and three passengers join, there and back', () =>
    joinThereAndBack(dora, passengers, { id, name }));

  await test.step('the plan seats two of three, and is sent', async () => {
    const { page } = olga;
    await page.goto(`/pages/events/events?id=${id}`);
    await page.getByRole('link', { name: 'Plan the cars' }).click();
    await expect(page.getByText('2 of 3 have a seat')).toBeVisible();
    await expect(page.getByText('1 more seat needed')).toBeVisible();
    await page.getByRole('button', { name: 'Send plan · 2 seats' }).click();
    await expect(page.getByText('Plan sent.')).toBeVisible();
  });

  const proposed = async (person: Person) =>
    (await person.get<{ places: { id: string; orderId: string }[] }>(`/event/mine?id=${id}`)).places;
  const has = await Promise.all(passengers.map(async (each) => (await proposed(each)).length > 0));
  const [one, two] = passengers.filter((_, index) => has[index]);
  const left = passengers.find((_, index) => !has[index])!;

  await test.step('both sides say yes', async () => {
    await accept(one!, id, /You accepted/);
    // The second one does the same on another telephone.
    const [second] = await proposed(two!);
    await two!.post('/event/answer', { placeId: second!.id, accept: true });
    await accept(dora, id, /^You’re riding with /);
    await dora.page.getByRole('button', { name: 'Accept', exact: true }).click();
    await expect(dora.page.getByText(/^You’re riding with /)).toHaveCount(2);
  });

  await test.step('one drops out, and the one who was left gets the seat', async () => {
    await left.page.goto(`/pages/events/events?id=${id}`);
    await expect(left.page.getByText('Outbound: You ride')).toBeVisible();
    const [place] = await proposed(one!);
    await one!.post('/order/cancel', { id: place!.orderId, reason: 'ill' });
    // By itself, without a reload.
    await expect(left.page.getByText(`Ride with ${dora.name}`)).toBeVisible();
    await left.page.getByRole('button', { name: 'Accept', exact: true }).click();
    await expect(left.page.getByText(/You accepted/)).toBeVisible();
    await accept(dora, id, /You’re riding with/);
    await olga.page.goto(`/pages/events/plan?id=${id}`);
    const car = olga.page.getByRole('list', { name: `${dora.name}’s car` });
    await expect(car.getByText('Joined')).toHaveCount(2);
    await expect(car.getByText(left.name)).toBeVisible();
    await expect(car.getByText(two!.name)).toBeVisible();
    await expect(car.getByText(one!.name)).toHaveCount(0);
  });
});
