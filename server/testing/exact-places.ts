import type { Place } from './orders.ts';
import { spots } from './orders.ts';

/** Whose door a place is. */
export type DoorOwner = 'driver' | 'passenger';
export type Doors = Record<DoorOwner, { from: Place; to: Place }>;

const door = (spot: Place, name: string): Place => ({
  ...spot,
  name,
  // A few steps from where others of the tests stand, and from what a stranger is shown of it.
  lon: spot.lon + 0.00023,
  lat: spot.lat + 0.00017,
});

/** Places that no one else in a test has: their words and their six decimals occur nowhere but with them. */
export const doors: Doors = {
  driver: {
    from: door(spots.westside, '4711 Driver’s Gate'),
    to: door(spots.aptos, '4712 Driver’s Yard'),
  },
  passenger: {
    from: door(spots.downtown, '4713 Rider’s Gate'),
    to: door(spots.capitola, '4714 Rider’s Yard'),
  },
};

/** Two meters: a road that passes by has no point there. */
const near = 0.00002;

const all = Object.entries(doors).flatMap(([owner, { from, to }]) =>
  [from, to].map((place) => ({ owner: owner as DoorOwner, place })),
);

/** Whose exact places stand in some data, by their words or by their coordinates, and where in it. */
export function doorsIn(data: unknown, at = ''): { owner: DoorOwner; at: string }[] {
  if (typeof data === 'string') {
    const text = data.toLowerCase();
    return all
      .filter(({ place }) => text.includes(place.name.slice(5).toLowerCase()))
      .map(({ owner }) => ({ owner, at }));
  }
  if (typeof data !== 'object' || data === null) return [];
  const numbers = Object.values(data).filter((each) => typeof each === 'number');
  const found = all
    .filter(
      ({ place }) =>
        numbers.some((each) => Math.abs(each - place.lon) < near) &&
        numbers.some((each) => Math.abs(each - place.lat) < near),
    )
    .map(({ owner }) => ({ owner, at }));
  return [...found, ...Object.entries(data).flatMap(([name, each]) => doorsIn(each, `${at}.${name}`))];
}
