import type { GeoService } from '../geo/service.ts';
import type { Spot } from './rules/wish.ts';

/** How much farther than their limit a passenger is asked to walk in a near miss. */
const nearWalkMetres = 400;
/** Meeting points beyond the limit that are included for near misses. */
const mostBeyond = 4;

/** Meeting points near a place, nearest first: those within a walk, and a few just beyond it. */
export function spotsNear(
  geo: GeoService,
  at: { lon: number; lat: number },
  walkMetres: number,
): Omit<Spot, 'walkMs'>[] {
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
