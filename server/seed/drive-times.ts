import type { BuiltApp } from '../app.ts';
import { locatePlace, roadNetwork } from '../features/geo/service.ts';
import type { PlaceKey } from './demo-data.ts';
import type { DemoPlaces } from './places.ts';

export interface Way {
  from: PlaceKey;
  to: PlaceKey;
}

/** The free drive between two places in milliseconds. */
export type DriveMs = (from: PlaceKey, to: PlaceKey) => number;

/**
 * The minutes a driver loses by taking a passenger along, roughly: without boarding and without the others on
 * board.
 */
export function detourMs(driveMs: DriveMs, ride: Way, passenger: Way): number {
  return (
    driveMs(ride.from, passenger.from) +
    driveMs(passenger.from, passenger.to) +
    driveMs(passenger.to, ride.to) -
    driveMs(ride.from, ride.to)
  );
}

/** Driving times, by one search for all ways from a place, each looked up once. */
export function driveTimes(app: BuiltApp, places: DemoPlaces): DriveMs {
  const network = roadNetwork(app.platform);
  const searches = new Map<PlaceKey, ReturnType<typeof network.travelFrom>>();
  const known = new Map<string, number>();
  const pointOf = (place: PlaceKey) => locatePlace(app.platform, places[place], place);
  return (from, to) => {
    const way = `${from} ${to}`;
    let milliseconds = known.get(way);
    if (milliseconds === undefined) {
      const search = searches.get(from) ?? network.travelFrom(pointOf(from));
      searches.set(from, search);
      milliseconds = search(pointOf(to))?.milliseconds;
      if (milliseconds === undefined) throw new Error(`There is no way from ${from} to ${to}.`);
      known.set(way, milliseconds);
    }
    return milliseconds;
  };
}
