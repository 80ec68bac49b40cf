import { useSyncExternalStore } from 'react';
import type { Workbox } from 'workbox-window';
import type { KeepFiles } from '../service-worker/keep-files.ts';
import type { FromWorker } from '../service-worker/pushed.ts';
import { isSignedIn, readSession } from './session.ts';

/** How long to wait for a newer version to arrive before the page is simply loaded again. */
const arrivalMs = 20_000;
const lookAgainMs = 30 * 60_000;
/** What may be needed later is fetched this long after a page was opened. */
const restAfterMs = 5000;

/** Chromium's offer to put the app on the home screen; other browsers have only their own menu for it. */
interface InstallOffer extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

let workbox: Workbox | null = null;
let waiting = false;
let arrived: () => void;
const arrival = new Promise<void>((resolve) => (arrived = resolve));
let offer: InstallOffer | null = null;
let loadsNewer = false;
const listeners = new Set<() => void>();
const tell = () => {
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/**
 * Puts the service worker in place, by which the app opens without a connection and hears of news while it is
 * closed. Only the built app has one. Called once, at launch.
 * @param open shows a page of the app, when a notification of it was tapped.
 * @param pushEnded is called when the push service has ended this device's subscription.
 */
export async function startInstalledApp(to: {
  open: (path: string) => void;
  pushEnded: () => void;
}): Promise<void> {
  addEventListener('beforeinstallprompt', (event) => {
    // Asked for when the person looks for it, not over what they are doing.
    event.preventDefault();
    offer = event as InstallOffer;
    tell();
  });
  addEventListener('appinstalled', () => {
    offer = null;
    tell();
  });
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
    if (data.kind === 'open') to.open(data.path);
    if (data.kind === 'pushEnded') to.pushEnded();
  });
  const { Workbox } = await import('workbox-window');
  // The first one takes an open page over without changing anything in it.
  const hadOne = navigator.serviceWorker.controller !== null;
  const installed = new Workbox('/sw.js');
  installed.addEventListener('waiting', () => void noteWaiting());
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (loadsNewer) location.reload();
    else if (hadOne) reloadUnseen();
  });
  await installed.register();
  workbox = installed;
  void navigator.serviceWorker.ready.then(keepFiles);
  setInterval(() => lookForNewer(), lookAgainMs);
}

/**
 * Has the worker keep what this page has loaded, and once nothing else is to do everything else: for people
 * who come back (they are signed in, or have put the app on the home screen), unless they save data.
 */
function keepFiles({ active }: ServiceWorkerRegistration): void {
  const ask = (everything: boolean) => {
    const used = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
    active?.postMessage({ type: 'KEEP_FILES', used, everything } satisfies KeepFiles);
  };
  ask(false);
  const saves =
    'connection' in navigator && (navigator.connection as { saveData?: boolean }).saveData === true;
  setTimeout(() => {
    const comesBack = isSignedIn(readSession()) || runsInstalled();
    const rest = () => ask(comesBack && !saves);
    if ('requestIdleCallback' in globalThis) requestIdleCallback(rest, { timeout: 60_000 });
    else rest();
  }, restAfterMs);
}

/**
 * A newer version is a worker that waits behind an earlier, active one. Firefox takes so long to activate the
 * first worker of a browser that workbox calls it waiting as well; nothing is newer then.
 */
async function noteWaiting(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  if (!registration?.active || !registration.waiting) return;
  waiting = true;
  arrived();
  tell();
}

/**
 * The files of this page are gone with its version, so it is loaded again where no one is in the midst of
 * something.
 */
function reloadUnseen(): void {
  if (document.hidden) location.reload();
  else addEventListener('visibilitychange', () => location.reload(), { once: true });
}

/** Asks whether the server serves a newer version; it is fetched in the background, and then waits. */
export function lookForNewer(): void {
  void workbox?.update().catch(() => {
    // Without a connection there is nothing newer.
  });
}

/** Whether a newer version has been fetched and waits to be let in. */
export function useWaitingVersion(): boolean {
  return useSyncExternalStore(subscribe, () => waiting);
}

/**
 * Lets the newer version in and loads the page again; without a service worker loading it again is all there
 * is.
 */
export async function loadNewer(): Promise<void> {
  loadsNewer = true;
  if (workbox === null) {
    location.reload();
    return;
  }
  lookForNewer();
  await Promise.race([arrival, new Promise((resolve) => setTimeout(resolve, arrivalMs))]);
  if (waiting) workbox.messageSkipWaiting();
  else location.reload();
}

/** Puts the app on the home screen; null where the browser does not offer it (now). */
export function useInstallOffer(): (() => void) | null {
  const current = useSyncExternalStore(subscribe, () => offer);
  if (current === null) return null;
  return () => {
    // An offer can be shown once; after a "no" the browser decides when there is a next one.
    void current.prompt();
    offer = null;
    tell();
  };
}

/** Whether the app runs from the home screen. */
export const runsInstalled = (): boolean =>
  matchMedia('(display-mode: standalone)').matches ||
  ('standalone' in navigator && navigator.standalone === true);
