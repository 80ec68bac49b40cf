import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { readPush, type FromWorker } from './pushed.ts';

declare const self: ServiceWorkerGlobalScope;
/** The files of this build, written in by `vite.config.ts`; `revision` is null where the name itself says it. */
declare const BUILT_FILES: { url: string; revision: string | null }[];

/** The pages of the app, as the server knows them; calls, pictures and maps are none, and pass this worker by. */
const pages = [/^\/(\?|$)/, /^\/intro(\?|$)/, /^\/pages\//];

// Everything the app is made of is kept, so that any page opens without a connection. Of what people read the worker
// keeps nothing: that is the app's own to keep and to forget.
precacheAndRoute(BUILT_FILES);
cleanupOutdatedCaches();
registerRoute(new NavigationRoute(createHandlerBoundToURL('/index.html'), { allowlist: pages }));

// The first visit is served by it at once; a newer version waits until the person says so.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('message', ({ data }) => {
  if ((data as { type?: unknown } | null)?.type === 'SKIP_WAITING') void self.skipWaiting();
});

self.addEventListener('push', (event) => {
  const { title, body, tag, path, language, atMs } = readPush(event.data?.text() ?? '');
  // The last two are not known to every browser, nor to the types.
  const shown: NotificationOptions & { renotify: boolean; timestamp: number } = {
    body,
    tag,
    lang: language,
    icon: '/icon-192.png',
    badge: '/badge-96.png',
    data: { path },
    renotify: true,
    timestamp: atMs,
  };
  event.waitUntil(self.registration.showNotification(title, shown));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { path } = event.notification.data as { path: string };
  event.waitUntil(open(path));
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

// The push service has ended the subscription by itself: an open page makes a new one, or the next launch does.
self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(
    self.clients.matchAll({ type: 'window' }).then((windows) => {
      for (const each of windows) tell(each, { kind: 'pushEnded' });
    }),
  );
});

const tell = (client: Client, message: FromWorker): void => client.postMessage(message);
