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
const registration: { active: object | null; waiting: object | null } = { active: null, waiting: null };
vi.stubGlobal('navigator', {
  serviceWorker: {
    addEventListener: () => {},
    controller: null,
    ready: new Promise(() => {}),
    getRegistration: async () => registration,
  },
});

beforeEach(() => vi.resetModules());

const [first, second] = [{}, {}];

test.each([
  ['the first one of a browser, slow to become active', null, first, false],
  ['the first one, active by the time it is looked at', first, null, false],
  ['one behind an earlier one', first, second, true],
])('a worker that waits: %s', async (_what, active, waits, newer) => {
  vi.useFakeTimers();
  const { startInstalledApp, useWaitingVersion } = await import('./installed-app.ts');
  await startInstalledApp({ open: () => {}, pushEnded: () => {} });
  Object.assign(registration, { active, waiting: waits });
  heard.get('waiting')!();
  await vi.advanceTimersByTimeAsync(0);
  expect(useWaitingVersion()).toBe(newer);
  vi.useRealTimers();
});
