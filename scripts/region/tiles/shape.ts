/** Layers of the map that the tiles hold, as in the Protomaps basemap schema, version 4. */
export type LayerName = 'water' | 'landuse' | 'roads' | 'buildings' | 'boundaries' | 'pois' | 'places';

export type Kind = 'point' | 'line' | 'area';

/** A feature's properties: a name, a rank, a flag. Numbers are whole and not negative. */
export type Properties = Record<string, string | number | boolean>;

/** The drawing of a thing on the map: its layer, its properties there, and the zooms whose tiles hold it. */
export interface Look {
  layer: LayerName;
  kind: Kind;
  minZoom: number;
  /** The last zoom; all from `minZoom` on where it is left out. */
  maxZoom?: number;
  properties: Properties;
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

/** The circumference of the Earth at the equator, on the sphere of Web Mercator. */
const WORLD_METRES = 40_075_016.68;

/** The area of an outer ring and its holes on the ground, in square meters. */
export function squareMetres(rings: readonly Path[]): number {
  const [west, north, east, south] = boxOf(rings);
  const latitude = Math.atan(Math.sinh(Math.PI * (1 - (north + south))));
  const side = WORLD_METRES * Math.cos(latitude);
  const area = rings.reduce((sum, ring) => sum + ringArea(ring), 0);
  return west < east ? area * side * side : 0;
}

/** How fine a grid is tried for the place of a label. */
const LABEL_GRID = 12;

/**
 * Where the name of an area is written: of a grid of points, the one inside its largest ring that lies
 * farthest from the outline; the middle of the box where none lies inside.
 */
export function labelPoint(rings: readonly Path[]): [x: number, y: number] {
  const largest = rings.reduce((a, b) => (ringArea(b) > ringArea(a) ? b : a));
  const [west, north, east, south] = boxOf([largest]);
  let best: [number, number] = [(west + east) / 2, (north + south) / 2];
  let farthest = -1;
  for (let i = 1; i < LABEL_GRID; i++) {
    for (let j = 1; j < LABEL_GRID; j++) {
      const [x, y] = [west + ((east - west) * i) / LABEL_GRID, north + ((south - north) * j) / LABEL_GRID];
      if (!isInside(x, y, largest)) continue;
      const distance = squaredDistanceTo(x, y, largest);
      if (distance > farthest) [farthest, best] = [distance, [x, y]];
    }
  }
  return best;
}

/** To the nearest of at most some 200 points of a ring. */
function squaredDistanceTo(x: number, y: number, ring: Path): number {
  const step = 2 * Math.max(1, Math.floor(ring.length / 400));
  let nearest = Infinity;
  for (let i = 0; i + 1 < ring.length; i += step)
    nearest = Math.min(nearest, (ring[i]! - x) ** 2 + (ring[i + 1]! - y) ** 2);
  return nearest;
}

/** Whether a point lies inside a ring. */
export function isInside(x: number, y: number, ring: Path): boolean {
  let inside = false;
  for (let i = 0; i + 3 < ring.length; i += 2) {
    const [ax, ay, bx, by] = [ring[i]!, ring[i + 1]!, ring[i + 2]!, ring[i + 3]!];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}
