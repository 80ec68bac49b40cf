import { walkingMetresPerMinute } from '#contract/units.ts';

/** A place where a passenger may get in or out. */
export interface Spot {
  lon: number;
  lat: number;
  /** Whole metres on foot between here and the passenger's own place. */
  walkMetres: number;
  /** How long that takes; 0 at the door, where people are in time by themselves. */
  walkMs: number;
  /** The street, for people to read; empty where it has no name, and at the door. */
  name: string;
}

/** What a passenger needs of a ride. Instants are milliseconds since 1970. */
export interface Wish {
  seats: number;
  /** The door first, then meeting points by how far they are. */
  pickups: readonly Spot[];
  dropoffs: readonly Spot[];
  /** How far the passenger walks at most, at each end; spots beyond it serve near misses alone. */
  walkMetres: number;
  /**
   * The passenger leaves their place not before and is picked up not after; reaches the other one not after.
   */
  earliestMs: number;
  latestMs: number;
  arriveByMs: number;
  /** As `rules/preferences.ts` writes them. */
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

/** Whole metres on foot in whole milliseconds. */
export const walkMsOf = (metres: number): number => Math.round((metres * 60_000) / walkingMetresPerMinute);

/** How many of the spots, from the first, are the door or within the passenger's limit. */
export function spotsWithin(spots: readonly Spot[], walkMetres: number): number {
  let count = 1;
  while (count < spots.length && spots[count]!.walkMetres <= walkMetres) count++;
  return Math.min(count, spots.length);
}
