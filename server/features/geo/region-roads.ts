import type { LonLat } from '#roads/graph/geometry.ts';
import type { RoadNetwork, RoadPoint } from '#roads/graph/network.ts';
import { permilleAt } from '#roads/graph/traffic.ts';
import type { RegionDescription } from '#roads/places/places.ts';
import type { Walk } from '#roads/walk/walk-network.ts';
import type { App } from '../../app-type.ts';
import { refuseField } from '../../platform/refusal.ts';
import { localHour, timeZoneAt } from './rules/local-hour.ts';

/** The description of all loaded packs as one. */
export const regionInfo = ({ geo }: App): RegionDescription => geo.region.info;

export const packInfos = ({ geo }: App): RegionDescription[] => geo.region.packs.map(({ info }) => info);

/** The name of the pack that a point lies in, or nearest to; empty where none is loaded. */
export const regionIdAt = ({ geo }: App, at: LonLat): string => geo.region.nameAt(at);

export const roadNetwork = ({ geo }: App): RoadNetwork => geo.region.network;

/** The road point of a place, as `network.snap` finds it, with a cache of the latest. */
export const pointAt = ({ geo }: App, at: LonLat): RoadPoint | null => geo.pointAt(at);

/**
 * The road point of a place. Refuses `place.noRoadNear` where no road leads and `place.tooFar` beyond 500
 * miles from the region.
 * @param field the field of the call that named it.
 */
export function locatePlace({ geo }: App, at: LonLat, field: string): RoadPoint {
  const point = geo.region.network.snapOrReason(at);
  if (!('refused' in point)) return point;
  throw point.refused === 'noRoadNear'
    ? refuseField('place.noRoadNear', field, 'No road leads there.')
    : refuseField('place.tooFar', field, 'This place is more than 500 miles from the area Sameway covers.');
}

/** The shortest walk between two places, null where there is none within ten kilometers. */
export const walkLine = ({ geo }: App, from: LonLat, to: LonLat): Walk | null =>
  geo.region.walks?.line(from, to) ?? null;

/**
 * The duration of a drive that begins at a place at an instant, in permille of a free road: by the local
 * hour.
 */
export function trafficPermilleAt({ geo }: App, from: LonLat, at: Date): number {
  const { weekday, hour } = localHour(at, timeZoneAt(from.lon, from.lat));
  return permilleAt(geo.region.trafficAt(from), weekday, hour);
}

/** The same by local time of the place: `2026-11-24T08`. */
export function trafficPermilleIn({ geo }: App, from: LonLat, shown: string): number {
  const { weekday, hour } = localHour(new Date(`${shown}:00Z`), 'UTC');
  return permilleAt(geo.region.trafficAt(from), weekday, hour);
}
