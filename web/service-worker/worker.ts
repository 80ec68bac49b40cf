import { cleanupOutdatedCaches, matchPrecache, precacheAndRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { readFromPage, type KeepFiles } from './from-page.ts';
import type { Pushed } from '#contract/notifications/push-message.ts';
import { readPush, type FromWorker } from './pushed.ts';

declare const self: ServiceWorkerGlobalScope;
/**
 * What every page needs first, written in by `vite.config.ts`; `revision` is null where the name itself says
 * it.
 */
declare const SHELL_FILES: { url: string; revision: string | null }[];
/** What the HTML of a page shows before the app does, with the addresses that have it. */
declare const FRAMES: Record<string, string[]>;
/** The rest of this build: pages, words, the map engine. Each name changes with what is in the file. */
declare const OTHER_FILES: string[];

const shelf = 'sameway-app';
const others = new Set(OTHER_FILES);
const shell = new Set(SHELL_FILES.map(({ url }) => url));

/**
 * The pages of the app, as the server knows them; calls, pictures and maps are none, and pass this worker by.
 */
const pages = [/^\/(\?|$)/, /^\/intro(\?|$)/, /^\/pages\//];

// The first visit fetches what the page needs and no more. A file is cached when it is first used, and the
// rest when the app asks for it, so that any page opens without a connection. The worker caches nothing of
// what people read: the app caches and forgets that.
//
// Pages come first: the HTML of one varies by language, and the cached one counts whatever a request says.
registerRoute(
  new NavigationRoute(async ({ url, request }) => (await pageAt(url.pathname)) ?? fetch(request), {
    allowlist: pages,
  }),
);
precacheAndRoute(SHELL_FILES);
cleanupOutdatedCaches();
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && others.has(url.pathname),
  async ({ url }) => (await (await caches.open(shelf)).match(url.pathname)) ?? keepFile(url.pathname),
);

// The first visit is served by it at once; a newer version waits until the person says so.
self.addEventListener('activate', (event) =>
  event.waitUntil(Promise.all([self.clients.claim(), dropOldFiles()])),
);
self.addEventListener('message', (event) => {
  const ask = readFromPage(event.data);
  if (ask?.type === 'SKIP_WAITING') void self.skipWaiting();
  if (ask?.type === 'KEEP_FILES') event.waitUntil(keepFiles(ask));
  if (ask?.type === 'HOLDS_FILES')
    event.ports[0]?.postMessage(ask.names.every((name) => shell.has(name) || others.has(name)));
});

/**
 * The configuration that the server wrote into a page, such as by how much a demo's clock is ahead. The
 * worker removes it: the app uses what it read last, and reads it again.
 */
const servedConfig = /<script type="application\/json" id="config">.*?<\/script>/;

/**
 * A page as the server sends it: with what guests see first where the build has drawn that, else with its
 * frame. Undefined where a browser has thrown away what the worker had.
 */
async function pageAt(pathname: string): Promise<Response | undefined> {
  const drawn = shell.has(pathname) ? await matchPrecache(pathname) : undefined;
  if (drawn !== undefined)
    return new Response((await drawn.text()).replace(servedConfig, ''), { headers: drawn.headers });
  const bare = await matchPrecache('/index.html');
  const [frame] = Object.entries(FRAMES).find(([, addresses]) => addresses.includes(pathname)) ?? [''];
  if (bare === undefined || frame === '') return bare;
  const html = await bare.text();
  return new Response(
    html.replace('<div id="app">', (start) => start + frame),
    { headers: bare.headers },
  );
}

async function keepFile(name: string): Promise<Response> {
  const answer = await fetch(name);
  if (answer.ok) await (await caches.open(shelf)).put(name, answer.clone());
  return answer;
}

/** Keeps files that are not there yet, one after the other: no one waits for them. */
async function keepFiles({ used, everything }: KeepFiles): Promise<void> {
  const cache = await caches.open(shelf);
  const kept = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
  // A newer version that waits has files of its own, and takes over only once this one is at rest.
  const isWanted = (name: string) =>
    used.includes(name) || (everything && self.registration.waiting === null);
  for (const name of OTHER_FILES)
    if (!kept.has(name) && isWanted(name)) await keepFile(name).catch(() => undefined);
}

/** Files of an earlier version, which no page asks for any more. */
async function dropOldFiles(): Promise<void> {
  const cache = await caches.open(shelf);
  const old = (await cache.keys()).filter(({ url }) => !others.has(new URL(url).pathname));
  await Promise.all(old.map((request) => cache.delete(request)));
}

self.addEventListener('push', (event) => {
  const { title, body, tag, path, actions, language, atMs, unread } = readPush(event.data?.text() ?? '');
  // The last three are not known to every browser, nor to the types.
  const shown: NotificationOptions & {
    renotify: boolean;
    timestamp: number;
    actions: { action: string; title: string }[];
  } = {
    body,
    tag,
    lang: language,
    icon: '/icon-192.png',
    badge: '/badge-96.png',
    data: { path, actions },
    renotify: true,
    timestamp: atMs,
    actions: actions.map((each, index) => ({ action: String(index), title: each.title })),
  };
  event.waitUntil(Promise.all([self.registration.showNotification(title, shown), showBadge(unread)]));
});

/** The number on the app's icon, where the browser shows one. */
async function showBadge(unread: number | null): Promise<void> {
  if (unread === null || !('setAppBadge' in self.navigator)) return;
  // Refused where the app is not on a home screen.
  await self.navigator.setAppBadge(unread).catch(() => undefined);
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { path, actions } = event.notification.data as Pick<Pushed, 'path' | 'actions'>;
  event.waitUntil(open(actions[Number(event.action || NaN)]?.path ?? path));
});

/** In the window that is open already, where there is one: what was typed there is not lost. */
async function open(path: string): Promise<void> {
  const windows = await self.clients.matchAll({ type: 'window' });
  const shown = windows.find(({ focused }) => focused) ?? windows[0];
  if (shown === undefined) {
    await self.clients.openWindow(path);
    return;
  }
  tell(shown, { kind: 'open', path });
  // Refused where the click was not the person's own; the page is right all the same.
  await shown.focus().catch(() => null);
}

// The push service has ended the subscription by itself: an open page makes a new one, or the next launch
// does.
self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(
    self.clients.matchAll({ type: 'window' }).then((windows) => {
      for (const each of windows) tell(each, { kind: 'pushEnded' });
    }),
  );
});

const tell = (client: Client, message: FromWorker): void => client.postMessage(message);
