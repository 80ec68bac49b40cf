import type { Bounds } from '../../../roads/graph/geometry.ts';
import { clipShapes } from './clip.ts';
import { boxOf, worldPosition, type Shape } from './shape.ts';

const throughRoads = new Set(['highway', 'major_road', 'rail', 'ferry']);
const groundLayers = new Set(['water', 'landuse', 'boundaries', 'places']);

/** Beyond a region a map has the ground, the towns and the roads that lead through, not houses and lanes. */
const isOfSurroundings = ({ layer, properties: { kind } }: Shape): boolean =>
  groundLayers.has(layer) || (layer === 'roads' && typeof kind === 'string' && throughRoads.has(kind));

const boxIn = ([west, south, east, north]: Bounds): [number, number, number, number] => [
  ...worldPosition(west, north),
  ...worldPosition(east, south),
];

/** Cuts shapes at the map's bounds; beyond the region it leaves out all but the surroundings. */
export function shownIn(region: Bounds, bounds: Bounds): (shape: Shape) => Shape | undefined {
  const [west, north, east, south] = boxIn(region);
  const [left, top, right, bottom] = boxIn(bounds);
  return (shape) => {
    const box = boxOf(shape.paths);
    const isBeyond = box[0] > east || box[1] > south || box[2] < west || box[3] < north;
    if (isBeyond && !isOfSurroundings(shape)) return undefined;
    return clipShapes([shape], [left, right], [top, bottom])[0];
  };
}
