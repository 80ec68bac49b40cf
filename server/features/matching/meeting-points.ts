import { LRUCache } from 'lru-cache';
import type { GeoService } from '../geo/service.ts';
import type { Spot } from './rules/wish.ts';

/** How much farther than their limit a passenger is asked to walk in a near miss. */
const nearWalkMetres = 400;
/** Meeting points beyond the limit that are included for near misses. */
const mostBeyond = 4;

/** A spot to meet at, as an order keeps it. */
export type NearSpot = Readonly<Omit<Spot, 'walkMs'>>;

/** People travel between the same few places, and rounded places are few. */
const mostCached = 16_000;
const cacheOf = new WeakMap<GeoService, LRUCache<string, readonly NearSpot[]>>();

/** Meeting points near a place, nearest first: those within a walk, and a few just beyond it. */
export function spotsNear(
  geo: GeoService,
  at: { lon: number; lat: number },
  walkMetres: number,
): readonly NearSpot[] {
  let cache = cacheOf.get(geo);
  if (cache === undefined) cacheOf.set(geo, (cache = new LRUCache({ max: mostCached })));
  const key = `${at.lon},${at.lat},${walkMetres}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const found = findSpots(geo, at, walkMetres);
  cache.set(key, found);
  return found;
}

function findSpots(geo: GeoService, at: { lon: number; lat: number }, walkMetres: number): NearSpot[] {
  const within = geo.meetingPoints(at, walkMetres);
  const beyond = geo
    .meetingPoints(at, walkMetres + nearWalkMetres)
    .filter((spot) => spot.walkMetres > walkMetres)
    .slice(0, mostBeyond);
  return [...within, ...beyond].map(({ lon, lat, walkMetres: metres, streetName }) => ({
    lon,
    lat,
    walkMetres: metres,
    name: streetName ?? '',
  }));
}
