import { LRUCache } from 'lru-cache';
import type { RoadNetwork, RoadPoint } from '#roads/graph/network.ts';
import type { Spot } from './rules/wish.ts';

/** How much farther than their limit a passenger is asked to walk in a near miss. */
const nearWalkMetres = 400;
/** Meeting points beyond the limit that are included for near misses. */
const mostBeyond = 4;

interface At {
  lon: number;
  lat: number;
}

/** The roads of the region, from geo. */
export interface RegionRoads {
  network: RoadNetwork;
  /** The road point of a place; null where no road leads. */
  pointAt(at: At): RoadPoint | null;
  /** Where a passenger may meet the car within a walk, nearest first. */
  meetingPoints(
    at: At,
    limitMetres: number,
  ): readonly (At & { walkMetres: number; streetName: string | null })[];
}

/** A meeting point as an order stores it. */
export type NearSpot = Readonly<Omit<Spot, 'walkMs'>>;

/** People travel between the same few places, and rounded places are few. */
const mostCached = 16_000;

/** Meeting points near a place, nearest first: those within a walk, and a few just beyond it. */
export type SpotsNear = (at: At, walkMetres: number) => readonly NearSpot[];

/** Finds meeting points on the roads of a region, with a cache of the places asked for last. */
export function createSpotsNear(roads: Pick<RegionRoads, 'meetingPoints'>): SpotsNear {
  const cache = new LRUCache<string, readonly NearSpot[]>({ max: mostCached });
  return (at, walkMetres) => {
    const key = `${at.lon},${at.lat},${walkMetres}`;
    const known = cache.get(key);
    if (known !== undefined) return known;
    const found = findSpots(roads, at, walkMetres);
    cache.set(key, found);
    return found;
  };
}

function findSpots(
  { meetingPoints }: Pick<RegionRoads, 'meetingPoints'>,
  at: At,
  walkMetres: number,
): NearSpot[] {
  const within = meetingPoints(at, walkMetres);
  const beyond = meetingPoints(at, walkMetres + nearWalkMetres)
    .filter((spot) => spot.walkMetres > walkMetres)
    .slice(0, mostBeyond);
  return [...within, ...beyond].map(({ lon, lat, walkMetres: metres, streetName }) => ({
    lon,
    lat,
    walkMetres: metres,
    name: streetName ?? '',
  }));
}
