import type { App } from '../../app-type.ts';
import type { LonLat } from '#roads/graph/geometry.ts';
import type { MeetingPoint, Walk } from '#roads/walk/walk-network.ts';
import { approximatePlace, streetOf } from './approximate-place.ts';
import type { GeoContext } from './context.ts';
import { createGeocoder } from './geocoder.ts';
import { importPlaces } from './import-places.ts';
import { keepPoints } from './kept-points.ts';
import { locatePlace } from './locate-place.ts';
import { areaOf, createNeighborhoods } from './neighborhoods.ts';
import type { LoadedRegion } from './region.ts';
import { placesBeyond, placesOfPack } from './place-directory.ts';
import { reversePlace } from './reverse-place.ts';
import { timeZoneAt } from './rules/time-zone.ts';
import { searchPlaces } from './search-places.ts';
import { createShortcut, listShortcuts, removeShortcut, updateShortcut } from './shortcuts.ts';
import * as store from './store.ts';
import { trafficPermilleAt, trafficPermilleIn } from './traffic-at.ts';
import type { OrderDirectory } from './order-directory.ts';

export type { DirectoryPlace } from './place-directory.ts';
export { areaAt, areasAround, leastDegreesBeyond, areaSpans, areasOnLine } from './rules/areas.ts';

export type GeoService = ReturnType<typeof createGeo>;

/** More meeting points save drivers almost no time: see decision 0009. */
const mostMeetingPoints = 8;

/** The loaded region's roads, the place search, and people's shortcuts. */
export function createGeo(platform: App, region: LoadedRegion, orders: OrderDirectory) {
  const pointAt = keepPoints(region.network);
  const context: GeoContext = { platform, region, pointAt, orders, geocoder: createGeocoder(platform) };
  return {
    erasure: store.erasure,
    network: region.network,
    /** The road point of a place, as `network.snap` finds it; the latest are kept. */
    pointAt,
    region: region.info,
    packs: region.packs.map((pack) => pack.info),
    /** The name of the pack that a point lies in, or nearest to; empty where none is loaded. */
    regionIdAt: (at: LonLat): string => region.nameAt(at),
    locate: locatePlace.bind(null, context),
    /**
     * Places on roads within a passenger's walk where meeting the car can save its driver time, nearest
     * first; leaves out the place's own road point. `network.snap` returns each of them unchanged. Empty
     * where no region is loaded.
     */
    meetingPoints: (at: LonLat, limitMetres: number): MeetingPoint[] =>
      region.walks?.meetingPoints(at, limitMetres, mostMeetingPoints) ?? [],
    /** The shortest walk between two places, null where there is none within ten kilometers. */
    walkLine: (from: LonLat, to: LonLat): Walk | null => region.walks?.line(from, to) ?? null,
    streetOf: streetOf.bind(null, context),
    approximate: approximatePlace.bind(null, context),
    area: createNeighborhoods(context),
    areaOf: areaOf.bind(null, context),
    timeZoneAt,
    trafficPermilleAt: trafficPermilleAt.bind(null, context),
    trafficPermilleIn: trafficPermilleIn.bind(null, context),
    search: searchPlaces.bind(null, context),
    reverse: reversePlace.bind(null, context),
    placesOfPack: placesOfPack.bind(null, context),
    placesBeyond: placesBeyond.bind(null, context),
    importPlaces: importPlaces.bind(null, context),
    list: listShortcuts.bind(null, context),
    create: createShortcut.bind(null, context),
    update: updateShortcut.bind(null, context),
    remove: removeShortcut.bind(null, context),
  };
}
