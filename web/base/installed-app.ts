import { useSyncExternalStore } from 'react';
import type { Workbox } from 'workbox-window';
import type { FromWorker } from '../service-worker/pushed.ts';

/** How long to wait for a newer version to arrive before the page is simply loaded again. */
const arrivalMs = 20_000;
const lookAgainMs = 30 * 60_000;

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
 * Puts the service worker in place, by which the app opens without a connection and hears of news while it is closed.
 * Only the built app has one. Called once, at launch.
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
  installed.addEventListener('waiting', () => {
    waiting = true;
    arrived();
    tell();
  });
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (loadsNewer) location.reload();
    else if (hadOne) reloadUnseen();
  });
  await installed.register();
  workbox = installed;
  setInterval(() => lookForNewer(), lookAgainMs);
}

/** The files of this page are gone with its version, so it is loaded again where nobody is in the midst of something. */
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

/** Lets the newer version in and loads the page again; without a service worker loading it again is all there is. */
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
