import { beforeEach, expect, test, vi } from 'vitest';
import { stubBrowser } from '../../../core/stub-browser.ts';

stubBrowser();
const { arrivalAt, stillToCome } = await import('./car.ts');

const at = (time: string) => `2026-11-24T${time}:00.000Z`;
beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse(at('12:34')) });
});

test('an arrival in the past is none: the planned time counts', () => {
  const car = {
    rideId: 'ride',
    lon: 0,
    lat: 0,
    headingDegrees: null,
    at: at('12:25'),
    arrivals: [
      { kind: 'pickup' as const, bookingId: 'mia', at: at('12:31') },
      { kind: 'dropoff' as const, bookingId: 'mia', at: at('12:40') },
    ],
  };
  expect(arrivalAt(car, 'pickup', 'mia')).toBeUndefined();
  expect(arrivalAt(car, 'dropoff', 'mia')).toBe(at('12:40'));
  expect(arrivalAt(null, 'pickup', 'mia')).toBeUndefined();
  // A car that has just stopped keeps its time for a moment.
  expect(stillToCome(at('12:33'))).toBe(at('12:33'));
  expect(stillToCome(at('12:32'))).toBeUndefined();
});
