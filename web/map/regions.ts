import type { Feature, FeatureCollection, Position } from 'geojson';
import type { Config } from '../core/config.ts';
import * as shape from '../core/shape.ts';
import type { Bounds } from './shapes.ts';

type Pack = Config['region']['packs'][number];

/** What the style draws of one region pack. */
export interface RegionMap {
  tilesUrl: string;
  title: string;
  bounds: Bounds;
  /** What its tiles show: the region, and its surroundings where they are known. */
  mapBounds: Bounds;
  /**
   * Dry land, of a pack whose tiles lack the sea; null where nothing is known of a coast or the tiles hold
   * it.
   */
  land: FeatureCollection | null;
  /** Whether anything is known of where the sea is. */
  hasCoast: boolean;
}

/** Reads what is needed to draw the packs. A coast that cannot be read is left out. */
export async function readRegionMaps(packs: readonly Pack[]): Promise<RegionMap[]> {
  return Promise.all(
    packs.map(async ({ name, title, bounds, mapBounds, coast }) => {
      const land = coast === 'land' ? await readLand(name) : null;
      return {
        tilesUrl: `pmtiles://${location.origin}/region/${name}/map.pmtiles`,
        title,
        bounds,
        mapBounds,
        land,
        hasCoast: coast === 'tiles' || land !== null,
      };
    }),
  );
}

const feature = shape.fields({
  type: shape.oneOf('Feature'),
  geometry: shape.valueOf((raw): raw is Feature['geometry'] => typeof Object(raw).type === 'string'),
  properties: shape.named(shape.anything).nullable(),
});
const features = shape.fields({ type: shape.oneOf('FeatureCollection'), features: shape.list(feature) });

async function readLand(pack: string): Promise<FeatureCollection | null> {
  try {
    const answer = await fetch(`/region/${pack}/land.geojson`);
    if (!answer.ok) return null;
    const land: unknown = await answer.json();
    const only = feature.safeParse(land);
    const collection = only.success
      ? { type: 'FeatureCollection' as const, features: [only.data] }
      : features.safeParse(land).data;
    return collection === undefined || collection.features.length === 0 ? null : collection;
  } catch {
    return null;
  }
}

/**
 * The sea and the land under the tiles, for all packs together; null where none of them knows a coast. Around
 * dry land the sea is the box around it: inside it, what is not land is sea; outside, nothing is known. A
 * pack without a file of dry land is dry as far as its tiles say nothing else.
 */
export function surfaces(
  maps: readonly RegionMap[],
): { sea: FeatureCollection; land: FeatureCollection } | null {
  if (!maps.some(({ hasCoast }) => hasCoast)) return null;
  const lands = maps.flatMap(({ land }) => land ?? []);
  return {
    sea: collectionOf(lands.map(boxAround)),
    land: {
      type: 'FeatureCollection',
      features: [
        ...lands.flatMap(({ features }) => features),
        ...collectionOf(maps.flatMap(({ land, mapBounds }) => (land === null ? [mapBounds] : []))).features,
      ],
    },
  };
}

/** The middle of each pack, with its title as the name. */
export function titlePoints(maps: readonly RegionMap[]): FeatureCollection {
  return {
    type: 'FeatureCollection',
    features: maps.map(({ title, bounds: [west, south, east, north] }) => ({
      type: 'Feature',
      properties: { name: title },
      geometry: { type: 'Point', coordinates: [(west + east) / 2, (south + north) / 2] },
    })),
  };
}

function boxAround(land: FeatureCollection): Bounds {
  const points: Position[] = [];
  for (const { geometry } of land.features) {
    if (geometry.type === 'Polygon') points.push(...geometry.coordinates.flat());
    else if (geometry.type === 'MultiPolygon') points.push(...geometry.coordinates.flat(2));
  }
  // Points of the file are towns and lie within its land.
  const lons = points.map(([lon = 0]) => lon);
  const lats = points.map(([, lat = 0]) => lat);
  return [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)];
}

function collectionOf(boxes: readonly Bounds[]): FeatureCollection {
  return {
    type: 'FeatureCollection',
    features: boxes.map(([west, south, east, north]) => ({
      type: 'Feature',
      properties: {},
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [west, south],
            [east, south],
            [east, north],
            [west, north],
            [west, south],
          ],
        ],
      },
    })),
  };
}
