import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { prefetchConfig, prefetchFigures } from '../core/config.ts';
import { i18n, startWords } from '../core/i18n.ts';
import { afterFirstScreen, firstScreenShown, partsShown } from '../core/first-screen.ts';
import { keepGreeting } from '../core/greeting.ts';
import { noteInvitation } from '../core/invitation.ts';
import { startDrafts } from '../core/drafts.ts';
import { device, startDevice } from '../core/device/this-device.ts';
import { startForgetting } from '../core/forget-person.ts';
import { renewWhereGone, startInstalledApp } from '../core/installed-app.ts';
import { startOfflineCache, takeUpInstallation } from '../core/offline-cache.ts';
import { launched } from '../core/launch.ts';
import { startRealtime } from '../core/realtime.ts';
import { queryClient } from '../core/query-client.ts';
import { drawFirstPageInSlices } from './first-page.tsx';
import { wordsOfEveryPage } from './page-words.ts';
import { appRouter, startRouter } from './router.tsx';
import { safeReturn } from '../core/navigation.ts';
import { followSession, isSignedIn, nameGuest, readSession } from '../core/session.ts';
import '../ui/theme.css';
import '../ui/frame.css';

// Before anything is waited for: the link may be left again at once.
noteInvitation();
startForgetting();
startDrafts();
startOfflineCache();
// Not awaited by this file itself: the phone's side of the app imports it, and would wait for its end.
void Promise.all([prefetchConfig(), startWords(wordsOfEveryPage), startDevice(), pageRead()]).then(
  start,
  orNewer,
);

/** Resolves when the whole HTML is there: this script may come before its end. */
async function pageRead(): Promise<void> {
  if (document.readyState !== 'loading') return;
  await new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve, { once: true }));
}

async function start(): Promise<void> {
  const callGuest = () => nameGuest(i18n.t('common:guest'));
  i18n.on('languageChanged', callGuest);
  callGuest();
  launched(afterFirstScreen());
  startRouter();
  const router = appRouter();
  router.subscribe('onResolved', () => void readsShown().then(firstScreenShown));
  device().followLinks((path) => {
    // Short links are led on by the server; a provider's answer is for the page of that name alone.
    if (/^\/[er]\//.test(path)) location.assign(path);
    else router.history.push(path.startsWith('/pages/auth/oauth?') ? path : safeReturn(path));
  });
  startAnewForEachPerson();
  await untilDrawable();
  show();
  startRest();
}

/**
 * Resolves when no read is pending and the results have been painted, so that later work does not compete
 * with them.
 */
async function readsShown(): Promise<void> {
  // The new page starts its reads when it renders, which the first one does in slices.
  await painted();
  await partsShown();
  while (queryClient.isFetching() > 0) await nextOfReads();
  await painted();
  await partsShown();
  await painted();
}

const nextOfReads = (): Promise<void> =>
  new Promise((resolve) => {
    const stop = queryClient.getQueryCache().subscribe(() => {
      stop();
      resolve();
    });
  });

/** The second frame begins after the first has been painted. A page in the background paints none. */
async function painted(): Promise<void> {
  if (document.hidden) return;
  await nextFrame();
  await nextFrame();
}

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

/** The worker fetches its files on the line and the cores that the first page's own reads still use. */
const workerAfterMs = 2000;

const later = (work: () => void): void => void afterFirstScreen().then(work);

/** What no first screen needs. */
function startRest(): void {
  // It asks the server what has changed since the page's first reads.
  later(startRealtime);
  later(prefetchFigures);
  later(() => setTimeout(startWorker, workerAfterMs));
  later(startForPerson);
  later(() => followSession(startForPerson));
}

let isPersonServed = false;

/** What only a person who is signed in needs; a guest fetches nothing of it. */
function startForPerson(): void {
  if (isPersonServed || !isSignedIn(readSession())) return;
  isPersonServed = true;
  later(() => void renewPush());
  later(async () => {
    const { startNewsWatch } = await import('../features/notifications/news-watch.ts');
    startNewsWatch(
      () => location.pathname + location.search,
      (listener) => appRouter().subscribe('onResolved', listener),
    );
  });
  // Messages typed without a connection wait in the browser; they are sent whatever page is opened.
  later(async () => (await import('../features/chat/outbox.ts')).startOutbox());
  later(async () => (await import('../features/rides/live/step-queue.ts')).startStepQueue());
}

/** What one person read is nothing for the next one on the same device. */
function startAnewForEachPerson(): void {
  let reader = readSession().id;
  followSession(() => {
    const { id } = readSession();
    if (id === reader) return;
    reader = id;
    queryClient.clear();
    takeUpInstallation();
    void prefetchConfig();
    void renewPush();
  });
}

/**
 * Where the HTML holds the first screen of a guest, the app takes over once it can draw the same: its page is
 * loaded before anything is shown.
 */
async function untilDrawable(): Promise<void> {
  const isInHtml = document.querySelector('.first-screen') !== null;
  if (isInHtml && !document.documentElement.classList.contains('draws-other')) await appRouter().load();
  else drawFirstPageInSlices();
}

function show(): void {
  const home = document.getElementById('app');
  if (!home) throw new Error('The page has no #app element.');
  keepGreeting();
  const root = createRoot(besideHtmlOf(home));
  // As a transition it is drawn in slices: a tap, or the page's own paint, comes between them.
  startTransition(() =>
    root.render(
      <StrictMode>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={appRouter()} />
        </QueryClientProvider>
      </StrictMode>,
    ),
  );
}

/**
 * Where the app is drawn: what the HTML shows stays until the app shows something, and goes in the same frame
 * of the screen.
 */
function besideHtmlOf(home: HTMLElement): HTMLElement {
  const ofHtml = [...home.children];
  const own = document.createElement('div');
  own.className = 'contents';
  home.append(own);
  // The browser calls the observer before it paints the change.
  const drawn = new MutationObserver(() => {
    if (own.childElementCount === 0) return;
    drawn.disconnect();
    for (const element of ofHtml) element.remove();
  });
  drawn.observe(own, { childList: true });
  return own;
}

function startWorker(): void {
  void startInstalledApp({
    open: (path) => appRouter().history.push(safeReturn(path)),
    pushEnded: () => void renewPush(),
  }).catch(() => {
    // A browser that refuses a service worker (a private window) runs the app as a page.
  });
}

/**
 * The first words are gone with the version of this page: a worker that serves that page is replaced by the
 * newer one.
 */
async function orNewer(error: unknown): Promise<never> {
  startWorker();
  if (await renewWhereGone()) await new Promise<never>(() => {});
  throw error;
}

/** Where the person has switched push messages on; what fails is tried again at the next launch. */
async function renewPush(): Promise<void> {
  const push = await import('../features/notifications/push.ts');
  await push.renewPush().catch(() => {});
}
