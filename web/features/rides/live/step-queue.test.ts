import { beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';

// What the queue needs of a browser; calls are answered by the test.
const kept = new Map<string, string>();
vi.stubGlobal('addEventListener', () => {});
vi.stubGlobal('navigator', { languages: ['en'], onLine: true });
vi.stubGlobal('localStorage', {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => kept.set(key, value),
});
vi.mock('react', () => ({ useMemo: () => {}, useSyncExternalStore: () => {}, useEffect: () => {} }));
const shown = vi.hoisted(() => vi.fn<(words: string) => void>());
vi.mock('../../../ui/toasts.tsx', () => ({ toast: { error: shown } }));
const asked = vi.fn<() => Promise<Response>>();
vi.stubGlobal('fetch', asked);

const { guest, signIn } = await import('../../../core/session.ts');
const { takeStep, tryStep } = await import('./step-queue.ts');
signIn({ ...guest, id: 'dora', accessToken: 'token', authed: true, expiresAt: Date.now() + 3_600_000 });

const done = () => Response.json({ code: 200, info: 'OK', data: {} });
const wrong = () => Response.json({ code: 422, info: 'This PIN is not right.', data: {} });
const pickUp = ['pickUp', { bookingId: 'b', pin: '1234' }, { rideId: 'r', person: 'Pat' }] as const;
const queue = () =>
  z.array(z.object({ refused: z.unknown() })).parse(JSON.parse(kept.get('sameway.steps') ?? '[]'));

beforeEach(() => {
  kept.clear();
  shown.mockClear();
});

test('a screen that tries a step hears why it was refused, and says it itself', async () => {
  asked.mockImplementation(async () => wrong());
  expect(await tryStep(...pickUp)).toEqual({ kind: 'refused', words: 'This PIN is not right.' });
  expect(shown).not.toHaveBeenCalled();
  await vi.waitFor(() => expect(queue()).toEqual([]));
});

test('one that is taken without asking is refused in a toast', async () => {
  asked.mockImplementation(async () => wrong());
  takeStep(...pickUp);
  await vi.waitFor(() => expect(shown).toHaveBeenCalledWith('This PIN is not right.'));
});

test('a step that was done is told as done', async () => {
  asked.mockImplementation(async () => done());
  expect(await tryStep(...pickUp)).toEqual({ kind: 'done' });
});

test('without a connection it waits, and nobody waits for it', async () => {
  asked.mockImplementation(() => Promise.reject(new TypeError('no network')));
  expect(await tryStep(...pickUp)).toEqual({ kind: 'waits' });
  expect(queue()).toHaveLength(1);
});
