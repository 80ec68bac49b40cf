import type { LonLat } from '#roads/graph/geometry.ts';
import { permilleAt } from '#roads/graph/traffic.ts';
import type { GeoContext } from './context.ts';
import { localHour } from './rules/local-hour.ts';
import { timeZoneAt } from './rules/time-zone.ts';

/**
 * The duration of a drive that begins at a place at an instant, in permille of a free road: by the local
 * hour.
 */
export function trafficPermilleAt({ region }: GeoContext, from: LonLat, at: Date): number {
  const { weekday, hour } = localHour(at, timeZoneAt(from.lon, from.lat));
  return permilleAt(region.trafficAt(from), weekday, hour);
}

/** The same by local time of the place: `2026-11-24T08`. */
export function trafficPermilleIn({ region }: GeoContext, from: LonLat, shown: string): number {
  const { weekday, hour } = localHour(new Date(`${shown}:00Z`), 'UTC');
  return permilleAt(region.trafficAt(from), weekday, hour);
}
