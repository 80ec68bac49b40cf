import { expect, type Page, type Route } from '@playwright/test';
import { demoAccounts, demoPassword } from '../server/features/demo/accounts.ts';
import { test } from './journey.ts';
import { openSignedIn, post, type Person } from './people.ts';

/** What the shell reads on every page, and roads, which are asked for once their ends are known. */
const readsOfOthers =
  /^\/(app\/(config|version)|announcement\/current|payment\/config|(im|notification)\/unread-count|alert\/list|order\/quote)/;

/** Collects the calls of a page that read something, each as its path and what it asks for. */
function followReads(page: Page): string[] {
  const made: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (request.method() !== 'GET' || !url.searchParams.has('signTime')) return;
    for (const name of ['signTime', 'sign']) url.searchParams.delete(name);
    const read = url.pathname + url.search;
    if (!readsOfOthers.test(read)) made.push(read);
  });
  return made;
}

interface Things {
  orders: { id: string }[];
  events: { id: string }[];
  rooms: { roomid: string }[];
  contacts: { person: { id: string } }[];
}

/** A person of the demo who has an order, a room and an event to open. */
async function openDemo(browser: Parameters<typeof openSignedIn>[0]): Promise<Person & { ids: Ids }> {
  const { email } = demoAccounts.find(({ role }) => role === 'passenger')!;
  const person = await openSignedIn(browser, await post('/access/login', { email, password: demoPassword }));
  // Live updates would make pages read again: only the reads that pages make by themselves are counted here.
  await person.context.routeWebSocket(/\/live/, () => {});
  const { orders } = await person.get<Things>('/order/list?role=passenger');
  const { events } = await person.get<Things>('/event/list');
  const { rooms } = await person.get<Things>('/im/room-list');
  const { contacts } = await person.get<Things>('/contact/list');
  const ids = {
    order: orders[0]!.id,
    event: events[0]!.id,
    room: rooms[0]!.roomid,
    person: contacts[0]!.person.id,
  };
  return { ...person, ids };
}
type Ids = Record<'order' | 'event' | 'room' | 'person', string>;

/** Pages, the file of their code, and what must have been asked for before it is there. */
const pages: readonly [address: (ids: Ids) => string, file: string, reads: (ids: Ids) => string[]][] = [
  [({ order }) => `/pages/order/detail?id=${order}`, 'detail', ({ order }) => [`/order/detail?id=${order}`]],
  [({ order }) => `/pages/order/match?id=${order}`, 'matches', ({ order }) => [`/order/detail?id=${order}`]],
  [() => '/pages/order/order', 'order', () => ['/order/list', '/series/list']],
  [() => '/pages/chat/chat', 'chat', () => ['/im/room-list']],
  [() => '/pages/events/events', 'events', () => ['/event/list?text=&scope=soon&offset=0']],
  [
    ({ event }) => `/pages/events/events?id=${event}`,
    'events',
    ({ event }) => [`/event/detail?id=${event}`, `/event/rides?id=${event}`],
  ],
];

test('what a page reads is asked for while its code is on the way, once', async ({ browser }) => {
  const { page, ids } = await openDemo(browser);
  const made = followReads(page);
  for (const [addressOf, file, readsOf] of pages) {
    const address = addressOf(ids);
    const reads = readsOf(ids);
    made.length = 0;
    const code = Promise.withResolvers<void>();
    let isAsked = false;
    const holdBack = async (route: { continue: () => Promise<void> }) => {
      isAsked = true;
      await code.promise;
      await route.continue();
    };
    await page.route(`**/assets/${file}-*.js`, holdBack);
    await page.goto(address);
    await expect.poll(() => made, address).toEqual(expect.arrayContaining(reads));
    expect(isAsked, address).toBe(true);
    await expect(page.getByRole('heading', { level: 1 }), address).toHaveCount(0);
    code.resolve();
    await expect(page.getByRole('heading', { level: 1 }).first(), address).toBeVisible();
    await page.waitForLoadState('networkidle');
    expect(made.toSorted(), address).toEqual([...new Set(made)].toSorted());
    await page.unroute(`**/assets/${file}-*.js`, holdBack);
  }
});

const earlyReads = '**/assets/early-reads-*.js';

/** The first script of a page, with no reads in its table. */
async function withoutReads(route: Route): Promise<void> {
  const script = await (await route.fetch()).text();
  const table = /Object\.hasOwn\(([\w$]+),(?![^]*Object\.hasOwn)/;
  expect(script).toMatch(table);
  const empty = 'for(const path in reads)reads[path]=()=>[]';
  const body = script.replace(table, `((reads,path)=>{${empty};return path in reads})($1,`);
  await route.fulfill({ contentType: 'text/javascript', body });
}

test('what is asked for beside the code is what the page itself reads, and no more', async ({ browser }) => {
  const { page, ids } = await openDemo(browser);
  const made = followReads(page);
  const addresses = [
    ...pages.map(([addressOf]) => addressOf(ids)),
    '/',
    '/pages/passenger/passenger',
    '/pages/account/account',
    '/pages/account/invite',
    '/pages/account/notifications',
    '/pages/account/payments',
    '/pages/account/payments?view=earn',
    '/pages/account/settings2',
    '/pages/car/brands',
    '/pages/contact/add',
    `/pages/contact/user?id=${ids.person}`,
    '/pages/discover/discover',
    '/pages/discover/discover?of=contacts',
    '/pages/discover/discover?of=driver',
    '/pages/discover/discover?view=ways',
    `/pages/events/eventJoinAsDriver?id=${ids.event}`,
    `/pages/events/plan?id=${ids.event}`,
    '/pages/legal/payment',
    '/pages/order/confirm?role=driver',
    `/pages/order/confirm?role=passenger&eventId=${ids.event}`,
    `/pages/order/confirm?edit=${ids.order}`,
    '/pages/order/order?role=passenger&stage=Joined',
    '/pages/order/review',
    `/pages/chat/message?roomid=${ids.room}`,
  ];
  const readsOf = async (address: string) => {
    made.length = 0;
    await page.goto(address, { waitUntil: 'networkidle' });
    return made.toSorted();
  };
  // A first visit fills in where a plan starts.
  for (const home of ['/', '/pages/passenger/passenger']) await readsOf(home);
  for (const address of addresses) {
    await page.route(earlyReads, withoutReads);
    const byItself = await readsOf(address);
    await page.unroute(earlyReads);
    expect.soft(await readsOf(address), address).toEqual(byItself);
  }
});

test('a parameter that no page takes leaves the address; without its id a page says what is missing', async ({
  browser,
}) => {
  const { page, ids } = await openDemo(browser);
  await page.goto(`/pages/order/detail?utm_source=mail&id=${ids.order}&gclid=1`);
  await expect(page).toHaveURL(new RegExp(`/pages/order/detail\\?id=${ids.order}$`));
  await page.waitForLoadState('networkidle');
  const made = followReads(page);
  for (const [path, missing] of [
    ['/pages/order/detail', 'Ride not found'],
    ['/pages/order/ride', 'Ride not found'],
    ['/pages/order/matchmap', 'Ride not found'],
    ['/pages/order/series', 'Weekly ride not found'],
    ['/pages/events/plan', 'Event not found'],
  ] as const) {
    await page.goto(`${path}?id=%22%3E%3Cscript%3E&rideId=1&requestId=2`);
    await expect(page.getByText(missing), path).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`${path}$`));
  }
  expect(made).toEqual([]);
});
