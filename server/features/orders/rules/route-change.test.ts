import { expect, test } from 'vitest';
import { newTimesOf, windowAfter, type RouteStop } from './route-change.ts';

const at = (time: string) => new Date(`2026-11-24T${time}:00Z`);
const minute = 60_000;
const stop = (kind: RouteStop['kind'], bookingId: string | null, toNextMinutes: number): RouteStop => ({
  kind,
  bookingId,
  lon: 0,
  lat: 0,
  standsMs: kind === 'start' || kind === 'end' ? 0 : minute,
  toNextMs: toNextMinutes * minute,
  toNextMetres: 0,
  seatsTaken: 0,
});
const route = [
  stop('start', null, 10),
  stop('via', null, 5),
  stop('pickup', 'ann', 20),
  stop('dropoff', 'ann', 4),
  stop('end', null, 0),
];
const ann = { id: 'ann', pickupWalkMs: 3 * minute, dropoffWalkMs: 2 * minute };

test('times follow from the departure, standing at stops included', () => {
  expect(newTimesOf(route, at('08:00'), ann)).toMatchObject({
    pickupAt: at('08:16'),
    dropoffAt: at('08:37'),
  });
  expect(newTimesOf(route, at('08:00'), { ...ann, id: 'ben' })).toBeNull();
});

const window = { earliestAt: at('08:00'), latestAt: at('08:20'), arriveBy: at('08:45') };
const times = newTimesOf(route, at('08:00'), ann)!;
test.each([
  ['within the window nothing widens', { byMinutes: 0, departs: '08:00' }, {}, false],
  [
    'it moves with the departure',
    { byMinutes: 30, departs: '08:30' },
    { earliestAt: '08:30', latestAt: '08:50', arriveBy: '09:15' },
    false,
  ],
  [
    'a later pick-up widens its end, and the arrival with the walk',
    { byMinutes: 0, departs: '08:10' },
    { latestAt: '08:26', arriveBy: '08:49' },
    true,
  ],
  [
    'an earlier one its start, walk included',
    { byMinutes: 0, departs: '07:45' },
    { earliestAt: '07:58' },
    true,
  ],
])('%s', (_name, { byMinutes, departs }, changed, isWider) => {
  const moved = newTimesOf(route, at(departs), ann) ?? times;
  const expected = Object.fromEntries(
    Object.entries(changed as Record<string, string>).map(([key, time]) => [key, at(time)]),
  );
  expect(windowAfter(window, byMinutes * minute, moved)).toEqual({ ...window, ...expected, isWider });
});
