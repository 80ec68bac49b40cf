import { LRUCache } from 'lru-cache';
import type { LonLat } from '#roads/graph/geometry.ts';
import type { RoadPoint } from '#roads/graph/network.ts';
import type { Platform } from '../../platform/platform.ts';
import { createGeocoder, type Geocoder } from './geocoder.ts';
import { keepPoints } from './kept-points.ts';
import type { LoadedRegion } from './region.ts';

/** A place as a stranger sees it: the street or neighborhood, exact to about 100 meters. */
export interface ApproximatePlace extends LonLat {
  name: string;
  detail: string;
}

/** State of this feature that lives as long as the process. */
export interface GeoState {
  region: LoadedRegion;
  /** As `region.network.snap`, with a cache of the latest. */
  pointAt(at: LonLat): RoadPoint | null;
  /** A hosted geocoder; null where none is configured. */
  geocoder: Geocoder | null;
  /** The neighborhoods that were named last, by their ids. */
  areas: LRUCache<number, ApproximatePlace>;
}

const mostAreas = 20_000;

export const openGeo = (platform: Platform, region: LoadedRegion): GeoState => ({
  region,
  pointAt: keepPoints(region.network),
  geocoder: createGeocoder(platform),
  areas: new LRUCache({ max: mostAreas }),
});
