import type { FeatureCollection, Position } from 'geojson';
import type { Bounds } from './shapes.ts';

/** So many frames lie on each other at the very edge of a pack, one fewer at each step inward. */
const frames = 10;
/** How far inward the edge is softened, as a part of the smaller side. */
const reach = 0.06;
/** The opacity of one frame: ten of them leave a tenth of what is below. */
export const frameOpacity = 0.2;

const ring = ([west, south, east, north]: Bounds): Position[] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];

/**
 * Frames along the edge of a pack, from its bounds to an inner rectangle each. Drawn on each other in the
 * color of the ground beyond, they let the detailed map fade into the coarse one instead of ending at a line.
 */
export function softEdge(bounds: Bounds): FeatureCollection {
  const [west, south, east, north] = bounds;
  const step = (reach * Math.min(east - west, north - south)) / frames;
  return {
    type: 'FeatureCollection',
    features: Array.from({ length: frames }, (_, frame) => {
      const inset = step * (frame + 1);
      const inner = ring([west + inset, south + inset, east - inset, north - inset]).toReversed();
      return {
        type: 'Feature',
        properties: {},
        geometry: { type: 'Polygon', coordinates: [ring(bounds), inner] },
      };
    }),
  };
}
