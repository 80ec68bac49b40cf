import { gunzipSync } from 'node:zlib';
import { DatabaseSync } from 'node:sqlite';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { z } from 'zod';
import type { AddressRange } from '../../roads/places/addresses.ts';
import { greatCircleMetres } from '../../roads/graph/geometry.ts';

/** The house numbers on one side of a street edge of the US Census TIGER/Line files. */
export interface TigerRange {
  id: string;
  /** As the Census abbreviates it. */
  name: string;
  postcode: string | undefined;
  range: AddressRange;
}

type Line = [lon: number, lat: number][];
type Properties = Record<string, string | number | boolean | undefined>;

/**
 * Pieces of an edge cut at a tile's border meet within this distance; the tiles' grid is about half a metre.
 */
const JOIN_METRES = 4;

const tileRow = z.object({
  zoom: z.number(),
  col: z.number(),
  row: z.number(),
  data: z.instanceof(Uint8Array),
});

/**
 * Reads address ranges from vector tiles (MBTiles, layer `tiger`, highest zoom). An edge that was cut by tile
 * borders is put together again, because its numbers run along the whole of it.
 * @throws when the file is no MBTiles.
 */
export function readTigerRanges(mbtilesFile: string): TigerRange[] {
  const edges = new Map<number, { properties: Properties; pieces: Line[] }>();
  const database = new DatabaseSync(mbtilesFile, { readOnly: true });
  try {
    const tiles = database
      .prepare(
        `SELECT zoom_level AS zoom, tile_column AS col, tile_row AS row, tile_data AS data FROM tiles
         WHERE zoom_level = (SELECT max(zoom_level) FROM tiles) ORDER BY col, row`,
      )
      .all();
    for (const tile of tiles) {
      const { zoom, col, row, data } = tileRow.parse(tile);
      const layer = new VectorTile(new PbfReader(gunzipSync(data))).layers.tiger;
      if (!layer) continue;
      for (let i = 0; i < layer.length; i++) {
        const feature = layer.feature(i);
        const properties = feature.properties as Properties;
        if (typeof properties.TLID !== 'number' || !properties.FULLNAME) continue;
        const edge = edges.get(properties.TLID) ?? { properties, pieces: [] };
        edges.set(properties.TLID, edge);
        for (const line of feature.loadGeometry())
          edge.pieces.push(...piecesOf(line, layer.extent, { zoom, col, row }));
      }
    }
  } finally {
    database.close();
  }
  return [...edges].flatMap(([id, { properties, pieces }]) => {
    const line = joined(pieces);
    return line.length < 2
      ? []
      : [...sideRange(id, 'L', properties, line), ...sideRange(id, 'R', properties, line)];
  });
}

/**
 * The pieces of a tile's line within the tile, in degrees. MBTiles count rows from the south, the tile grid
 * from the north.
 */
function piecesOf(
  line: Parameters<typeof clipToTile>[0],
  extent: number,
  { zoom, col, row }: { zoom: number; col: number; row: number },
): Line[] {
  const tileY = 2 ** zoom - 1 - row;
  return clipToTile(line, extent).map((part) =>
    part.map(([x, y]) => lonLatOf(zoom, col + x / extent, tileY + y / extent)),
  );
}

function sideRange(id: number, side: 'L' | 'R', properties: Properties, line: Line): TigerRange[] {
  const from = houseNumber(properties[`${side}FROMADD`]);
  const to = houseNumber(properties[`${side}TOADD`]);
  if (from === null || to === null) return [];
  const parity = from % 2 !== to % 2 ? 'any' : from % 2 === 0 ? 'even' : 'odd';
  const postcode = properties[`ZIP${side}`];
  return [
    {
      id: `tiger-${id}-${side}`,
      name: String(properties.FULLNAME),
      postcode: postcode ? String(postcode) : undefined,
      range: { from, to, parity, line },
    },
  ];
}

function houseNumber(value: Properties[string]): number | null {
  const text = String(value ?? '');
  return /^\d{1,6}$/.test(text) ? Number(text) : null;
}

function lonLatOf(zoom: number, x: number, y: number): [number, number] {
  const size = 2 ** zoom;
  const lon = (x / size) * 360 - 180;
  const lat = (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / size))) * 180) / Math.PI;
  return [round6(lon), round6(lat)];
}

function round6(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6;
}

/**
 * The parts of a line inside the tile proper, without the margin it shares with its neighbors (Liang–Barsky).
 */
function clipToTile(line: { x: number; y: number }[], extent: number): [number, number][][] {
  const parts: [number, number][][] = [];
  let open: [number, number][] | null = null;
  for (let i = 1; i < line.length; i++) {
    const a = line[i - 1]!;
    const b = line[i]!;
    const inside = clipSpan(a, b, extent);
    if (!inside) {
      open = null;
      continue;
    }
    const at = (t: number): [number, number] => [a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t];
    if (!open || inside[0] > 0) parts.push((open = [at(inside[0])]));
    open.push(at(inside[1]));
    if (inside[1] < 1) open = null;
  }
  return parts;
}

type Point = { x: number; y: number };

function clipSpan(a: Point, b: Point, extent: number): [number, number] | null {
  let start = 0;
  let end = 1;
  for (const [from, delta] of [
    [a.x, b.x - a.x],
    [a.y, b.y - a.y],
  ] as const) {
    if (delta === 0) {
      if (from < 0 || from > extent) return null;
      continue;
    }
    const atZero = -from / delta;
    const atExtent = (extent - from) / delta;
    start = Math.max(start, Math.min(atZero, atExtent));
    end = Math.min(end, Math.max(atZero, atExtent));
  }
  return start < end ? [start, end] : null;
}

/** One line from the pieces of an edge, all of which keep its direction. */
function joined(pieces: Line[]): Line {
  const left = [...pieces];
  let line = left.shift() ?? [];
  for (;;) {
    const after = left.findIndex((piece) => touches(line.at(-1)!, piece[0]!));
    const before = after >= 0 ? -1 : left.findIndex((piece) => touches(piece.at(-1)!, line[0]!));
    if (after >= 0) line = [...line, ...left.splice(after, 1)[0]!.slice(1)];
    else if (before >= 0) line = [...left.splice(before, 1)[0]!, ...line.slice(1)];
    else return line;
  }
}

function touches([lonA, latA]: [number, number], [lonB, latB]: [number, number]): boolean {
  return greatCircleMetres({ lon: lonA, lat: latA }, { lon: lonB, lat: latB }) < JOIN_METRES;
}
