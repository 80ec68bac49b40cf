import { walkingMetresPerMinute } from '#contract/units.ts';

/** A point where a passenger may get in or out: the door of their place, or a meeting point on the road. */
export interface Spot {
  lon: number;
  lat: number;
  /** Whole meters on foot between here and the passenger's own place. */
  walkMetres: number;
  /** The time of that walk; 0 at the door, where the passenger is ready by themselves. */
  walkMs: number;
  /** The street, for display; empty where it has no name, and at the door. */
  name: string;
}

/** A passenger's needs of a ride. Instants are milliseconds since 1970. */
export interface Wish {
  seats: number;
  /** The door first, then meeting points by distance. */
  pickups: readonly Spot[];
  dropoffs: readonly Spot[];
  /** The passenger's maximum walk at each end; meeting points beyond it are only for near misses. */
  walkMetres: number;
  /**
   * The passenger leaves their place not before `earliestMs`, is picked up not after `latestMs`, and arrives
   * by `arriveByMs`.
   */
  earliestMs: number;
  latestMs: number;
  arriveByMs: number;
  /** A mask of `rules/preferences.ts`. */
  preferences: number;
}

/** The passenger's own place. */
export const door = (at: { lon: number; lat: number }, metresFromRoad = 0): Spot => ({
  lon: at.lon,
  lat: at.lat,
  walkMetres: Math.round(metresFromRoad),
  walkMs: 0,
  name: '',
});

/** A place on the road that the passenger walks to. */
export const meetingSpot = (at: { lon: number; lat: number; walkMetres: number; name: string }): Spot => ({
  ...at,
  walkMs: walkMsOf(at.walkMetres),
});

/** Whole meters on foot as whole milliseconds. */
export const walkMsOf = (metres: number): number => Math.round((metres * 60_000) / walkingMetresPerMinute);

/** How many of the meeting points, from the first, are the door or within the passenger's limit. */
export function spotsWithin(spots: readonly Spot[], walkMetres: number): number {
  let count = 1;
  while (count < spots.length && spots[count]!.walkMetres <= walkMetres) count++;
  return Math.min(count, spots.length);
}
