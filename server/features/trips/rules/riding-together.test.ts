import { expect, test } from 'vitest';
import { later, secondMs } from '../../../platform/clock.ts';
import { ridingTogether } from './riding-together.ts';

const now = new Date('2026-11-24T12:00:00Z');
/** A place `metres` north of the corner, `secondsAgo` ago. */
const at = (metres: number, secondsAgo = 0) => ({
  lon: -122,
  lat: 37 + metres / 111_195,
  at: later(now, -secondsAgo * secondMs),
});

const cases = [
  { what: 'no car', here: at(0), car: null, since: null, is: 'nothing' },
  { what: 'an old position of the car', here: at(0), car: at(0, 6), since: null, is: 'nothing' },
  { what: 'the car comes', here: at(0), car: at(140), since: null, is: 'begins' },
  { what: 'the car is elsewhere', here: at(0), car: at(10_000), since: null, is: 'nothing' },
  { what: 'the car stands', here: at(0), car: at(0), since: at(0, 60), is: 'nothing' },
  { what: 'the car drives off alone', here: at(0), car: at(600), since: at(0, 60), is: 'apart' },
  { what: 'the passenger walks away', here: at(600), car: at(0), since: at(0, 400), is: 'apart' },
  { what: 'a short way together', here: at(450), car: at(480), since: at(0, 60), is: 'nothing' },
  { what: 'both have moved', here: at(600), car: at(680), since: at(0, 60), is: 'moved' },
  { what: 'the same, with an old position', here: at(600), car: at(680, 6), since: at(0, 60), is: 'nothing' },
  { what: 'they meet an hour later', here: at(600), car: at(600), since: at(0, 3600), is: 'begins' },
] as const;

test.each(cases)('$what: $is', ({ here, car, since, is }) => {
  expect(ridingTogether(here, car, since)).toBe(is);
});
