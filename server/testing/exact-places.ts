import type { Place } from './orders.ts';
import { spots } from './orders.ts';

/** The owner of an exact place. */
export type DoorOwner = 'driver' | 'passenger';
export type Doors = Record<DoorOwner, { from: Place; to: Place }>;

const door = (spot: Place, name: string): Place => ({
  ...spot,
  name,
  // A few steps away from other tests' places, and from the place that a stranger sees.
  lon: spot.lon + 0.00023,
  lat: spot.lat + 0.00017,
});

/** Exact places that occur nowhere else in a test: neither their names nor their six decimals. */
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

/** Two meters: a passing road has no point that close. */
const near = 0.00002;

const all = Object.entries(doors).flatMap(([owner, { from, to }]) =>
  [from, to].map((place) => ({ owner: owner as DoorOwner, place })),
);

/** The exact places in some data, found by name or coordinates: the owner, and where in the data. */
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
