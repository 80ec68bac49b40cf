import { beforeEach, expect, test, vi } from 'vitest';
import type { OfflineQueue } from './offline-queue.ts';
import * as shape from './shape.ts';

// What a queue needs of a browser.
const browser = new Map<string, string>();
vi.stubGlobal('addEventListener', () => {});
vi.stubGlobal('navigator', { languages: ['en'], onLine: true });
vi.stubGlobal('localStorage', {
  getItem: (key: string) => browser.get(key) ?? null,
  setItem: (key: string, value: string) => browser.set(key, value),
});
vi.mock('react', () => ({}));

const { guest, signIn } = await import('./session.ts');
const { Offline, Refused, ServerTrouble } = await import('./errors.ts');
const { offlineQueue, queuedItem } = await import('./offline-queue.ts');

const schema = shape.fields({
  ...queuedItem,
  key: shape.text,
  thing: shape.text,
  refused: shape.text.nullable().catch(null),
});
type Item = shape.Shaped<typeof schema>;

let names = 0;
/** A queue of its own, and what it has sent so far; `answer` throws what the server or the network does. */
function newQueue(answer: (item: Item) => void) {
  const sent: string[] = [];
  names += 1;
  const queue: OfflineQueue<Item> = offlineQueue({
    name: `test${names}`,
    schema,
    keyOf: ({ key }) => key,
    thingOf: ({ thing }) => thing,
    send: async (item) => {
      answer(item);
      sent.push(item.key);
    },
    onRefused: ({ key }, { reason }) => queue.amend(key, { refused: reason }),
  });
  const add = (...keys: string[]) => {
    for (const key of keys) queue.add({ key, thing: key[0]!, userId: 'dora', waited: false, refused: null });
  };
  const left = () => queue.read().map(({ key, waited, refused }) => ({ key, waited, refused }));
  return { queue, sent, add, left };
}
const as = (id: string) =>
  signIn({ ...guest, id, accessToken: 'token', authed: true, expiresAt: Date.now() + 3_600_000 });
const refusal = (code: number, data: object = {}) =>
  new Refused({ code, info: 'No.', reason: 'not.now', data });

beforeEach(() => {
  vi.useFakeTimers();
  as('dora');
});

test('what waits is sent in its order, and is gone', async () => {
  const { sent, add, left } = newQueue(() => {});
  add('a1', 'b1', 'a2');
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toEqual(['a1', 'b1', 'a2']);
  expect(left()).toEqual([]);
});

test('without a connection all of it waits, with growing pauses', async () => {
  let tries = 0;
  let online = false;
  const { sent, add, left } = newQueue(() => {
    tries += 1;
    if (!online) throw new Offline(false);
  });
  add('a1', 'b1');
  await vi.advanceTimersByTimeAsync(0);
  expect(left()).toEqual([
    { key: 'a1', waited: true, refused: null },
    { key: 'b1', waited: false, refused: null },
  ]);
  // After 1, 2 and 4 seconds.
  await vi.advanceTimersByTimeAsync(7000);
  expect(tries).toBe(4);
  online = true;
  await vi.advanceTimersByTimeAsync(8000);
  expect(sent).toEqual(['a1', 'b1']);
});

test('one that cannot be sent holds up its own ride or room alone', async () => {
  let broken = true;
  const { sent, add } = newQueue(({ key }) => {
    if (broken && key === 'a1') throw new ServerTrouble(503, '');
  });
  add('a1', 'a2', 'b1');
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toEqual(['b1']);
  broken = false;
  await vi.advanceTimersByTimeAsync(1000);
  expect(sent).toEqual(['b1', 'a1', 'a2']);
});

test('what the server refuses is marked, and what comes after it is sent', async () => {
  const { sent, add, left } = newQueue(({ key }) => {
    if (key === 'a1') throw refusal(422);
  });
  add('a1', 'a2');
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toEqual(['a2']);
  expect(left()).toEqual([{ key: 'a1', waited: false, refused: 'not.now' }]);
});

test('a server that asks for patience gets it', async () => {
  let busy = true;
  const { sent, add } = newQueue(() => {
    if (busy) throw refusal(429, { retryAfterSeconds: 20 });
  });
  add('a1');
  await vi.advanceTimersByTimeAsync(0);
  busy = false;
  await vi.advanceTimersByTimeAsync(19_000);
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(sent).toEqual(['a1']);
});

test('it waits for its person: after a lost session, and while another one is signed in', async () => {
  let ended = true;
  const { queue, sent, add } = newQueue(() => {
    if (ended) throw refusal(400);
  });
  add('a1');
  await vi.advanceTimersByTimeAsync(60_000);
  ended = false;
  as('leo');
  await queue.send();
  expect(sent).toEqual([]);
  as('dora');
  await queue.send();
  expect(sent).toEqual(['a1']);
});

test('an earlier visit’s items are sent at the start; nonsense is dropped', async () => {
  const item = { key: 'a1', thing: 'a', userId: 'dora' };
  browser.set(`sameway.test${names + 1}`, JSON.stringify([item]));
  browser.set(`sameway.test${names + 2}`, '[{"key":1}]');
  const earlier = newQueue(() => {});
  earlier.queue.start();
  const { queue } = newQueue(() => {});
  await vi.advanceTimersByTimeAsync(0);
  expect(earlier.sent).toEqual(['a1']);
  expect(queue.read()).toEqual([]);
});
