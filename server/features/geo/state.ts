import { LRUCache } from 'lru-cache';
import type { LonLat } from '#roads/graph/geometry.ts';
import type { RoadPoint } from '#roads/graph/network.ts';
import type { MeetingPoint } from '#roads/walk/walk-network.ts';
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

/** More meeting points save drivers almost no time: see decision 0009. */
const mostMeetingPoints = 8;

/** The roads of the region as matching searches them. */
export const roadsOf = ({ region, pointAt }: GeoState) => ({
  network: region.network,
  pointAt,
  /**
   * Places on roads within a passenger's walk where meeting the car can save its driver time, nearest first;
   * leaves out the place's own road point. `network.snap` returns each of them unchanged. Empty where no
   * region is loaded.
   */
  meetingPoints: (at: LonLat, limitMetres: number): MeetingPoint[] =>
    region.walks?.meetingPoints(at, limitMetres, mostMeetingPoints) ?? [],
});
