import { beforeEach, expect, test, vi } from 'vitest';

// What the installed app needs of a browser.
vi.mock('react', () => ({
  useSyncExternalStore: (_subscribe: unknown, read: () => unknown) => read(),
}));
vi.stubEnv('PROD', true);
vi.stubGlobal('addEventListener', () => {});
interface Waiting {
  postMessage: (data: unknown, ports?: MessagePort[]) => void;
}
const registration = {
  active: null as object | null,
  waiting: null as Waiting | null,
  installing: null as EventTarget | null,
  addEventListener: () => {},
  update: async () => undefined,
};
vi.stubGlobal('navigator', {
  serviceWorker: {
    addEventListener: () => {},
    controller: null,
    ready: new Promise(() => {}),
    register: async () => registration,
  },
});
const kept = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
});
const own = '/assets/index-1.js';
vi.stubGlobal('document', {
  readyState: 'complete',
  querySelectorAll: () => [{ getAttribute: () => own }],
});

beforeEach(() => {
  vi.resetModules();
  kept.clear();
  Object.assign(registration, { active: null, waiting: null, installing: null });
});

/** A worker that was built with these files. */
const builtWith = (file: string): Waiting => ({
  postMessage: (data, ports) => {
    expect(data).toEqual({ type: 'HOLDS_FILES', names: [own] });
    ports![0]!.postMessage(file === own);
  },
});
const silent: Waiting = { postMessage: () => {} };

test.each([
  ['the first one of a browser, slow to become active', null, builtWith(own), false],
  ['the first one, active by the time it is looked at', {}, null, false],
  ['one of the page’s own build behind another', {}, builtWith(own), false],
  ['one that does not say what it holds', {}, silent, false],
  ['one of another build behind an earlier one', {}, builtWith('/assets/index-2.js'), true],
])('a worker that waits: %s', async (_what, active, waits, newer) => {
  const { startInstalledApp, useWaitingVersion } = await import('./installed-app.ts');
  const fetched = Object.assign(new EventTarget(), { state: 'installing' });
  registration.installing = fetched;
  await startInstalledApp({ open: () => {}, pushEnded: () => {} });
  Object.assign(registration, { active, waiting: waits });
  fetched.state = 'installed';
  fetched.dispatchEvent(new Event('statechange'));
  await new Promise((next) => setTimeout(next, 50));
  expect(useWaitingVersion()).toBe(newer);
});

test('a page that lacks a file is loaded again where the server has another version, once and not in a circle', async () => {
  const reload = vi.fn<() => void>();
  vi.stubGlobal('location', { reload });
  const { renewWhereGone, startInstalledApp } = await import('./installed-app.ts');
  await startInstalledApp({ open: () => {}, pushEnded: () => {} });
  const asked = vi.fn<(name: string, init: RequestInit) => Promise<Response>>();
  vi.stubGlobal('fetch', asked);

  asked.mockRejectedValueOnce(new TypeError('no connection'));
  expect(await renewWhereGone()).toBe(false);
  asked.mockResolvedValueOnce(new Response(null, { status: 200 }));
  expect(await renewWhereGone()).toBe(false);
  asked.mockResolvedValueOnce(new Response(null, { status: 404 }));
  // The newer worker never comes.
  vi.useFakeTimers();
  const renewed = [renewWhereGone(), renewWhereGone()];
  await vi.advanceTimersByTimeAsync(30_000);
  vi.useRealTimers();
  expect(await Promise.all(renewed)).toEqual([true, true]);
  expect(reload).toHaveBeenCalledOnce();
  vi.resetModules();
  const next = await import('./installed-app.ts');
  expect(await next.renewWhereGone()).toBe(false);
  expect(asked.mock.calls.map(([name, { method }]) => [name, method])).toEqual(
    Array.from({ length: 3 }, () => [own, 'HEAD']),
  );
});

test('a newer version that waits is let in without another file of this one', async () => {
  const told = vi.fn<(data: unknown) => void>();
  registration.active = {};
  registration.waiting = {
    postMessage: (data, ports) => {
      told(data);
      ports?.[0]?.postMessage(false);
    },
  };
  const { loadNewer, startInstalledApp } = await import('./installed-app.ts');
  await startInstalledApp({ open: () => {}, pushEnded: () => {} });
  await loadNewer();
  expect(told).toHaveBeenLastCalledWith({ type: 'SKIP_WAITING' });
});
