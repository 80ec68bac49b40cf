import { beforeEach, expect, test, vi } from 'vitest';

// What the installed app needs of a browser and of workbox.
type Listener = () => void;
const heard = new Map<string, Listener>();
vi.mock('workbox-window', () => ({
  Workbox: class {
    addEventListener(kind: string, listener: Listener) {
      heard.set(kind, listener);
    }
    register = async () => undefined;
    update = async () => undefined;
  },
}));
vi.mock('react', () => ({
  useSyncExternalStore: (_subscribe: unknown, read: () => unknown) => read(),
}));
vi.stubEnv('PROD', true);
vi.stubGlobal('addEventListener', () => {});
interface Waiting {
  postMessage: (data: unknown, ports: MessagePort[]) => void;
}
const registration: { active: object | null; waiting: Waiting | null } = { active: null, waiting: null };
vi.stubGlobal('navigator', {
  serviceWorker: {
    addEventListener: () => {},
    controller: null,
    ready: new Promise(() => {}),
    getRegistration: async () => registration,
  },
});
vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {} });
const own = '/assets/index-1.js';
vi.stubGlobal('document', { querySelectorAll: () => [{ getAttribute: () => own }] });

beforeEach(() => vi.resetModules());

/** A worker that was built with these files. */
const builtWith = (file: string): Waiting => ({
  postMessage: (data, [port]) => {
    expect(data).toEqual({ type: 'HOLDS_FILES', names: [own] });
    port!.postMessage(file === own);
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
  await startInstalledApp({ open: () => {}, pushEnded: () => {} });
  Object.assign(registration, { active, waiting: waits });
  heard.get('waiting')!();
  await new Promise((next) => setTimeout(next, 50));
  expect(useWaitingVersion()).toBe(newer);
});

test('a page that lacks a file is loaded again where the server has another version, once and not in a circle', async () => {
  const reload = vi.fn<() => void>();
  vi.stubGlobal('location', { reload });
  const { renewWhereGone } = await import('./installed-app.ts');
  const asked = vi.fn<(name: string, init: RequestInit) => Promise<Response>>();
  vi.stubGlobal('fetch', asked);

  asked.mockRejectedValueOnce(new TypeError('no connection'));
  expect(await renewWhereGone()).toBe(false);
  asked.mockResolvedValueOnce(new Response(null, { status: 200 }));
  expect(await renewWhereGone()).toBe(false);
  asked.mockResolvedValueOnce(new Response(null, { status: 404 }));
  expect(await renewWhereGone()).toBe(true);
  expect(reload).toHaveBeenCalledOnce();
  expect(await renewWhereGone()).toBe(false);
  expect(asked.mock.calls.map(([name, { method }]) => [name, method])).toEqual(
    Array.from({ length: 3 }, () => [own, 'HEAD']),
  );
});
