import type { House } from '../app.ts';
import { places, type PlaceKey } from './places.ts';

export interface Way {
  from: PlaceKey;
  to: PlaceKey;
}

/** Driving time between two places in milliseconds. */
export type DriveMs = (from: PlaceKey, to: PlaceKey) => number;

/** The minutes a driver loses by taking somebody along, roughly: without boarding and without the others on board. */
export function detourMs(driveMs: DriveMs, ride: Way, passenger: Way): number {
  return (
    driveMs(ride.from, passenger.from) +
    driveMs(passenger.from, passenger.to) +
    driveMs(passenger.to, ride.to) -
    driveMs(ride.from, ride.to)
  );
}

/** Driving times, by one search for all ways from a place. */
export function driveTimes(house: House): DriveMs {
  const { network } = house.rooms.geo;
  const pointOf = (place: PlaceKey) => house.rooms.geo.locate(places[place], place);
  const searches = new Map<PlaceKey, ReturnType<typeof network.travelFrom>>();
  return (from, to) => {
    const search = searches.get(from) ?? network.travelFrom(pointOf(from));
    searches.set(from, search);
    const travel = search(pointOf(to));
    if (travel === null) throw new Error(`There is no way from ${from} to ${to}.`);
    return travel.milliseconds;
  };
}
