import { LRUCache } from 'lru-cache';
import type { App } from '../../app-type.ts';
import { meetingPoints } from '../geo/service.ts';
import type { Spot } from './rules/wish.ts';

/** How much farther than their limit a passenger is asked to walk in a near miss. */
const nearWalkMetres = 400;
/** Meeting points beyond the limit that are included for near misses. */
const mostBeyond = 4;

/** A meeting point as an order stores it. */
export type NearSpot = Readonly<Omit<Spot, 'walkMs'>>;

/** People travel between the same few places, and rounded places are few. */
const mostCached = 16_000;

/** Meeting points near a place, nearest first: those within a walk, and a few just beyond it. */
export type SpotsNear = (at: { lon: number; lat: number }, walkMetres: number) => readonly NearSpot[];

/** Finds meeting points on the roads of a region, with a cache of the places asked for last. */
export function createSpotsNear(app: Pick<App, 'geo'>): SpotsNear {
  const cache = new LRUCache<string, readonly NearSpot[]>({ max: mostCached });
  return (at, walkMetres) => {
    const key = `${at.lon},${at.lat},${walkMetres}`;
    const known = cache.get(key);
    if (known !== undefined) return known;
    const found = findSpots(app, at, walkMetres);
    cache.set(key, found);
    return found;
  };
}

function findSpots(app: Pick<App, 'geo'>, at: { lon: number; lat: number }, walkMetres: number): NearSpot[] {
  const within = meetingPoints(app, at, walkMetres);
  const beyond = meetingPoints(app, at, walkMetres + nearWalkMetres)
    .filter((spot) => spot.walkMetres > walkMetres)
    .slice(0, mostBeyond);
  return [...within, ...beyond].map(({ lon, lat, walkMetres: metres, streetName }) => ({
    lon,
    lat,
    walkMetres: metres,
    name: streetName ?? '',
  }));
}
