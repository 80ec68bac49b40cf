import { expect, test } from 'vitest';
import { answerBy, hoursAhead, waitUntil } from './deadlines.ts';

const departsAt = new Date('2026-11-24T09:00:00Z');

const latestDepartsAt = new Date('2026-11-24T10:00:00Z');
test.each([
  ['ask', '2026-11-24T05:00:00Z', '2026-11-24T08:00:00Z'],
  ['invite', '2026-11-24T05:00:00Z', '2026-11-24T09:30:00Z'],
  ['ask', '2026-11-24T09:10:00Z', '2026-11-24T09:30:00Z'],
  // Within the last minutes before that cut, and after it, there is time for an answer all the same.
  ['ask', '2026-11-24T09:29:59Z', '2026-11-24T09:39:59Z'],
  ['ask', '2026-11-24T09:40:00Z', '2026-11-24T09:50:00Z'],
  ['ask', '2026-11-24T09:55:00Z', '2026-11-24T10:00:00Z'],
] as const)('%s at %s: until %s', (move, now, until) => {
  expect(answerBy(move, new Date(now), latestDepartsAt)).toEqual(new Date(until));
});

test.each([
  ['2026-11-24T08:00:00Z', '2026-11-24T08:30:00Z'],
  ['2026-11-24T09:10:00Z', '2026-11-24T09:30:00Z'],
  ['2026-11-24T09:45:00Z', '2026-11-24T09:55:00Z'],
  ['2026-11-24T09:59:00Z', '2026-11-24T10:00:00Z'],
  ['2026-11-24T10:00:00Z', null],
])('a request that could not have been seen at %s waits until %s', (now, until) => {
  expect(waitUntil(new Date(now), latestDepartsAt)).toEqual(until === null ? null : new Date(until));
});

test.each([
  ['2026-11-24T07:00:01Z', [2, 24], 2],
  ['2026-11-24T06:59:59Z', [2, 24], 24],
  ['2026-11-23T08:59:59Z', [2, 24], null],
  ['2026-11-24T06:59:59Z', [48, 6], 6],
  ['2026-11-23T08:59:59Z', [48, 6], 48],
  ['2026-11-24T09:30:00Z', [2, 24], 2],
])('at %s, by the figures %j: %s', (now, figures, hours) => {
  expect(hoursAhead(new Date(now), departsAt, figures)).toBe(hours);
});
