import { useSyncExternalStore } from 'react';
import type { FromPage } from '../service-worker/from-page.ts';
import type { FromWorker } from '../service-worker/pushed.ts';
import { isSignedIn, readSession } from './session.ts';
import { stored } from './stored.ts';
import { trustedScript } from './trusted.ts';

/** How long to wait for a newer version to arrive before the page is simply loaded again. */
const arrivalMs = 20_000;
const lookAgainMs = 30 * 60_000;
/** What may be needed later is fetched this long after a page was opened. */
const restAfterMs = 5000;
/** A worker that waits is started for the question; one that says nothing in this time is not asked again. */
const answerMs = 10_000;
/** After a page was loaded again because its files were gone, the next one waits for its person's word. */
const renewAgainMs = 60_000;
/** A request that the page has left half read keeps the former worker at work as long as the page is open. */
const takeOverMs = 3000;

/** The script and styles of this page, which identify a version. */
const ownFiles = ownFilesIn(globalThis.document);

/** Chromium's offer to put the app on the home screen; other browsers have only their own menu for it. */
interface InstallOffer extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

/** When this browser last loaded a page again for a newer version: never in a circle. */
const renewedAt = stored('renewedAt', (raw) => (typeof raw === 'number' ? raw : 0));

/** The app launched again while it is open, from its icon, a shortcut or a share; Chromium alone says so. */
interface LaunchQueue {
  setConsumer(take: (launch: { targetURL?: string }) => void): void;
}

/** Null where there is no service worker: none is registered yet, or this browser has none. */
let registration: ServiceWorkerRegistration | null = null;
let settled: () => void;
const registered = new Promise<void>((resolve) => (settled = resolve));
let waiting = false;
let arrived: () => void;
const arrival = new Promise<void>((resolve) => (arrived = resolve));
let offer: InstallOffer | null = null;
let loadsNewer = false;
let renewal: Promise<boolean> | null = null;
const listeners = new Set<() => void>();
const tell = () => {
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/**
 * Registers the service worker, with which the app opens without a connection and gets notifications while it
 * is closed. Only the built app has one. Called once, at launch.
 * @param open shows a page of the app, when a notification of it was tapped.
 * @param pushEnded called when the push service has ended this device's subscription.
 */
export async function startInstalledApp(to: {
  open: (path: string) => void;
  pushEnded: () => void;
}): Promise<void> {
  addEventListener('beforeinstallprompt', (event) => {
    // Asked for where the person opens it, not over what they are doing.
    event.preventDefault();
    offer = event as InstallOffer;
    tell();
  });
  addEventListener('appinstalled', () => {
    offer = null;
    tell();
  });
  const { launchQueue } = globalThis as { launchQueue?: LaunchQueue };
  if (launchQueue !== undefined) followLaunches(launchQueue, to.open);
  if (import.meta.env.PROD && 'serviceWorker' in navigator) await register(to).finally(() => settled());
  else settled();
}

async function register(to: { open: (path: string) => void; pushEnded: () => void }): Promise<void> {
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
    if (data.kind === 'open') to.open(data.path);
    if (data.kind === 'pushEnded') to.pushEnded();
  });
  // The first one takes an open page over without changing anything in it.
  const hadOne = navigator.serviceWorker.controller !== null;
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (loadsNewer || isLettingIn()) location.reload();
    else if (hadOne) reloadUnseen();
  });
  if (document.readyState !== 'complete')
    await new Promise((resolve) => addEventListener('load', resolve, { once: true }));
  registration = await navigator.serviceWorker.register(trustedScript('/sw.js'));
  registration.addEventListener('updatefound', followNewer);
  followNewer();
  // It took over while this page was on its way.
  const { active } = registration;
  if (active !== null && isLettingIn() && (await holdsOwnFiles(active)) === false) location.reload();
  await noteWaiting();
  void navigator.serviceWorker.ready.then(keepFiles);
  setInterval(() => lookForNewer(), lookAgainMs);
}

const isLettingIn = (): boolean => Date.now() - renewedAt.read() < 5 * takeOverMs;

/** Hears when the worker that is being fetched now has all of its files. */
function followNewer(): void {
  registration?.installing?.addEventListener('statechange', ({ currentTarget }) => {
    if ((currentTarget as ServiceWorker).state === 'installed') void noteWaiting();
  });
}

/**
 * The open window stays as it is when the app's icon is tapped, and opens the page that a shortcut or a share
 * asks for: reloading it, as browsers do by themselves, would lose what is not stored as a draft.
 */
function followLaunches(queue: LaunchQueue, open: (path: string) => void): void {
  // The launch that opened this window is in the queue as well.
  let own: string | null = location.href;
  queue.setConsumer(({ targetURL = '' }) => {
    const isOwn = targetURL === own;
    own = null;
    const target = URL.parse(targetURL);
    // The icon's own address asks for no page.
    if (isOwn || target === null || target.pathname + target.search === '/') return;
    open(target.pathname + target.search);
  });
}

/**
 * Has the worker keep what this page has loaded, and once nothing else is to do everything else: where the
 * app is installed, and for people who are signed in where bytes cost nothing.
 */
function keepFiles({ active }: ServiceWorkerRegistration): void {
  const ask = (everything: boolean) => {
    const used = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
    active?.postMessage({ type: 'KEEP_FILES', used, everything } satisfies FromPage);
  };
  ask(false);
  setTimeout(() => {
    const { saves, metered } = connection();
    const everything = runsInstalled() ? !saves : isSignedIn(readSession()) && !saves && !metered;
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => ask(everything), { timeout: 60_000 });
    else ask(everything);
  }, restAfterMs);
}

/** What the browser says of the connection; those that say nothing are taken to be free. */
function connection(): { saves: boolean; metered: boolean } {
  const said = ('connection' in navigator ? navigator.connection : {}) as {
    saveData?: boolean;
    type?: string;
  };
  return { saves: said.saveData === true, metered: said.type === 'cellular' };
}

/**
 * A newer version is a worker that waits and does not hold this page's own files. On a first visit the worker
 * is of the same build as the page, so nothing is offered however long a browser takes to activate it.
 */
async function noteWaiting(): Promise<void> {
  const worker = registration?.active ? registration.waiting : null;
  if (!worker || (await holdsOwnFiles(worker)) !== false) return;
  waiting = true;
  arrived();
  tell();
}

function ownFilesIn(page: Document | undefined): string[] {
  const linked = page?.querySelectorAll('script[type=module][src], link[rel=stylesheet][href]') ?? [];
  return [...linked]
    .map((each) => each.getAttribute('src') ?? each.getAttribute('href') ?? '')
    .filter((name) => name.startsWith('/assets/'));
}

/** Whether a worker was built with this very page; null where it does not say. */
function holdsOwnFiles(worker: ServiceWorker): Promise<boolean | null> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const settle = (answer: boolean | null) => {
      clearTimeout(timer);
      port1.close();
      resolve(answer);
    };
    const timer = setTimeout(() => settle(null), answerMs);
    port1.addEventListener('message', ({ data }: MessageEvent<boolean>) => settle(data));
    port1.start();
    worker.postMessage({ type: 'HOLDS_FILES', names: ownFiles } satisfies FromPage, [port2]);
  });
}

/**
 * Another tab has let a newer version in: this page is loaded again while it is hidden. What the person has
 * typed is stored as drafts, except passwords, codes and files: a page that holds one is left alone.
 */
function reloadUnseen(): void {
  const reload = () => {
    if (document.hidden && !holdsSecret()) location.reload();
  };
  reload();
  addEventListener('visibilitychange', reload);
}

const holdsSecret = (): boolean =>
  [...document.querySelectorAll('input')].some(
    ({ type, autocomplete, value }) =>
      (type === 'password' || type === 'file' || autocomplete === 'one-time-code') && value !== '',
  );

/** Asks whether the server serves a newer version; it is fetched in the background, and then waits. */
export function lookForNewer(): void {
  void registration?.update().catch(() => {
    // Without a connection there is nothing newer.
  });
}

/** Whether a newer version has been fetched and waits to be let in. */
export function useWaitingVersion(): boolean {
  return useSyncExternalStore(subscribe, () => waiting);
}

/** Resolves once the service worker is registered, or it is known that none will be. */
export const workerSettled = (): Promise<unknown> =>
  Promise.race([registered, new Promise((resolve) => setTimeout(resolve, arrivalMs))]);

/**
 * Lets the newer version in and loads the page again; without a service worker loading it again is all there
 * is.
 */
export async function loadNewer(): Promise<void> {
  loadsNewer = true;
  await workerSettled();
  lookForNewer();
  if (registration !== null)
    await Promise.race([arrival, new Promise((resolve) => setTimeout(resolve, arrivalMs))]);
  renewedAt.write(Date.now());
  if (waiting) registration?.waiting?.postMessage({ type: 'SKIP_WAITING' } satisfies FromPage);
  setTimeout(() => location.reload(), waiting ? takeOverMs : 0);
}

/**
 * For a page that cannot get one of its files: where the server has a newer version and no longer the files
 * of this one, the newer one is let in and shows the same address, with all drafts. Else nothing happens.
 * @returns whether the page is being loaded again.
 */
export async function renewWhereGone(): Promise<boolean> {
  // A page asks for several files at once; each that is gone waits for the same newer version.
  renewal ??= renew();
  const isRenewed = await renewal;
  if (!isRenewed) renewal = null;
  return isRenewed;
}

async function renew(): Promise<boolean> {
  if (Date.now() - renewedAt.read() < renewAgainMs) return false;
  // The worker answers no HEAD, so the server does.
  const asked = ownFiles.map((name) => fetch(name, { method: 'HEAD', cache: 'no-store' }));
  const answers = await Promise.all(asked).catch(() => []);
  if (!answers.some(({ status }) => status === 404)) return false;
  renewedAt.write(Date.now());
  await loadNewer();
  return true;
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
