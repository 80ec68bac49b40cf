import { greatCircleMetres, type LonLat } from './geometry.ts';

/** A stop within a passenger's walk, with what the choice looks at. */
export interface StopChoice extends LonLat {
  /** Its number in the graph. */
  stop: number;
  walkDecimetres: number;
  /** See `WalkArrays`. */
  rank: number;
  /** Index of the street's name, -1 when nameless. */
  name: number;
  heading: number;
}

const APART_METRES = 100;

export function chooseStops(stops: readonly StopChoice[], most: number): StopChoice[] {
  const chosen: StopChoice[] = [];
  for (const stop of stops.toSorted((a, b) => a.rank - b.rank)) {
    if (chosen.length === most) break;
    if (chosen.every((other) => greatCircleMetres(other, stop) >= APART_METRES)) chosen.push(stop);
  }
  return chosen.sort((a, b) => a.walkDecimetres - b.walkDecimetres);
}
