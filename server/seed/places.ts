import { addressPoint } from '#roads/places/addresses.ts';
import { greatCircleMetres, type LonLat } from '#roads/graph/geometry.ts';
import type { Place } from '#contract/units.ts';
import type { DirectoryPlace } from '../features/geo/service.ts';
import { placeRoles, type PlaceKey, type PlaceRole } from './demo-data.ts';

/** Where the demo community lives and goes. */
export type DemoPlaces = Record<PlaceKey, Place>;

/** A region's data of itself and of the world around it. */
export interface Surroundings {
  center: LonLat;
  /** The region's own addresses, towns and named places. */
  own: readonly DirectoryPlace[];
  /** Towns and airports beyond its roads. */
  beyond: readonly DirectoryPlace[];
  /** Corners of its streets, where it has too few addresses. */
  corners: () => readonly DirectoryPlace[];
  /** Whether a drive leads there and back. */
  isInReach: (at: LonLat) => boolean;
  /** The point at a share, 0 to 1, of the route between two places. */
  pointOnRoute: (from: LonLat, to: LonLat, share: number) => LonLat;
  /** Where a car stops at a place that is close to a road that leads everywhere; null elsewhere. */
  stopAt: (at: LonLat) => LonLat | null;
}

/** The part of the addresses, counted from each side, that lies outside the part people live in. */
const outskirtsShare = 0.03;
/** A neighborhood: the side of a cell, some 500 meters, and the least addresses in one. */
const cellDegrees = 0.005;
const leastNeighbors = 12;
const metresPerDegree = 111_320;
/** A community needs homes, each its own, with some choice of where they lie. */
const leastHomes = 200;
/** Where no main road leaves a region, its people travel on by train or bus. */
const insteadOfAirports = ['station', 'bus_station', 'halt'];
/** Two places this near to each other are no drive. */
const leastApartMetres = 60;
/** Maximum places tried, the nearest first; farther ones are no better reached. */
const mostTried = 500;
const mostAirportsTried = 10;
/** An airport nearer than this is the region's own. */
const leastAirportMetres = 30_000;
const mostAirportMetres = 300_000;

/**
 * Casts the places of the demo community from a region's own data: the same data gives the same places. Homes
 * are addresses; goals are named places of a wanted category, the nearest to the role's position, each used
 * once; where a region has none, any named place, then an address. A region with too few addresses gives its
 * named places, streets and corners as homes; one that no main road leaves its own places instead of towns
 * and airports.
 * @throws Error where the region has fewer places than the community needs.
 */
export function castPlaces(surroundings: Surroundings): DemoPlaces {
  const cast = new Casting(surroundings);
  const keys = Object.keys(placeRoles) as PlaceKey[];
  const order = keys.toSorted((a, b) => turns[placeRoles[a].kind] - turns[placeRoles[b].kind]);
  const found = order.map((key): [PlaceKey, Place] => [key, cast.placeFor(key, placeRoles[key])]);
  return Object.fromEntries(found) as DemoPlaces;
}

/** Which roles are cast before others, because those refer to them. */
const turns: Record<PlaceRole['kind'], number> = {
  goal: 0,
  airport: 0,
  town: 0,
  beside: 1,
  home: 2,
  along: 3,
};

class Casting {
  readonly #homes: readonly DirectoryPlace[];
  readonly #named: readonly DirectoryPlace[];
  readonly #towns: readonly DirectoryPlace[];
  readonly #airports: readonly DirectoryPlace[];
  readonly #center: LonLat;
  readonly #stopAt: Surroundings['stopAt'];
  readonly #isInReach: (at: LonLat) => boolean;
  readonly #box: readonly [west: number, south: number, east: number, north: number];
  readonly #pointOnRoute: Surroundings['pointOnRoute'];
  readonly #taken = new Set<string>();
  readonly #stops: LonLat[] = [];
  readonly #cast = new Map<string, Place>();

  constructor({ center, own, beyond, corners, stopAt, isInReach, pointOnRoute }: Surroundings) {
    this.#pointOnRoute = pointOnRoute;
    this.#center = center;
    this.#stopAt = stopAt;
    this.#homes = homesAmong(own, corners);
    this.#named = own.filter(({ kind }) => kind === 'place');
    this.#towns = beyond.filter(({ kind }) => kind === 'town');
    this.#isInReach = isInReach;
    this.#airports = beyond
      .filter((each) => {
        if (each.kind !== 'airport') return false;
        const metres = greatCircleMetres(each, center);
        return metres >= leastAirportMetres && metres <= mostAirportMetres;
      })
      .toSorted(
        (a, b) => b.importance - a.importance || greatCircleMetres(a, center) - greatCircleMetres(b, center),
      )
      .slice(0, mostAirportsTried)
      .filter(isInReach);
    this.#box = inhabited(this.#homes);
  }

  placeFor(key: PlaceKey, role: PlaceRole): Place {
    const found = this.#find(role);
    if (found === undefined) throw new Error(`The region has no place for ${key}.`);
    this.#taken.add(found.id);
    this.#stops.push(this.#stopAt(found) ?? found);
    const { name, detail, lon, lat } = found;
    const place = { name, detail, lon, lat };
    this.#cast.set(key, place);
    return place;
  }

  #find(role: PlaceRole): DirectoryPlace | undefined {
    switch (role.kind) {
      case 'home':
        return this.#nearest(this.#homes, this.#pointOf(role));
      case 'goal':
        return this.#goalNear(this.#pointOf(role), role.categories);
      case 'beside': {
        const other = this.#cast.get(role.other);
        return other && this.#goalNear(other, role.categories);
      }
      case 'along': {
        const [from, to] = [this.#cast.get(role.from), this.#cast.get(role.to)];
        if (from === undefined || to === undefined) return undefined;
        return this.#nearest(this.#homes, this.#pointOnRoute(from, to, role.share));
      }
      case 'airport':
        return this.#airports[role.rank] ?? this.#goalNear(this.#center, insteadOfAirports);
      case 'town': {
        const at = towards(this.#center, role);
        return this.#nearest(this.#towns, at, this.#isInReach) ?? this.#goalNear(at, []);
      }
    }
  }

  #goalNear(at: LonLat, categories: readonly string[]): DirectoryPlace | undefined {
    for (const wanted of categories) {
      const found = this.#nearest(
        this.#named.filter(({ category }) => category === wanted),
        at,
      );
      if (found !== undefined) return found;
    }
    return this.#nearest(this.#named, at) ?? this.#nearest(this.#homes, at);
  }

  #nearest(list: readonly DirectoryPlace[], at: LonLat, isGood = this.#isFree): DirectoryPlace | undefined {
    return list
      .filter(({ id }) => !this.#taken.has(id))
      .map((place) => ({ place, metres: greatCircleMetres(place, at) }))
      .toSorted((a, b) => a.metres - b.metres)
      .slice(0, mostTried)
      .find(({ place }) => isGood(place))?.place;
  }

  /** A drive between two places takes the car some way. */
  readonly #isFree = (at: LonLat): boolean => {
    const stop = this.#stopAt(at);
    return stop !== null && this.#stops.every((other) => greatCircleMetres(stop, other) > leastApartMetres);
  };

  #pointOf({ across, up }: { across: number; up: number }): LonLat {
    const [west, south, east, north] = this.#box;
    return { lon: west + (east - west) * across, lat: south + (north - south) * up };
  }
}

/** Addresses; where they are few, also what else people could live at: named places, streets, corners. */
function homesAmong(
  own: readonly DirectoryPlace[],
  corners: () => readonly DirectoryPlace[],
): readonly DirectoryPlace[] {
  const addresses = own.filter(({ kind }) => kind === 'address').map(withHouseNumber);
  if (addresses.length >= leastHomes) return inNeighborhoods(addresses);
  const others = own.filter(({ kind }) => kind === 'place' || kind === 'street');
  const homes = [...addresses, ...others];
  return homes.length >= leastHomes ? homes : [...homes, ...corners()];
}

/** Addresses with others around them: a house alone in the woods is on no one's way. */
function inNeighborhoods(homes: readonly DirectoryPlace[]): readonly DirectoryPlace[] {
  const cellOf = ({ lon, lat }: LonLat) =>
    `${Math.round(lon / cellDegrees)} ${Math.round(lat / cellDegrees)}`;
  const cells = Map.groupBy(homes, cellOf);
  const dense = homes.filter((each) => cells.get(cellOf(each))!.length >= leastNeighbors);
  return dense.length > 0 ? dense : homes;
}

/** The rectangle that most addresses lie in. */
function inhabited(homes: readonly LonLat[]): readonly [number, number, number, number] {
  const span = (numbers: number[]): [number, number] => {
    const sorted = numbers.toSorted((a, b) => a - b);
    const at = Math.floor(sorted.length * outskirtsShare);
    return [sorted[at]!, sorted[sorted.length - 1 - at]!];
  };
  const [west, east] = span(homes.map(({ lon }) => lon));
  const [south, north] = span(homes.map(({ lat }) => lat));
  return [west, south, east, north];
}

/** The point at a distance from another in a direction, on a plane. */
function towards(
  { lon, lat }: LonLat,
  { kilometers, bearingDegrees }: { kilometers: number; bearingDegrees: number },
): LonLat {
  const [metres, angle] = [kilometers * 1000, (bearingDegrees * Math.PI) / 180];
  return {
    lon: lon + (metres * Math.sin(angle)) / (metresPerDegree * Math.cos((lat * Math.PI) / 180)),
    lat: lat + (metres * Math.cos(angle)) / metresPerDegree,
  };
}

/** A range of house numbers as the house in its middle. */
function withHouseNumber(place: DirectoryPlace): DirectoryPlace {
  const { range, street } = place;
  if (range === null) return place;
  const middle = Math.floor((range.from + range.to) / 2);
  for (const houseNumber of [middle, middle + 1]) {
    const at = addressPoint(range, houseNumber);
    if (at !== null) return { ...place, ...at, name: `${houseNumber} ${street}` };
  }
  return place;
}
