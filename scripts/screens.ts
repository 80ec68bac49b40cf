/**
 * `npm run screens`: takes a picture of every finished screen with the demo community in it, on a phone (390
 * × 844) and a desktop (1440 × 900), into docs/screens. `-- --only TEXT` takes those whose name holds the
 * text, `-- --to FOLDER` puts them elsewhere, `-- --zh` takes them in Chinese.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { z } from 'zod';
import { login, type SessionUser } from '#contract/access/endpoints.ts';
import { roomList } from '#contract/chat/endpoints.ts';
import { chromiumLaunch } from '../e2e/chromium.ts';
import { newDataFolder, startServer } from '../e2e/server.ts';
import { demoAccounts, demoPassword } from '../server/features/demo/accounts.ts';
import { readEnvelope } from '../server/testing/envelopes.ts';

type Role = 'guest' | (typeof demoAccounts)[number]['role'];

interface Screen {
  name: string;
  as: Role;
  /** Where to go, once the person is signed in; may look things up first. */
  path: string | ((api: Api) => Promise<string>);
}

/** Asks the server for a path. @returns the answer's data, still to be parsed. */
type Api = (path: string) => Promise<unknown>;

const sizes = [
  { name: 'phone', width: 390, height: 844 },
  { name: 'desktop', width: 1440, height: 900 },
];

const bookingLike = z.object({
  id: z.string(),
  state: z.string(),
  rideId: z.string(),
  requestId: z.string(),
});
const orderLike = z.object({ id: z.string(), bookings: z.array(bookingLike) });
type OrderLike = z.output<typeof orderLike>;

/** The id of the first order of a stage, or an error that says the demo community lacks it. */
async function orderOf(
  api: Api,
  query: string,
  needs: (order: OrderLike) => boolean = () => true,
): Promise<OrderLike> {
  const { orders } = z.object({ orders: z.array(orderLike) }).parse(await api(`/order/list?${query}`));
  const order = orders.find(needs);
  if (order === undefined) throw new Error(`The demo community has no order for ${query}.`);
  return order;
}

const asked = (order: OrderLike) => order.bookings.some((booking) => booking.state === 'requesting');
const pagesOf = (...paths: [name: string, as: Role, path: string][]): Screen[] =>
  paths.map(([name, as, path]) => ({ name, as, path }));

const screens: Screen[] = [
  ...pagesOf(
    ['intro', 'guest', '/intro'],
    ['auth', 'guest', '/pages/auth/auth'],
    ['login', 'guest', '/pages/login/login'],
    ['signup', 'guest', '/pages/login/signup'],
    ['account-guest', 'guest', '/pages/account/account'],
    ['carpool-driver', 'driver', '/'],
    ['carpool-passenger', 'passenger', '/pages/passenger/passenger'],
    ['address', 'passenger', '/pages/address/address?field=from'],
    ['address-shortcuts', 'passenger', '/pages/address/shortcut'],
    ['rides', 'driver', '/pages/order/order'],
    ['chat-rooms', 'passenger', '/pages/chat/chat'],
    ['events', 'guest', '/pages/events/events'],
    ['discover', 'passenger', '/pages/discover/discover'],
    ['ways', 'passenger', '/pages/discover/discover?view=ways'],
    ['same-way', 'passenger', '/pages/discover/discover?view=people'],
    ['alerts', 'passenger', '/pages/discover/discover?view=alerts'],
    ['account', 'driver', '/pages/account/account'],
    ['vehicles', 'driver', '/pages/car/car'],
    ['vehicle-editor', 'driver', '/pages/car/editor'],
    ['vehicle-brands', 'driver', '/pages/car/brands'],
    ['settings', 'driver', '/pages/account/settings2'],
    ['driver-license', 'driver', '/pages/account/drvinglicense'],
    ['payments', 'passenger', '/pages/account/payments'],
    ['payments-earned', 'driver', '/pages/account/payments?view=earn'],
    ['payments-set-up', 'passenger', '/pages/references/stripeSetup'],
    ['invite', 'driver', '/pages/account/invite'],
    ['contacts', 'driver', '/pages/contact/contact'],
    ['reviews', 'driver', '/pages/order/review'],
    ['legal', 'guest', '/pages/legal/legal'],
    ['legal-privacy', 'guest', '/pages/legal/privacy'],
    ['legal-payment', 'guest', '/pages/legal/payment'],
    ['about', 'guest', '/pages/about/about'],
    ['feedback', 'driver', '/pages/feedback/feedback'],
    ['mail-outbox', 'guest', '/pages/demo/outbox'],
    ['avatar', 'driver', '/pages/account/avatar'],
    ['admin', 'admin', '/pages/admin/admin'],
    ['admin-users', 'admin', '/pages/admin/admin?view=users'],
    ['admin-licenses', 'admin', '/pages/admin/driverlincens'],
    ['admin-statistics', 'admin', '/pages/admin/statistics'],
    ['not-found', 'guest', '/pages/nowhere'],
  ),
  {
    name: 'detail-driver',
    as: 'driver',
    path: async (api) =>
      `/pages/order/detail?id=${(await orderOf(api, 'role=driver&stage=Requesting', asked)).id}`,
  },
  {
    name: 'detail-passenger',
    as: 'passenger',
    path: async (api) => `/pages/order/detail?id=${(await orderOf(api, 'role=passenger&stage=Joined')).id}`,
  },
  {
    name: 'match-rides',
    as: 'passenger',
    path: async (api) =>
      `/pages/order/match?id=${(await orderOf(api, 'role=passenger&stage=Requesting')).id}`,
  },
  {
    name: 'match-requests',
    as: 'driver',
    path: async (api) => `/pages/order/match?id=${(await orderOf(api, 'role=driver')).id}`,
  },
  {
    name: 'match-map',
    as: 'driver',
    path: async (api) => {
      const booking = (await orderOf(api, 'role=driver&stage=Requesting', asked)).bookings.find(
        ({ state }) => state === 'requesting',
      )!;
      return `/pages/order/matchmap?rideId=${booking.rideId}&requestId=${booking.requestId}`;
    },
  },
  {
    name: 'ride-under-way',
    as: 'passenger',
    path: async (api) => `/pages/order/ride?id=${(await orderOf(api, 'role=passenger&stage=Joined')).id}`,
  },
  {
    name: 'chat-room',
    as: 'passenger',
    path: async (api) => {
      const { rooms } = roomList.output.parse(await api(roomList.path));
      return `/pages/chat/message?roomid=${rooms[0]!.roomid}`;
    },
  },
  {
    name: 'event',
    as: 'guest',
    path: async (api) => {
      const { events } = z
        .object({ events: z.array(z.object({ id: z.string() })) })
        .parse(await api('/event/list'));
      return `/pages/events/events?id=${events[0]!.id}`;
    },
  },
];

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    to: { type: 'string' },
    zh: { type: 'boolean', default: false },
  },
});
const folder = path.resolve(values.to ?? path.join(import.meta.dirname, '..', 'docs', 'screens'));

async function signIn(url: string, role: Exclude<Role, 'guest'>): Promise<SessionUser> {
  const account = demoAccounts.find((each) => each.role === role)!;
  const response = await fetch(`${url}/access/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: account.email, password: demoPassword }),
  });
  return login.output.parse(readEnvelope(await response.json()).data);
}

async function openContext(
  browser: Browser,
  size: (typeof sizes)[number],
  session: SessionUser | null,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: size.width, height: size.height },
    locale: values.zh ? 'zh-CN' : 'en-US',
    timezoneId: 'America/Los_Angeles',
    deviceScaleFactor: 1,
  });
  const language = values.zh ? 'zh' : 'en';
  await context.addInitScript(
    ([kept, chosen]) => {
      localStorage.setItem('sameway.introSeen', 'true');
      localStorage.setItem('sameway.language', JSON.stringify(chosen));
      if (kept !== null && localStorage.getItem('sameway.session') === null)
        localStorage.setItem('sameway.session', kept);
    },
    [session === null ? null : JSON.stringify(session), language] as const,
  );
  return context;
}

/** Waits until nothing loads, fades or is drawn any more. */
async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle').catch(() => undefined);
  await page.waitForTimeout(900);
}

async function takeAll(): Promise<number> {
  const data = newDataFolder();
  const server = await startServer(data.folder);
  const browser = await chromium.launch(await chromiumLaunch({ drawsMaps: true, isWhole: true }));
  let taken = 0;
  try {
    await mkdir(folder, { recursive: true });
    for (const role of ['guest', 'driver', 'passenger', 'admin'] as const) {
      const wanted = screens.filter((screen) => screen.as === role && screen.name.includes(values.only));
      if (wanted.length === 0) continue;
      for (const size of sizes) {
        const session = role === 'guest' ? null : await signIn(server.url, role);
        const context = await openContext(browser, size, session);
        const page = await context.newPage();
        const api: Api = async (call) => {
          const authorization = session === null ? {} : { authorization: `Bearer ${session.accessToken}` };
          const response = await fetch(`${server.url}${call}`, { headers: authorization });
          return readEnvelope(await response.json()).data;
        };
        for (const screen of wanted) {
          await page.goto(
            server.url + (typeof screen.path === 'string' ? screen.path : await screen.path(api)),
          );
          await settle(page);
          const file = `${screen.name}.${size.name}${values.zh ? '.zh' : ''}.jpg`;
          await page.screenshot({ path: path.join(folder, file), type: 'jpeg', quality: 82 });
          process.stdout.write(`${file}\n`);
          taken++;
        }
        await context.close();
      }
    }
  } finally {
    await browser.close();
    await server.stop();
    data.remove();
  }
  return taken;
}

process.stdout.write(`${await takeAll()} screens are in ${path.relative(process.cwd(), folder) || '.'}\n`);
