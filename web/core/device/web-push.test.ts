import { beforeEach, expect, test, vi } from 'vitest';

/** What the browser has registered by now. */
let registered: object | undefined;
let settle: () => void;
let settled: Promise<void>;
vi.mock('../installed-app.ts', () => ({ runsInstalled: () => false, workerSettled: () => settled }));
vi.stubGlobal('navigator', {
  userAgent: 'Chrome',
  platform: 'Linux',
  maxTouchPoints: 0,
  serviceWorker: { getRegistration: async () => registered },
});
vi.stubGlobal('Notification', { permission: 'default' });
vi.stubGlobal('window', { PushManager: {}, Notification: {} });
const { webPush } = await import('./web-push.ts');

beforeEach(() => {
  registered = undefined;
  settled = new Promise((resolve) => (settle = resolve));
});

test('a first visit may ask for push messages as soon as its service worker is registered', async () => {
  const standing = webPush.standing([]);
  registered = {};
  settle();
  expect(await standing).toBe('askable');
});

test('a browser that registers no service worker has no push messages', async () => {
  settle();
  expect(await webPush.standing([])).toBe('unsupported');
});
