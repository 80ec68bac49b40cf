import { expect, test, vi } from 'vitest';
import type { Message } from '#contract/chat/endpoints.ts';

// What calls need of a browser.
vi.stubGlobal('addEventListener', () => {});
vi.stubGlobal('navigator', { languages: ['en-US'] });
vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {} });
const asked = vi.fn<(url: string) => Promise<Response>>();
vi.stubGlobal('fetch', asked);
const { openRoomLog } = await import('./room-log.ts');

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const message = (seq: number, roomid = 'room') => ({ roomid, seq, text: `line ${seq}` }) as Message;
/** A room of `count` messages, read by position as the server does. */
const roomOf = (count: number) =>
  asked.mockImplementation(async (url) => {
    const query = new URL(url, 'https://sameway.example').searchParams;
    const [after, size] = [Number(query.get('after')), Number(query.get('size'))];
    const messages = Array.from({ length: count }, (_, index) => message(index + 1)).slice(
      after,
      after + size,
    );
    return Response.json({ code: 200, info: 'OK', data: { messages } });
  });

test('what arrives is kept once and in order, and what is missing between is read', async () => {
  roomOf(2);
  const log = openRoomLog('room', { readSeq: 0, lastSeq: 2 });
  const held = () => log.read().messages.map(({ seq }) => seq);
  await log.catchUp();
  expect(held()).toEqual([1, 2]);
  for (const each of [message(3), message(3), message(2), message(4, 'another')]) log.take(each);
  expect(held()).toEqual([1, 2, 3]);
  // Four and five were lost on the way.
  roomOf(6);
  log.take(message(6));
  await vi.waitFor(() => expect(held()).toEqual([1, 2, 3, 4, 5, 6]), { timeout: 5000 });
});

test('a message that overtakes another is shown after it, and nothing is read', async () => {
  roomOf(2);
  const log = openRoomLog('room', { readSeq: 0, lastSeq: 2 });
  await log.catchUp();
  asked.mockClear();
  for (const each of [message(5), message(4), message(3)]) log.take(each);
  const held = () => log.read().messages.map(({ seq }) => seq);
  expect(held()).toEqual([1, 2, 3, 4, 5]);
  // Each gap has its own time: that of the first one is over while the second one is filled.
  await sleep(400);
  log.take(message(7));
  await sleep(200);
  log.take(message(6));
  expect(held()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  await sleep(600);
  expect(asked).not.toHaveBeenCalled();
});

test('a read that fails says so, and the next one goes on where it ended', async () => {
  roomOf(1);
  const log = openRoomLog('room', { readSeq: 0, lastSeq: 1 });
  await log.catchUp();
  asked.mockRejectedValueOnce(new TypeError('no connection'));
  await log.catchUp();
  expect(log.read()).toMatchObject({ error: { name: 'Offline' }, messages: [{ seq: 1 }] });
  roomOf(2);
  await log.catchUp();
  expect(log.read()).toMatchObject({ error: null, messages: [{ seq: 1 }, { seq: 2 }] });
});

test('without a connection the last lines are those kept, and what came since follows when it is back', async () => {
  roomOf(100);
  const first = openRoomLog('kept', { readSeq: 100, lastSeq: 100 });
  await first.catchUp();
  asked.mockRejectedValue(new TypeError('no connection'));
  const log = openRoomLog('kept', { readSeq: 100, lastSeq: 102 });
  await log.catchUp();
  expect(log.read()).toMatchObject({ loaded: true, before: 40, error: { name: 'Offline' } });
  expect(log.read().messages.at(-1)?.seq).toBe(100);
  roomOf(102);
  await log.catchUp();
  expect(log.read()).toMatchObject({ error: null });
  expect(log.read().messages.map(({ seq }) => seq)).toEqual(Array.from({ length: 62 }, (_, at) => at + 41));
});

test('older messages are read before the first one held, without a gap', async () => {
  roomOf(300);
  const log = openRoomLog('room', { readSeq: 290, lastSeq: 300 });
  await log.catchUp();
  expect(log.read().messages.map(({ seq }) => seq)).toEqual(Array.from({ length: 60 }, (_, at) => at + 241));
  await log.older();
  expect(log.read().messages.map(({ seq }) => seq)).toEqual(Array.from({ length: 260 }, (_, at) => at + 41));
});
