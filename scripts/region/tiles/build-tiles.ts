import type { Bounds } from '../../../roads/graph/geometry.ts';
import { ArchiveWriter } from './archive.ts';
import { clipShapes } from './clip.ts';
import { readShapes } from './read-shapes.ts';
import { boxOf, ringArea, type Path, type Shape, worldPosition } from './shape.ts';
import { simplified } from './simplify.ts';
import { ShapeSpool } from './spool.ts';
import { encodeTile, EXTENT, type TileAddress } from './vector-tile.ts';

interface TileSources {
  pbfFile: string;
  /** The rectangle that the extract was cut to. */
  extract: Bounds;
  /** The archive to write, .pmtiles. */
  file: string;
  title: string;
  /** The region: all of it is drawn. */
  region: Bounds;
  /** Bounds of the map: beyond the region it has the ground, main roads and towns. */
  bounds: Bounds;
  center: [lon: number, lat: number];
  /** The sea, where the extract's coast tells it. */
  sea?: Shape;
  /** Called now and then with the share done, 0 … 1. */
  onProgress?: (share: number) => void;
}

const MAX_ZOOM = 14;
/**
 * Tiles of this zoom are drawn one at a time with all that lies in them; those above show little and are
 * drawn at once.
 */
const PART_ZOOM = 10;
/** How far a tile draws beyond its border, so that lines and their edges meet those of the next. */
const MARGIN = 64 / EXTENT;
/** Low zooms need no more than this of a shape: half a grid unit of the last of them. */
const COARSE = 0.5 / (EXTENT * 2 ** (PART_ZOOM - 1));
const WHOLE = 'whole';

/**
 * Draws the map of an extract as vector tiles, zoom 0 to 14, in the layers of the Protomaps basemap schema.
 * @returns the number of tiles.
 */
export async function buildTiles(sources: TileSources): Promise<number> {
  const { pbfFile, extract, file, region, bounds, center, title, sea, onProgress } = sources;
  const shown = shownIn(region, bounds);
  const spool = await ShapeSpool.create(`${file}.shapes`);
  const archive = await ArchiveWriter.create(file);
  const layers = new Set<string>();
  try {
    for await (const whole of readShapes(pbfFile, extract)) {
      const shape = shown(whole);
      if (shape === undefined) continue;
      layers.add(shape.layer);
      await spool.add(partsOf(shape), shape);
      if (shape.minZoom < PART_ZOOM) await spool.add([WHOLE], coarse(shape));
    }
    const shownSea = sea && shown(sea);
    if (shownSea) {
      layers.add(shownSea.layer);
      await spool.add([WHOLE], coarse(shownSea));
      await spoolByPart(spool, [shownSea], { z: 0, x: 0, y: 0 });
    }
    const parts = spool.keys;
    for (const [i, part] of parts.entries()) {
      onProgress?.(i / parts.length);
      const shapes = await spool.read(part);
      if (part === WHOLE) {
        await drawTiles(archive, shapes, { z: 0, x: 0, y: 0 }, PART_ZOOM - 1);
      } else {
        const [x, y] = part.split('/').map(Number) as [number, number];
        const at = { z: PART_ZOOM, x, y };
        await drawTiles(archive, within(shapes, at), at, MAX_ZOOM);
      }
    }
    await archive.finish({
      bounds,
      center,
      maxZoom: MAX_ZOOM,
      metadata: {
        name: title,
        version: '4',
        format: 'pbf',
        attribution: '© OpenStreetMap contributors',
        vector_layers: [...layers]
          .toSorted()
          .map((id) => ({ id, fields: { kind: 'String', name: 'String' } })),
      },
    });
    return archive.tiles;
  } finally {
    await spool.close();
    await archive.close();
  }
}

/** Cuts a shape that is larger than a part to what each part shows of it. */
async function spoolByPart(spool: ShapeSpool, shapes: readonly Shape[], at: TileAddress): Promise<void> {
  if (at.z === PART_ZOOM) for (const shape of shapes) await spool.add([`${at.x}/${at.y}`], shape);
  else for (const child of childrenOf(at)) await spoolByPart(spool, within(shapes, child), child);
}

/** Draws a tile, then the four below it, down to a zoom. */
async function drawTiles(
  archive: ArchiveWriter,
  shapes: readonly Shape[],
  at: TileAddress,
  lastZoom: number,
): Promise<void> {
  if (shapes.length === 0) return;
  const tile = encodeTile(shapes, at, at.z === MAX_ZOOM);
  if (tile && coversAll(shapes, at)) return archive.addAllBelow(at, lastZoom, tile);
  if (tile) await archive.add(at, tile);
  if (at.z === lastZoom) return;
  for (const child of childrenOf(at)) await drawTiles(archive, within(shapes, child), child, lastZoom);
}

function childrenOf({ z, x, y }: TileAddress): TileAddress[] {
  return [
    [0, 0],
    [1, 0],
    [0, 1],
    [1, 1],
  ].map(([right, below]) => ({ z: z + 1, x: x * 2 + right!, y: y * 2 + below! }));
}

/**
 * Whether a tile shows one surface from edge to edge and nothing else, so that all tiles below it are the
 * same.
 */
function coversAll(shapes: readonly Shape[], { z }: TileAddress): boolean {
  const [only, ...others] = shapes;
  if (!only || others.length > 0 || only.kind !== 'area' || only.minZoom > z) return false;
  const [outline, ...holes] = only.paths;
  const side = (1 + 2 * MARGIN) / 2 ** z;
  return outline !== undefined && holes.length === 0 && ringArea(outline) >= side * side * (1 - 1e-9);
}

/** The shapes of a tile and its margin. */
function within(shapes: readonly Shape[], { z, x, y }: TileAddress): Shape[] {
  const size = 2 ** z;
  const span = (at: number): [number, number] => [(at - MARGIN) / size, (at + 1 + MARGIN) / size];
  return clipShapes(shapes, span(x), span(y));
}

/** The tiles of PART_ZOOM that a shape may touch. */
function partsOf({ paths }: Shape): string[] {
  const size = 2 ** PART_ZOOM;
  const [west, north, east, south] = boxOf(paths).map((edge, i) =>
    Math.min(size - 1, Math.max(0, Math.floor(edge * size + (i < 2 ? -MARGIN : MARGIN)))),
  ) as [number, number, number, number];
  const parts: string[] = [];
  for (let x = west; x <= east; x++) for (let y = north; y <= south; y++) parts.push(`${x}/${y}`);
  return parts;
}

function coarse(shape: Shape): Shape {
  return { ...shape, paths: shape.paths.map((path: Path) => simplified(path, COARSE)) };
}

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
function shownIn(region: Bounds, bounds: Bounds): (shape: Shape) => Shape | undefined {
  const [west, north, east, south] = boxIn(region);
  const [left, top, right, bottom] = boxIn(bounds);
  return (shape) => {
    const box = boxOf(shape.paths);
    const isBeyond = box[0] > east || box[1] > south || box[2] < west || box[3] < north;
    if (isBeyond && !isOfSurroundings(shape)) return undefined;
    return clipShapes([shape], [left, right], [top, bottom])[0];
  };
}
