/** Layers of the map, as in the OpenMapTiles schema. */
export type LayerName =
  | 'landcover'
  | 'landuse'
  | 'park'
  | 'water'
  | 'waterway'
  | 'building'
  | 'transportation'
  | 'transportation_name'
  | 'aerodrome_label'
  | 'poi'
  | 'place';

export type Kind = 'point' | 'line' | 'area';

/** What a thing looks like on the map: its layer, its properties there, and the first zoom that shows it. */
export interface Look {
  layer: LayerName;
  kind: Kind;
  minZoom: number;
  properties: Record<string, string>;
}

/** x, y, x, y … where the whole world is the square from 0,0 (north-west) to 1,1 (Web Mercator). */
export type Path = number[];

/**
 * A thing to be drawn. An area is rings, each outer one (of positive area, y down) before its holes
 * (negative); the last point of a ring is its first.
 */
export interface Shape extends Look {
  paths: Path[];
}

/** Web Mercator, the world being the unit square. */
export function worldPosition(lon: number, lat: number): [x: number, y: number] {
  const sine = Math.sin((lat * Math.PI) / 180);
  const y = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
  return [lon / 360 + 0.5, Math.min(1, Math.max(0, y))];
}

/** The area of a ring, positive when it runs clockwise as drawn (y down). */
export function ringArea(ring: Path): number {
  // Relative to its first point: the differences of neighboring products would drown in the size of the
  // world.
  const [x0, y0] = [ring[0]!, ring[1]!];
  let twice = 0;
  for (let i = 2; i + 3 < ring.length; i += 2) {
    twice += (ring[i]! - x0) * (ring[i + 3]! - y0) - (ring[i + 2]! - x0) * (ring[i + 1]! - y0);
  }
  return twice / 2;
}

/** The same ring the other way round. */
export function reversedPath(path: Path): Path {
  const reversed: Path = [];
  for (let i = path.length - 2; i >= 0; i -= 2) reversed.push(path[i]!, path[i + 1]!);
  return reversed;
}

/** The rectangle around paths: west, north, east, south. */
export function boxOf(paths: readonly Path[]): [number, number, number, number] {
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const path of paths) {
    for (let i = 0; i < path.length; i += 2) {
      box[0] = Math.min(box[0], path[i]!);
      box[1] = Math.min(box[1], path[i + 1]!);
      box[2] = Math.max(box[2], path[i]!);
      box[3] = Math.max(box[3], path[i + 1]!);
    }
  }
  return box;
}
