import { expect, test } from 'vitest';
import { createRecentNews } from './recent-news.ts';

const order = (id: string) => ({ topic: 'order', id, news: null });

/** The recent changes of a process that has run for an hour. */
function open() {
  let nowMs = 0;
  const news = createRecentNews(() => nowMs);
  const pass = (ms: number) => void (nowMs += ms);
  pass(3_600_000);
  return { news, pass };
}

test('it has what a person heard of within a time, each thing once, and nothing of other people', () => {
  const { news, pass } = open();
  news.note(['mia'], 'changed', order('before'));
  pass(10_000);
  news.note(['mia', 'leo'], 'changed', order('a'));
  pass(1000);
  news.note(['mia'], 'changed', order('b'));
  news.note(['mia'], 'changed', order('a'));
  news.note(['leo'], 'changed', order('of leo'));
  pass(2000);
  expect(news.within(5000, 'mia')).toEqual([
    { topic: 'order', id: 'b' },
    { topic: 'order', id: 'a' },
  ]);
  expect(news.within(1000, 'mia')).toEqual([]);
  expect(news.within(5000, 'ana')).toEqual([]);
});

test('lines and read marks count as news of their room; positions and typing count as none', () => {
  const { news } = open();
  news.note(['mia'], 'message', { roomid: 'room-1', text: 'Hello' });
  news.note(['mia'], 'read', { roomid: 'room-2' });
  news.note(['mia'], 'position', { rideId: 'ride-1' });
  news.note(['mia'], 'typing', { roomid: 'room-3' });
  expect(news.within(1000, 'mia')).toEqual([
    { topic: 'room', id: 'room-1' },
    { topic: 'room', id: 'room-2' },
  ]);
});

test('it does not know what was told before it started, during a gap, or before the clock moved', () => {
  const started = createRecentNews(() => 1000);
  expect(started.within(0, 'mia')).toEqual([]);
  expect(started.within(1, 'mia')).toBe(null);
  const { news, pass } = open();
  news.note(['mia'], 'changed', order('a'));
  news.startAnew();
  pass(1000);
  expect(news.within(1000, 'mia')).toEqual([]);
  expect(news.within(2000, 'mia')).toBe(null);
  news.note([], 'clock', { now: '2026-11-24T12:00:00Z' });
  pass(500);
  expect(news.within(1000, 'mia')).toBe(null);
});

test('it knows one minute, and says so for a person with more news than it remembers', () => {
  const { news, pass } = open();
  expect(news.within(60_000, 'mia')).toEqual([]);
  expect(news.within(60_001, 'mia')).toBe(null);
  for (let at = 0; at < 60; at++) {
    news.note(['mia'], 'changed', order(`order-${at}`));
    pass(100);
  }
  expect(news.within(6000, 'mia')).toBe(null);
  expect(news.within(2000, 'mia')).toHaveLength(20);
  // Old changes are dropped as those of others arrive.
  pass(61_000);
  news.note(['leo'], 'changed', order('a'));
  expect(news.within(60_000, 'mia')).toEqual([]);
});
