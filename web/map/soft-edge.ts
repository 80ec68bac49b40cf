import type { Feature, FeatureCollection, Position } from 'geojson';
import type { Bounds } from './shapes.ts';

/** This many frames overlap at the very edge of a pack, one fewer at each step inward. */
const frames = 10;
/** How far inward the edge is softened, as a part of the smaller side. */
const reach = 0.06;
/** Ten of them leave a tenth of what is below. */
const frameOpacity = 0.2;
/** Forests and lakes that an extract cuts reach beyond its bounds; this far at the most. */
const beyondDegrees = 0.6;

const ring = ([west, south, east, north]: Bounds, inset: number): Position[] => [
  [west + inset, south + inset],
  [east - inset, south + inset],
  [east - inset, north - inset],
  [west + inset, north - inset],
  [west + inset, south + inset],
];

/**
 * Frames along the edge of a pack, from well beyond its bounds to an inner rectangle each, with the `opacity`
 * to draw them in. Drawn on each other in the color of the ground beyond, they let the detailed map fade into
 * the coarse one instead of ending at a line; what reaches beyond the bounds is covered altogether.
 */
export function softEdge(bounds: Bounds): FeatureCollection {
  const [west, south, east, north] = bounds;
  const step = (reach * Math.min(east - west, north - south)) / frames;
  const frame = (inset: number, opacity: number): Feature => ({
    type: 'Feature',
    properties: { opacity },
    geometry: {
      type: 'Polygon',
      coordinates: [ring(bounds, -beyondDegrees), ring(bounds, inset).toReversed()],
    },
  });
  return {
    type: 'FeatureCollection',
    features: [
      frame(0, 1),
      ...Array.from({ length: frames }, (_, index) => frame(step * (index + 1), frameOpacity)),
    ],
  };
}
