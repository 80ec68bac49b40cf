import { expect, type Locator, type Page } from '@playwright/test';
import { clockTime } from '#contract/formats/times.ts';
import { test } from './journey.ts';
import { mapsDrawn } from './chromium.ts';
import { newPerson, tomorrow, type Person } from './people.ts';

test.use(mapsDrawn);

const place = (name: string, lon: number, lat: number) => ({ name, detail: 'Santa Cruz', lon, lat });
const dayMs = 24 * 3_600_000;
/** Far from the ways of the demo community, each with a door of their own. */
const door = (number: number) => ({
  from: place(`${number} Bonny Doon Road`, -122.1518 + number * 0.0002, 37.0438),
  to: place(`${number} Natural Bridges Drive`, -122.0577, 36.9534 + number * 0.0002),
});
// Another hour and other names at each run, so that one after another find themselves alone.
const hour = [21, 22, 23, 0, 1, 2, 3][Math.floor(Math.random() * 7)]!;
const time = `${String(hour).padStart(2, '0')}:40`;
const mark = Math.random().toString(36).slice(2, 6);
const common = { note: '', contactWith: 'chat', visibility: 'all users', seats: 1 };

/** Three take one way every week, Drew as a driver; and there is an event near its end. */
async function travelWeekly({ me, drew, tess }: Record<'me' | 'drew' | 'tess', Person>): Promise<void> {
  const first = (await tomorrow()).slice(0, 10);
  const rule = {
    weekdays: [2, 4],
    localTime: time,
    fromDay: first,
    untilDay: new Date(Date.parse(first) + 8 * dayMs).toISOString().slice(0, 10),
  };
  const riding = { ...common, role: 'passenger', offerCents: null, walkMetres: 600, flexMinutes: 20 };
  await drew.post('/series/create', {
    series: {
      order: { ...common, ...door(1), role: 'driver', vehicleId: null, priceKind: 'perPerson', costCents: 0 },
      rule,
    },
  });
  for (const [index, person] of [tess, me].entries())
    await person.post('/series/create', { series: { order: { ...riding, ...door(index + 2) }, rule } });
  const day = new Date(Date.parse(first) + 2 * dayMs).toISOString().slice(0, 10);
  await drew.post('/event/create', {
    name: `Lantern walk ${mark}`,
    place: place('Natural Bridges', -122.0577, 36.9521),
    starts: `${day}T18:30`,
    ends: `${day}T21:00`,
  });
}

async function findCompany(me: Person, drew: Person): Promise<void> {
  const { page } = me;
  await expect
    .poll(async () => (await me.get<{ total: number }>('/discover/people')).total)
    .toBeGreaterThanOrEqual(2);
  await page.goto('/pages/discover/discover');
  await expect(page.getByRole('list', { name: 'Events nearby' }).getByRole('listitem')).not.toHaveCount(0);
  await page.getByRole('radio', { name: 'Commute' }).check();
  const card = page.getByRole('article', { name: `Drew${mark} travels your route` });
  await expect(card.getByText(`Same route as you: Tue, Thu ${clockTime(time, 'en')}`)).toBeVisible();
  await expect(card.getByText(/Drives/)).toBeVisible();
  await expect(page.getByText(/1 Bonny Doon Road|Natural Bridges Drive/)).toHaveCount(0);
  await page.getByRole('button', { name: 'Show map' }).click();
  await page.getByRole('button', { name: `You, Drew${mark}, Tess${mark}: ` }).click();
  await card.getByRole('link', { name: /^Next ride: / }).click();
  await expect(page.getByRole('heading', { name: 'Ride Detail' })).toBeVisible();
  await page.goto('/pages/discover/discover?view=people');
  await card.getByRole('link', { name: 'Connect' }).click();
  await expect(page.getByRole('button', { name: `Add ${drew.name}` })).toBeVisible();
}

async function offerWeekly(page: Page, way: Locator): Promise<void> {
  await way.getByRole('button', { name: /Show on map/ }).click();
  await expect(page.getByRole('button', { name: 'Start: Bonny Doon' })).toBeVisible();
  await way.getByRole('button', { name: 'Offer a weekly ride' }).click();
  await expect(page.getByRole('heading', { name: 'Plan your ride' })).toBeVisible();
  await expect(page.getByRole('switch', { name: 'Every week' })).toBeChecked();
  for (const [day, isOn] of [
    ['Mon', 'false'],
    ['Tue', 'true'],
    ['Thu', 'true'],
  ] as const)
    await expect(page.getByRole('button', { name: day, exact: true })).toHaveAttribute('aria-pressed', isOn);
  await page.getByRole('button', { name: 'Review your ride' }).click();
  await expect(page.getByRole('dialog').getByText('Tue, Thu').first()).toBeVisible();
}

test('discover: a way of many with its alert and a weekly ride, the people on my way, a map of it all', async ({
  browser,
}) => {
  const [me, drew, tess] = [
    await newPerson(browser, 'Mona'),
    await newPerson(browser, `Drew${mark}`),
    await newPerson(browser, `Tess${mark}`),
  ];
  await travelWeekly({ me, drew, tess });
  const { page } = me;
  const way = page.getByRole('article', { name: /Bonny Doon.*Tue, Thu/ }).filter({ hasText: 'Your route' });

  await test.step('who goes my way, without a door', () => findCompany(me, drew));

  await test.step('one tap tells of rides, and is taken back', async () => {
    await page.goto('/pages/discover/discover?view=ways');
    await expect(way.getByText(/^\d+ people$/)).toBeVisible();
    await way.getByRole('button', { name: 'Notify me about rides' }).click();
    await expect(way.getByText('We’ll notify you about rides')).toBeVisible();
    const kept = async () => (await me.get<{ alerts: object[] }>('/alert/list')).alerts;
    expect(await kept()).toMatchObject([{ role: 'passenger', times: { kind: 'weekly', days: [2, 4] } }]);
    await page.reload();
    await way.getByRole('button', { name: 'Undo' }).click();
    await expect(way.getByRole('button', { name: 'Notify me about rides' })).toBeVisible();
    expect(await kept()).toEqual([]);
  });

  await test.step('the way on the map, and the plan of a weekly ride on it', () => offerWeekly(page, way));

  await test.step('a guest sees the ways, and is asked to sign in for the rest', async () => {
    const guest = await browser.newPage({ baseURL: new URL(page.url()).origin });
    await guest.addInitScript(() => localStorage.setItem('sameway.introSeen', 'true'));
    await guest.goto('/pages/discover/discover?view=ways');
    await expect(guest.getByRole('article').first()).toBeVisible();
    await guest.getByRole('radio', { name: 'Commute' }).check();
    await expect(guest.getByRole('link', { name: 'Sign in' })).toBeVisible();
    await guest.close();
  });
});
