import { randomUUID } from 'node:crypto';
import { expect, type Browser, type BrowserContext, type Page } from '@playwright/test';
import sharp from 'sharp';
import type { FromPage } from '../web/service-worker/from-page.ts';
import { test } from './journey.ts';
import { ride, tripRequest } from './orders.ts';
import { newPerson, serverUrl, signUpWithProfile } from './people.ts';
import { keptFiles, untilKept, untilServed } from './service-worker.ts';

/*
 * What the installed app promises: pages without a connection, shares and launches that open the right page,
 * pictures for the store of the browser, and no byte that its person did not want to pay for.
 */

declare global {
  /** The HTML of the root element before the app has drawn anything. */
  var htmlOfApp: string | undefined;
}

test.use({ serviceWorkers: 'allow' });

const twoHoursMs = 2 * 3_600_000;

/** A page that was read while there was a connection, and what of it is there later. */
interface KeptPage {
  path: string;
  shows: (page: Page) => Promise<void>;
}

test('two hours after a visit, a chat, an event, the account, matches and legal pages open without a connection and say how old they are', async ({
  browser,
}) => {
  const { driver, rideId, roomid } = await driverWhoChats(browser);
  const { page, context } = driver;
  const { events } = await driver.get<{ events: { id: string; name: string }[] }>('/event/list');
  const [event] = events;
  const pages: KeptPage[] = [
    {
      path: `/pages/chat/message?roomid=${roomid}`,
      shows: (each) => expect(each.getByRole('log').getByText('Room for a surfboard?')).toBeVisible(),
    },
    {
      path: `/pages/events/events?id=${event!.id}`,
      shows: (each) => expect(each.getByRole('heading', { name: event!.name }).first()).toBeVisible(),
    },
    {
      path: '/pages/account/account',
      shows: (each) => expect(each.getByText(driver.name)).toBeVisible(),
    },
    {
      path: `/pages/order/match?id=${rideId}`,
      shows: (each) => expect(each.getByRole('main').getByText('Noah').first()).toBeVisible(),
    },
  ];
  for (const { path, shows } of pages) {
    await page.goto(path);
    await shows(page);
    // A part that was not read yet would be missing later, and the page would say so.
    await page.waitForLoadState('networkidle');
  }
  await untilKept(page);
  // What was read last is written down when the page is left.
  await page.goto('/pages/about/about');
  await context.setOffline(true);
  await context.clock.setSystemTime(Date.now() + twoHoursMs);
  for (const { path, shows } of pages)
    await test.step(path, async () => {
      await page.goto(path);
      await shows(page);
      await expect(page.getByText(/^Last updated 2 hr( \d+ min)? ago\.$/)).toBeVisible();
    });
  for (const legal of ['privacy', 'terms', 'carpool', 'payment'])
    await test.step(legal, async () => {
      await page.goto(`/pages/legal/${legal}`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByRole('main').getByRole('heading', { level: 2 }).first()).toBeVisible();
      // A text of this version, and no cached read.
      await expect(page.getByText(/^Last updated .* ago\.$/)).toHaveCount(0);
    });
});

test('the worker answers as the server does: with what guests see first, else with the frame of the page', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: serverUrl() });
  await context.addInitScript(() => {
    localStorage.setItem('sameway.introSeen', 'true');
    // Read, but no script of the app has run.
    document.addEventListener('readystatechange', () => {
      if (document.readyState === 'interactive')
        globalThis.htmlOfApp = document.querySelector('#app')?.innerHTML;
    });
  });
  const page = await context.newPage();
  await page.goto('/');
  await untilServed(page);
  for (const [path, shown] of [
    ['/', 'Where are you driving?'],
    ['/?unknown=1', 'Where are you driving?'],
    ['/intro', 'Going the same way? Share the car.'],
    ['/pages/passenger/passenger', 'Where are you going?'],
    ['/pages/legal/legal', '<div class="frame frame-column"'],
    ['/pages/events/events', '<div class="frame frame-pane frame-tab"'],
  ] as const)
    await test.step(path, async () => {
      const answer = await page.goto(path);
      expect(answer?.fromServiceWorker()).toBe(true);
      expect(await page.evaluate(() => globalThis.htmlOfApp)).toContain(shown);
      await expect(page.getByRole('heading').first()).toBeVisible();
    });
  await context.close();
});

/** A driver and a passenger who has written to them; another is still waiting for a ride like theirs. */
async function driverWhoChats(browser: Browser) {
  const [driver, lena, noah] = [
    await newPerson(browser, 'Ines'),
    await newPerson(browser, 'Lena'),
    await newPerson(browser, 'Noah'),
  ];
  const { id: rideId } = await driver.post<{ id: string }>('/order/create', { order: await ride() });
  const [request] = await Promise.all(
    [lena, noah].map(async (each) =>
      each.post<{ id: string }>('/order/create', { order: await tripRequest() }),
    ),
  );
  await lena.post('/order/request', { rideId, requestId: request!.id, message: '' });
  const roomsOf = async () =>
    (await lena.get<{ rooms: { roomid: string }[] }>('/im/room-list')).rooms.map((room) => room.roomid);
  await expect.poll(roomsOf).toHaveLength(1);
  const [roomid = ''] = await roomsOf();
  await lena.post('/im/send', { roomid, clientId: randomUUID(), text: 'Room for a surfboard?' });
  return { driver, rideId, roomid };
}

interface Manifest {
  share_target: { action: string; method: string; params: Record<'title' | 'text' | 'url', string> };
  launch_handler: { client_mode: string[] };
  icons: Picture[];
  screenshots: (Picture & { form_factor: string; label: string })[];
  shortcuts: { url: string; icons: Picture[] }[];
}
interface Picture {
  src: string;
  sizes: string;
  type: string;
}

const manifestOf = async (name = 'manifest.webmanifest') =>
  (await (await fetch(`${serverUrl()}/${name}`)).json()) as Manifest;

const isOpen = (page: Page) => expect(page.getByRole('heading', { level: 1 })).toBeVisible();

test('what another app shares opens the form with it, and a link its page', async ({ browser }) => {
  const { share_target: target } = await manifestOf();
  expect(target.method).toBe('GET');
  const { page } = await newPerson(browser, 'Sam');
  await page.goto('/');
  await untilServed(page);
  const share = (what: Partial<Record<keyof typeof target.params, string>>) => {
    const named = Object.entries(what).map(([key, value]) => [
      target.params[key as keyof typeof what],
      value,
    ]);
    return page.goto(`${target.action}?${new URLSearchParams(named)}`);
  };
  const to = page.getByRole('button', { name: /^To\b/ });
  await share({ title: 'Mission Street', text: 'Mission Street' });
  await expect(to).toContainText('Mission Street');
  await share({ text: 'https://maps.example/?q=36.9741,-122.0263' });
  await expect(to).not.toContainText('Mission Street');
  await share({ text: `Look at this: ${serverUrl()}/pages/legal/carpool` });
  await expect(page).toHaveURL(`${serverUrl()}/pages/legal/carpool`);
  await isOpen(page);
});

test('a launch opens its address in the window that is open, and the icon leaves it as it is', async ({
  browser,
}) => {
  const { launch_handler: handler, share_target: target, shortcuts } = await manifestOf();
  expect(handler.client_mode[0]).toBe('focus-existing');
  const { page } = await newPerson(browser, 'Lou');
  await page.addInitScript(() => {
    const launchQueue = {
      setConsumer: (take: (launch: { targetURL: string }) => void) =>
        Object.assign(globalThis, { launch: (targetURL: string) => take({ targetURL }) }),
    };
    Object.defineProperty(globalThis, 'launchQueue', { value: launchQueue });
  });
  await page.goto('/pages/feedback/feedback');
  await page.waitForFunction(() => 'launch' in globalThis);
  const launch = (path: string) =>
    page.evaluate(
      (url) => (globalThis as unknown as { launch: (to: string) => void }).launch(url),
      serverUrl() + path,
    );
  // The launch that opened this window.
  await launch('/pages/feedback/feedback');
  const message = page.getByLabel('Message', { exact: true });
  await message.fill('half a word');
  await page.evaluate(() => Object.assign(globalThis, { isSameWindow: true }));
  await launch('/');
  await expect(message).toHaveValue('half a word');

  for (const { url } of shortcuts) {
    await launch(url);
    await expect(page).toHaveURL(serverUrl() + url);
    await isOpen(page);
  }
  await launch(`${target.action}?text=Mission+Street`);
  await expect(page.getByRole('button', { name: /^To\b/ })).toContainText('Mission Street');
  expect(await page.evaluate('globalThis.isSameWindow')).toBe(true);
});

test('the manifest’s icons and screenshots are there, of the kind and size that it states', async () => {
  for (const name of ['manifest.webmanifest', 'manifest.zh.webmanifest']) {
    const { icons, screenshots, shortcuts } = await manifestOf(name);
    const pictures = [...icons, ...screenshots, ...shortcuts.flatMap((each) => each.icons)];
    for (const { src, sizes, type } of pictures) {
      const answer = await fetch(serverUrl() + src);
      expect([answer.status, answer.headers.get('content-type')?.split(';')[0]], src).toEqual([200, type]);
      const { format, width, height } = await sharp(await answer.arrayBuffer()).metadata();
      expect(`image/${format}`, src).toBe(type.replace('+xml', ''));
      if (sizes !== 'any') expect(`${width}x${height}`, src).toBe(sizes);
    }
    const factors = screenshots.map(({ form_factor: factor }) => factor);
    expect(new Set(factors)).toEqual(new Set(['narrow', 'wide']));
    expect(screenshots.every(({ label }) => label !== '')).toBe(true);
  }
});

/** The state of a browser when the app is opened in it. */
interface Standing {
  signedIn: boolean;
  installed: boolean;
  connection: { type: string; saveData: boolean };
}
const wifi = { type: 'wifi', saveData: false };
const cellular = { type: 'cellular', saveData: false };
const saving = { type: 'wifi', saveData: true };

test('the worker keeps the shell at once; the rest when the device is idle and bytes cost nothing, or the app is installed', async ({
  browser,
}) => {
  const cases: [string, Standing, boolean][] = [
    ['a guest', { signedIn: false, installed: false, connection: wifi }, false],
    ['a person who is signed in', { signedIn: true, installed: false, connection: wifi }, true],
    ['on a line that is paid by use', { signedIn: true, installed: false, connection: cellular }, false],
    ['who saves data', { signedIn: true, installed: false, connection: saving }, false],
    ['installed, on such a line', { signedIn: false, installed: true, connection: cellular }, true],
    ['installed, and saves data', { signedIn: true, installed: true, connection: saving }, false],
  ];
  const session = await signUpWithProfile('Kim');
  const asked = await Promise.all(
    cases.map(async ([who, standing, everything]) => {
      const context = await browser.newContext({ baseURL: serverUrl() });
      await standAs(context, standing, session);
      const page = await context.newPage();
      await page.goto('/pages/legal/privacy');
      await untilServed(page);
      const before = await asksOf(page, 1);
      expect(before, who).toEqual([false]);
      await page.waitForFunction(() => 'idle' in globalThis);
      // Before the device is idle, only what the page has used is cached.
      const kept = await keptFiles(page);
      expect(kept, who).toContainEqual(expect.stringMatching(/^\/index\.html$/));
      expect(kept.filter((name) => /map-canvas|maplibre|composer/.test(name))).toEqual([]);
      await page.evaluate('globalThis.idle()');
      expect(await asksOf(page, 2), who).toEqual([false, everything]);
      return { page, everything };
    }),
  );
  await Promise.all(asked.map(async ({ page, everything }) => everything && untilKept(page)));
  for (const { page, everything } of asked)
    if (!everything) expect((await keptFiles(page)).length).toBeLessThan(120);
});

/** Opens the pages of a context as in such a browser, which is idle once `idle` is called. */
async function standAs(
  context: BrowserContext,
  { signedIn, installed, connection }: Standing,
  session: object,
): Promise<void> {
  await context.addInitScript(
    ({ kept, isInstalled, line }) => {
      localStorage.setItem('sameway.introSeen', 'true');
      if (kept !== null) localStorage.setItem('sameway.session', kept);
      Object.defineProperty(navigator, 'connection', { value: line });
      const matches = globalThis.matchMedia.bind(globalThis);
      const standalone = '(display-mode: standalone)';
      globalThis.matchMedia = (query) => matches(isInstalled && query === standalone ? 'all' : query);
      const asks: FromPage[] = [];
      const send = ServiceWorker.prototype.postMessage;
      ServiceWorker.prototype.postMessage = function (this: ServiceWorker, ...sent: [FromPage]) {
        asks.push(sent[0]);
        send.apply(this, sent);
      };
      const soon = globalThis.requestIdleCallback.bind(globalThis);
      const hold = (idle: IdleRequestCallback) => {
        Object.assign(globalThis, { idle });
        return 0;
      };
      // The first screen asks as well, and waits for no more than seconds.
      const requestIdleCallback: typeof soon = (act, options = {}) =>
        (options.timeout ?? 0) < 60_000 ? soon(act, options) : hold(act);
      Object.assign(globalThis, { asks, requestIdleCallback });
    },
    { kept: signedIn ? JSON.stringify(session) : null, isInstalled: installed, line: connection },
  );
}

/** Whether the page has asked for everything, at each of its requests, once it has made `times` of them. */
async function asksOf(page: Page, times: number): Promise<boolean[]> {
  const read = () =>
    page.evaluate(() =>
      (globalThis as unknown as { asks: FromPage[] }).asks.flatMap((ask) =>
        ask.type === 'KEEP_FILES' ? [ask.everything] : [],
      ),
    );
  await expect.poll(async () => (await read()).length).toBe(times);
  return read();
}
