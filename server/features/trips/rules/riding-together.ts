import { greatCircleMetres } from '#roads/graph/geometry.ts';
import { minuteMs, secondMs } from '../../../platform/clock.ts';
import type { LastPosition } from './being-there.ts';

/** Two phones in one car are hardly farther apart, even where one position is some seconds older. */
const togetherMetres = 150;
/** Both phones have moved so far together: more than receivers err, and more than a walk to the car. */
const movedMetres = 500;
/** In five seconds a fast car drives less than `togetherMetres`. */
const freshMs = 5 * secondMs;
/** People who ride together have moved by then; after it, being together begins again. */
const forgottenMs = 30 * minuteMs;

/**
 * Compares a passenger's position with the car's: they are together for the first time, apart, have moved
 * together, or nothing new.
 * @param since where they were first together; null where they were not.
 */
export function ridingTogether(
  here: LastPosition,
  car: LastPosition | null,
  since: LastPosition | null,
): 'begins' | 'apart' | 'moved' | 'nothing' {
  if (car === null || Math.abs(here.at.getTime() - car.at.getTime()) > freshMs) return 'nothing';
  if (greatCircleMetres(here, car) > togetherMetres) return since === null ? 'nothing' : 'apart';
  if (since === null || here.at.getTime() - since.at.getTime() > forgottenMs) return 'begins';
  return greatCircleMetres(here, since) >= movedMetres ? 'moved' : 'nothing';
}
