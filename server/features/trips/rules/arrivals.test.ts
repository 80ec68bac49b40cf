import { expect, test } from 'vitest';
import { arrivalsAt, type StopAhead } from './arrivals.ts';

const minute = 60_000;
const stop = (agreed: number, over: Partial<StopAhead> = {}): StopAhead => ({
  agreedMs: agreed * minute,
  waits: false,
  boardingMs: minute,
  toNextMs: 5 * minute,
  ...over,
});

const cases: { name: string; now: number; toFirst: number; stops: StopAhead[]; minutes: number[] }[] = [
  { name: 'nothing ahead', now: 10, toFirst: 3, stops: [], minutes: [] },
  { name: 'on time', now: 10, toFirst: 5, stops: [stop(15, { waits: true }), stop(21)], minutes: [15, 21] },
  {
    name: 'early: waits',
    now: 5,
    toFirst: 5,
    stops: [stop(15, { waits: true }), stop(20)],
    minutes: [10, 20],
  },
  { name: 'early at a drop-off', now: 5, toFirst: 5, stops: [stop(15), stop(21)], minutes: [10, 16] },
  { name: 'late', now: 20, toFirst: 5, stops: [stop(15, { waits: true }), stop(21)], minutes: [25, 31] },
  {
    name: 'the start is left at the agreed time',
    now: 0,
    toFirst: 0,
    stops: [stop(8, { waits: true, boardingMs: 0 }), stop(13)],
    minutes: [0, 13],
  },
];
test.each(cases)('$name', ({ now, toFirst, stops, minutes }) => {
  expect(arrivalsAt(now * minute, toFirst * minute, stops)).toEqual(minutes.map((each) => each * minute));
});
