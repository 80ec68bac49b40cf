import { LatestKept } from '../../platform/latest-kept.ts';
import type { GeoService } from '../geo/service.ts';
import type { Spot } from './rules/wish.ts';

/** How much farther than their limit a passenger is asked to walk in a near miss. */
const nearWalkMetres = 400;
/** Meeting points beyond the limit that are included for near misses. */
const mostBeyond = 4;

/** A spot to meet at, as an order keeps it. */
export type NearSpot = Readonly<Omit<Spot, 'walkMs'>>;

/** People travel between the same few places, and rounded places are few: the latest spots are kept. */
const mostKept = 8000;
const keptOf = new WeakMap<GeoService, LatestKept<string, readonly NearSpot[]>>();

/** Meeting points near a place, nearest first: those within a walk, and a few just beyond it. */
export function spotsNear(
  geo: GeoService,
  at: { lon: number; lat: number },
  walkMetres: number,
): readonly NearSpot[] {
  let kept = keptOf.get(geo);
  if (kept === undefined) keptOf.set(geo, (kept = new LatestKept(mostKept)));
  return kept.get(`${at.lon},${at.lat},${walkMetres}`, () => findSpots(geo, at, walkMetres));
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
