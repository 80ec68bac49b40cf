import { assembleRings } from '../tiles/rings.ts';
import { worldPosition, type Path, type Shape } from '../tiles/shape.ts';
import { simplified } from '../tiles/simplify.ts';
import type { Polygon } from './areas.ts';

/** About ten meters: a passenger is picked up at least that far from the water. */
const LAND_TOLERANCE_DEGREES = 1e-4;

/** The sea as the map draws it. */
export function seaShape(sea: readonly Polygon[]): Shape {
  const path = (ring: Polygon[number]): Path => ring.flatMap(([lon, lat]) => worldPosition(lon, lat));
  return {
    layer: 'water',
    kind: 'area',
    minZoom: 0,
    properties: { kind: 'ocean', sort_rank: 200 },
    paths: sea.flatMap(([outline, ...holes]) => assembleRings([path(outline!)], holes.map(path))),
  };
}

/** Dry land as GeoJSON, for telling on which side of the coast a point lies. */
export function landGeoJson(land: readonly Polygon[]): object {
  const thinned = (ring: Polygon[number]): [number, number][] => {
    const path = simplified(ring.flat(), LAND_TOLERANCE_DEGREES);
    return Array.from({ length: path.length / 2 }, (_, i) => [
      round7(path[2 * i]!),
      round7(path[2 * i + 1]!),
    ]);
  };
  const coordinates = land
    .map((polygon) => polygon.map(thinned).filter((ring) => ring.length > 3))
    .filter((polygon) => polygon.length > 0);
  return { type: 'Feature', properties: {}, geometry: { type: 'MultiPolygon', coordinates } };
}

function round7(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}
