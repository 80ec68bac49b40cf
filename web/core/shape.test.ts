import { expect, test } from 'vitest';
import * as shape from './shape.ts';

const trip = shape.fields({
  name: shape.text,
  seats: shape.whole(1, 8).catch(1),
  back: shape.fields({ local: shape.text }).nullable().catch(null),
  days: shape.list(shape.whole(1, 7), 7),
  kind: shape.oneOf('once', 'weekly'),
});
const sound = { name: 'Pier', seats: 3, back: { local: '07:15' }, days: [1, 5], kind: 'once' };

test('what has the shape is read as it is, without fields of another version', () => {
  expect(trip.safeParse({ ...sound, color: 'red' })).toEqual({ success: true, data: sound });
});

test.each<[string, object]>([
  ['a missing field', { name: undefined }],
  ['another kind of value', { name: 7 }],
  ['an item that does not belong', { days: [1, 8] }],
  ['too many items', { days: [1, 1, 1, 1, 1, 1, 1, 1] }],
  ['a word that is none of them', { kind: 'daily' }],
])('%s is not read', (_what, part) => {
  expect(trip.safeParse({ ...sound, ...part }).success).toBe(false);
});

test.each([null, undefined, 'text', 7, []])('%j is no object', (raw) => {
  expect(trip.safeParse(raw).success).toBe(false);
  expect(shape.named(shape.text).safeParse(raw).success).toBe(false);
});

test('a field that says what it reads as instead never fails', () => {
  const { data } = trip.safeParse({ ...sound, seats: 1.5, back: { local: 7 } });
  expect(data).toEqual({ ...sound, seats: 1, back: null });
});

test('values under any names', () => {
  expect(shape.named(shape.figure).safeParse({ a: 1, b: 2 }).data).toEqual({ a: 1, b: 2 });
  expect(shape.named(shape.figure).safeParse({ a: 1, b: Infinity }).success).toBe(false);
});
