import { beforeEach, expect, test, vi } from 'vitest';

// What a live connection needs of a browser: its events, its storage, and a socket that does what
// socket.io-client does.
const heard = new Map<string, (() => void)[]>();
vi.stubGlobal('addEventListener', (kind: string, listener: () => void) => {
  heard.set(kind, [...(heard.get(kind) ?? []), listener]);
});
const browser = { onLine: true, languages: ['en'] };
vi.stubGlobal('navigator', browser);
vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {} });

const socket = {
  listeners: new Map<string, (reason?: string) => void>(),
  connected: false,
  active: true,
  /** The next attempt waits for its pause between two tries. */
  pausing: false,
  on(kind: string, listener: (reason?: string) => void) {
    this.listeners.set(kind, listener);
  },
  connect() {
    // Like the real one: nothing while it calls itself connected, nothing while a pause lasts.
    if (this.connected || this.pausing) return;
    this.connected = true;
    this.listeners.get('connect')?.();
  },
  disconnect() {
    const was = this.connected;
    this.connected = false;
    this.pausing = false;
    if (was) this.listeners.get('disconnect')?.('io client disconnect');
  },
};
vi.mock('socket.io-client', () => ({ io: () => socket }));
vi.mock('react', () => ({
  useEffect: () => {},
  useSyncExternalStore: (_: unknown, read: () => unknown) => read(),
}));
vi.stubGlobal('fetch', async () => Response.json({ code: 200, info: 'OK', data: {} }));

const { guest, signIn } = await import('./session.ts');
const { startRealtime, useConnectionState } = await import('./realtime.ts');
signIn({ ...guest, id: 'mia', accessToken: 'token', authed: true, expiresAt: Date.now() + 3_600_000 });
startRealtime();
await vi.waitFor(() => expect(socket.listeners.size).toBeGreaterThan(0));

const network = (up: boolean) => {
  browser.onLine = up;
  for (const listener of heard.get(up ? 'online' : 'offline') ?? []) listener();
};
beforeEach(() => {
  network(true);
  socket.connect();
  expect(useConnectionState()).toBe('online');
});

test('a short time without a network that leaves the socket open ends with the network’s return', () => {
  network(false);
  expect(useConnectionState()).toBe('offline');
  expect(socket.connected).toBe(true);
  network(true);
  expect(useConnectionState()).toBe('online');
});

test('a socket that was lost is connected at once, whatever pause it was in', () => {
  network(false);
  socket.connected = false;
  socket.pausing = true;
  socket.listeners.get('disconnect')!('transport close');
  expect(useConnectionState()).toBe('offline');
  network(true);
  expect(socket.connected).toBe(true);
  expect(useConnectionState()).toBe('online');
});
