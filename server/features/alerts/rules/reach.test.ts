import { expect, test } from 'vitest';
import { mayReach } from './reach.ts';

const [santaCruz, aptos, sanJose] = [
  { lon: -122.0263, lat: 36.9741 },
  { lon: -121.9027, lat: 36.9772 },
  { lon: -121.8863, lat: 37.3382 },
];
const minuteMs = 60_000;

test.each([
  ['the way itself', { pickup: santaCruz, dropoff: aptos }, 4 * minuteMs, true],
  // 43 km there and 43 back: 26 minutes at a speed that no car drives.
  ['over the mountains and back', { pickup: santaCruz, dropoff: sanJose }, 20 * minuteMs, false],
  ['over the mountains and back, with time', { pickup: santaCruz, dropoff: sanJose }, 35 * minuteMs, true],
  ['the other way round, in the time of the way', { pickup: aptos, dropoff: santaCruz }, 4 * minuteMs, false],
])('%s', (_name, wish, mostMs, expected) => {
  expect(mayReach({ start: santaCruz, end: aptos }, wish, mostMs, 0)).toBe(expected);
});

test('a passenger who walks towards the car at both ends brings more within reach', () => {
  const ends = { start: santaCruz, end: aptos };
  const wish = { pickup: santaCruz, dropoff: sanJose };
  expect(mayReach(ends, wish, 23 * minuteMs, 0)).toBe(false);
  expect(mayReach(ends, wish, 23 * minuteMs, 2000)).toBe(true);
});
