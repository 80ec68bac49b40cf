import { PbfWriter } from 'pbf';
import { ringArea, type Kind, type LayerName, type Path, type Properties, type Shape } from './shape.ts';
import { joinedLines, simplified } from './simplify.ts';

/** The grid of a tile, as in the Mapbox Vector Tile specification, version 2. */
export const EXTENT = 4096;

export interface TileAddress {
  z: number;
  x: number;
  y: number;
}

interface Feature {
  kind: Kind;
  properties: Properties;
  geometry: number[];
}

/** Half a pixel, and half a grid unit where the map is viewed from nearer than its last zoom. */
const TOLERANCE = 4;
const LAST_TOLERANCE = 0.5;
/** A surface smaller than a pixel is not drawn. */
const SMALLEST_AREA = 64;

const KINDS: Record<Kind, number> = { point: 1, line: 2, area: 3 };
const [MOVE_TO, LINE_TO, CLOSE_PATH] = [1, 2, 7];

/** Encodes what a tile shows, or null where that is nothing. `isLast` keeps every detail. */
export function encodeTile(shapes: readonly Shape[], at: TileAddress, isLast: boolean): Uint8Array | null {
  const layers = new Map<LayerName, Feature[]>();
  for (const alike of groupsOfAlike(shapes.filter((shape) => isShownAt(shape, at.z)))) {
    const [{ layer, kind, properties }] = alike;
    const geometry = geometryOf(
      kind,
      alike.flatMap(({ paths }) => paths),
      at,
      isLast,
    );
    if (geometry.length === 0) continue;
    const features = layers.get(layer) ?? [];
    layers.set(layer, features);
    features.push({ kind, properties, geometry });
  }
  if (layers.size === 0) return null;
  const pbf = new PbfWriter();
  for (const [name, features] of layers) pbf.writeMessage(3, writeLayer, { name, features });
  return pbf.finish();
}

const isShownAt = ({ minZoom, maxZoom = Infinity }: Shape, zoom: number): boolean =>
  minZoom <= zoom && zoom <= maxZoom;

/**
 * Lines and surfaces with the same properties become one feature; labels stay apart, the important ones
 * first.
 */
function groupsOfAlike(shapes: readonly Shape[]): [Shape, ...Shape[]][] {
  const groups = new Map<string, [Shape, ...Shape[]]>();
  for (const shape of shapes.toSorted((a, b) => a.minZoom - b.minZoom)) {
    const key = `${shape.layer} ${JSON.stringify(shape.properties)} ${shape.kind === 'point' ? groups.size : ''}`;
    const group = groups.get(key);
    if (group) group.push(shape);
    else groups.set(key, [shape]);
  }
  return [...groups.values()];
}

function geometryOf(kind: Kind, paths: Path[], { z, x, y }: TileAddress, isLast: boolean): number[] {
  const size = 2 ** z;
  const tolerance = (isLast ? LAST_TOLERANCE : TOLERANCE) / (size * EXTENT);
  const geometry: number[] = [];
  const cursor = { x: 0, y: 0 };
  let outerIsDrawn = true;
  for (const path of kind === 'line' ? joinedLines(paths) : paths) {
    const grid: Path = [];
    const thinned = kind === 'point' ? path : simplified(path, tolerance);
    for (let i = 0; i < thinned.length; i += 2) {
      const px = Math.round((thinned[i]! * size - x) * EXTENT);
      const py = Math.round((thinned[i + 1]! * size - y) * EXTENT);
      if (px !== grid.at(-2) || py !== grid.at(-1)) grid.push(px, py);
    }
    if (kind !== 'area') {
      if (kind === 'point' || grid.length > 2) draw(geometry, grid, cursor);
      continue;
    }
    const isOuter = ringArea(path) > 0;
    const area = ringArea(grid) * (isOuter ? 1 : -1);
    const isDrawn = grid.length >= 8 && area > (isLast ? 0 : SMALLEST_AREA);
    if (isOuter) outerIsDrawn = isDrawn;
    if (!isDrawn || !outerIsDrawn) continue;
    // The specification closes rings by a command, not by their first point once more.
    draw(geometry, grid.slice(0, -2), cursor);
    geometry.push(command(CLOSE_PATH, 1));
  }
  return geometry;
}

function draw(geometry: number[], grid: Path, cursor: { x: number; y: number }): void {
  for (let i = 0; i < grid.length; i += 2) {
    if (i === 0) geometry.push(command(MOVE_TO, 1));
    if (i === 2) geometry.push(command(LINE_TO, grid.length / 2 - 1));
    geometry.push(zigzag(grid[i]! - cursor.x), zigzag(grid[i + 1]! - cursor.y));
    cursor.x = grid[i]!;
    cursor.y = grid[i + 1]!;
  }
}

function command(id: number, count: number): number {
  return id | (count << 3);
}

function zigzag(value: number): number {
  return (value << 1) ^ (value >> 31);
}

function writeLayer({ name, features }: { name: string; features: Feature[] }, pbf: PbfWriter): void {
  const keys = new Map<string, number>();
  const values = new Map<Properties[string], number>();
  const indexIn = <T>(table: Map<T, number>, each: T) => {
    const index = table.get(each) ?? table.size;
    table.set(each, index);
    return index;
  };
  pbf.writeVarintField(15, 2);
  pbf.writeStringField(1, name);
  for (const { kind, properties, geometry } of features) {
    const tags = Object.entries(properties).flatMap(([key, value]) => [
      indexIn(keys, key),
      indexIn(values, value),
    ]);
    pbf.writeMessage(
      2,
      (_, feature) => {
        feature.writePackedVarint(2, tags);
        feature.writeVarintField(3, KINDS[kind]);
        feature.writePackedVarint(4, geometry);
      },
      null,
    );
  }
  for (const key of keys.keys()) pbf.writeStringField(3, key);
  for (const value of values.keys()) pbf.writeMessage(4, writeValue, value);
  pbf.writeVarintField(5, EXTENT);
}

function writeValue(value: Properties[string], pbf: PbfWriter): void {
  if (typeof value === 'string') pbf.writeStringField(1, value);
  else if (typeof value === 'number') pbf.writeVarintField(5, value);
  else pbf.writeBooleanField(7, value);
}
