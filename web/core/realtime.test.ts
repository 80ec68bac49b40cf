import { expect, test, vi } from 'vitest';

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
type Given = { token: string; readingForMs?: number };
let opened = 0;
let authOf: (give: (given: Given) => void) => void = () => {};
vi.mock('socket.io-client', () => ({
  io: ({ auth }: { auth: typeof authOf }) => {
    authOf = auth;
    opened += 1;
    return socket;
  },
}));
/** Opens the socket as the library does: the app says who it is, then it is connected. */
async function open(takesMs = 0): Promise<Given> {
  const given = await new Promise<Given>((resolve) => authOf(resolve));
  vi.setSystemTime(Date.now() + takesMs);
  socket.connect();
  return given;
}
vi.mock('react', () => ({
  useEffect: () => {},
  useSyncExternalStore: (_: unknown, read: () => unknown) => read(),
}));
vi.stubGlobal('fetch', async () => Response.json({ code: 200, info: 'OK', data: {} }));

const { guest, signIn } = await import('./session.ts');
const { startRealtime, useConnectionState } = await import('./realtime.ts');
const { queryClient } = await import('./query-client.ts');
vi.useFakeTimers({ toFake: ['Date'] });
/** A read that is shown, and whether it is to be made again. */
const isReadAgain = () => queryClient.getQueryState(['/order/list', {}])?.isInvalidated;
const readOrders = () => {
  queryClient.removeQueries();
  queryClient.setQueryData(['/order/list', {}], { orders: [] });
};
signIn({ ...guest, id: 'mia', accessToken: 'token', authed: true, expiresAt: Date.now() + 3_600_000 });
startRealtime();
await vi.waitFor(() => expect(socket.listeners.size).toBeGreaterThan(0));

const network = (up: boolean) => {
  browser.onLine = up;
  for (const listener of heard.get(up ? 'online' : 'offline') ?? []) listener();
};

test('the first connection says how long the app has been reading, and reads nothing again itself', async () => {
  readOrders();
  const { token, readingForMs } = await open();
  expect(token).toBe('token');
  expect(readingForMs).toBeCloseTo(Date.now() - performance.timeOrigin, -1);
  expect(isReadAgain()).toBe(false);
  socket.listeners.get('changed')!({ topic: 'order', id: 'ride-1', news: null } as never);
  expect(isReadAgain()).toBe(true);
});

test('after a break everything is read again, and the server is asked for nothing', async () => {
  readOrders();
  socket.connected = false;
  socket.listeners.get('disconnect')!('transport close');
  expect(await open()).toEqual({ token: 'token' });
  expect(isReadAgain()).toBe(true);
});

test('where opening the first connection takes long, everything is read again', async () => {
  signIn({ ...guest, id: 'leo', accessToken: 'token', authed: true, expiresAt: Date.now() + 3_600_000 });
  await vi.waitFor(() => expect(opened).toBe(2));
  readOrders();
  const { readingForMs } = await open(5001);
  expect(readingForMs).toBeLessThan(2000);
  expect(isReadAgain()).toBe(true);
});

function goOnline(): void {
  network(true);
  socket.connect();
}

test('a short time without a network that leaves the socket open ends with the network’s return', () => {
  goOnline();
  network(false);
  expect(useConnectionState()).toBe('offline');
  expect(socket.connected).toBe(true);
  network(true);
  expect(useConnectionState()).toBe('online');
});

test('a socket that was lost is connected at once, whatever pause it was in', () => {
  goOnline();
  network(false);
  socket.connected = false;
  socket.pausing = true;
  socket.listeners.get('disconnect')!('transport close');
  expect(useConnectionState()).toBe('offline');
  network(true);
  expect(socket.connected).toBe(true);
  expect(useConnectionState()).toBe('online');
});
