import { expect, test } from 'vitest';
import { UndoLog } from './undo-log.ts';

const filled = () => {
  const log = new UndoLog();
  const map = new Map([
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ]);
  const set = new Set(['x', 'y', 'z']);
  return { log, map, set, entries: () => [[...map], [...set].toSorted()] };
};

test('what is changed after a mark is undone, a map in its order; what was changed before it stays', () => {
  const { log, map, set, entries } = filled();
  log.set(map, 'b', 20);
  const before = entries();
  const undo = log.mark();
  log.set(map, 'b', 21);
  log.set(map, 'd', 4);
  expect(log.delete(map, 'a')).toBe(true);
  log.set(map, 'a', 10);
  expect(log.delete(set, 'x')).toBe(true);
  log.add(set, 'w');
  log.add(set, 'y');
  expect(log.delete(set, 'not there')).toBe(false);
  undo();
  expect(entries()).toEqual(before);
});

test('each of several works is undone alone', () => {
  const { log, map, entries } = filled();
  const first = log.mark();
  log.set(map, 'a', 10);
  const afterFirst = entries();
  const second = log.mark();
  log.delete(map, 'a');
  second();
  expect(entries()).toEqual(afterFirst);
  first();
  expect(map.get('a')).toBe(1);
});

test('what was written before is not undone', () => {
  const { log, map } = filled();
  const undo = log.mark();
  log.set(map, 'a', 10);
  log.clear();
  undo();
  expect(map.get('a')).toBe(10);
});
