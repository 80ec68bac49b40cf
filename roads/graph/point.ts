import { outsideWeight } from './outside.ts';
import type { Weight } from './weight.ts';

/** An entry into the graph: the start of `edge` is reached `weight` after leaving the point. */
export interface Departure {
  edge: number;
  weight: Weight;
  /** The edge on which the point lies, -1 for a point outside the region. */
  from: number;
}

/** An exit from the graph: the point is reached `weight` after the start of `edge`. */
export interface Arrival {
  edge: number;
  weight: Weight;
  /** Where on the edge the point lies, 0 … 1. */
  fraction: number;
}

/** A point that a car can reach. Plain data: it can be passed to another thread with the same network. */
export interface RoadPoint {
  /** The position on the road; outside the region the requested position. */
  lon: number;
  lat: number;
  metresFromRoad: number;
  streetName: string | null;
  /** Whether it lies beyond the loaded roads, so that every time to or from it is an estimate. */
  estimated: boolean;
  /** Used only by the searches in `roads/`. */
  arrivals: Arrival[];
  /** Used only by the searches in `roads/`. */
  departures: Departure[];
}

/**
 * The weight of driving on without a turn: further along the same edge, or the direct estimate where no road
 * is known.
 */
export function directWeight(from: RoadPoint, to: RoadPoint): Weight {
  if (from.estimated) return to.estimated ? outsideWeight(from, to) : Infinity;
  let best = Infinity;
  for (const start of from.arrivals) {
    for (const end of to.arrivals) {
      if (start.edge === end.edge && end.weight >= start.weight)
        best = Math.min(best, end.weight - start.weight);
    }
  }
  return best;
}
