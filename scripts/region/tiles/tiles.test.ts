import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { TileType, tileIdToZxy, type PMTiles } from 'pmtiles';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Bounds } from '../../../roads/graph/geometry.ts';
import { ArchiveWriter } from './archive.ts';
import { buildTiles } from './build-tiles.ts';
import { clipShapes } from './clip.ts';
import { areaLabelLooks, areaLooks, lineLooks, pointLooks } from './looks.ts';
import { assembleRings } from './rings.ts';
import { isInside, labelPoint, reversedPath, ringArea, type Path, type Shape } from './shape.ts';
import { joinedLines, simplified } from './simplify.ts';
import { archiveIn, tileAt } from './read-archive.ts';

const BOUNDS: Bounds = [-122.155, 36.9482, -121.89, 37.091];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tiles-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the map of Santa Cruz', () => {
  let map: PMTiles;
  const layersOf = async (lon: number, lat: number, z: number) => {
    const found = await map.getZxy(...tileAt(lon, lat, z));
    return found ? new VectorTile(new PbfReader(new Uint8Array(found.data))).layers : {};
  };

  beforeAll(async () => {
    const file = join(folder, 'santa-cruz.pmtiles');
    const shares: number[] = [];
    const tiles = await buildTiles({
      pbfFile: 'regions/santa-cruz/roads.osm.pbf',
      file,
      title: 'Santa Cruz',
      extract: BOUNDS,
      region: BOUNDS,
      bounds: BOUNDS,
      center: [-122.0263, 36.9741],
      onProgress: (share) => shares.push(share),
    });
    expect(tiles).toBeGreaterThan(100);
    expect(shares[0]).toBe(0);
    map = archiveIn(file);
  });

  test('is a PMTiles archive that says what it holds, with nothing beside it', async () => {
    const header = await map.getHeader();
    expect(header).toMatchObject({
      specVersion: 3,
      minZoom: 0,
      maxZoom: 14,
      tileType: TileType.Mvt,
      clustered: true,
    });
    expect(header.minLon).toBeCloseTo(BOUNDS[0], 6);
    expect(header.maxLat).toBeCloseTo(BOUNDS[3], 6);
    expect(header.centerLat).toBeCloseTo(36.9741, 6);
    expect(await map.getMetadata()).toMatchObject({ attribution: '© OpenStreetMap contributors' });
    expect(await readdir(folder)).toEqual(['santa-cruz.pmtiles']);
  });

  test('shows streets with their names, and buildings, at street level', async () => {
    const { roads, buildings } = await layersOf(-122.0263, 36.9741, 14);
    expect(buildings!.length).toBeGreaterThan(0);
    const classes = new Set(
      Array.from({ length: roads!.length }, (_, i) => roads!.feature(i).properties.kind),
    );
    expect(classes).toContain('minor_road');
    const named = Array.from({ length: roads!.length }, (_, i) => roads!.feature(i).properties.name);
    expect(named).toContain('Pacific Avenue');
  });

  test('a street lies where the extract has it', async () => {
    const { roads: names } = await layersOf(-122.0263, 36.9741, 14);
    const [z, x, y] = tileAt(-122.0263, 36.9741, 14);
    const pacific = Array.from({ length: names!.length }, (_, i) => names!.feature(i)).find(
      ({ properties }) => properties.name === 'Pacific Avenue',
    )!;
    const { geometry } = pacific.toGeoJSON(x, y, z) as {
      geometry: { coordinates: number[] | number[][] | number[][][] };
    };
    const lons = geometry.coordinates.flat(2).filter((_, i) => i % 2 === 0);
    expect(Math.min(...lons.map((lon) => Math.abs(lon - -122.0263)))).toBeLessThan(0.003);
  });

  test('leaves the small things out from afar', async () => {
    const { buildings, roads } = await layersOf(-122.0263, 36.9741, 9);
    expect(buildings).toBeUndefined();
    const classes = Array.from({ length: roads!.length }, (_, i) => roads!.feature(i).properties.kind);
    expect(classes).not.toContain('minor_road');
    expect(classes.length).toBeGreaterThan(0);
  });
});

test('an archive of very many tiles has a directory of directories', async () => {
  const file = join(folder, 'many.pmtiles');
  const archive = await ArchiveWriter.create(file);
  // Lengths without a pattern, so that the directory does not shrink to nothing.
  const tiles = 20_000;
  const content = (id: number) => {
    const [length] = createHash('sha256').update(String(id)).digest();
    return createHash('shake256', { outputLength: 1 + length! })
      .update(String(id))
      .digest();
  };
  for (let id = tiles - 1; id >= 0; id--) {
    const [z, x, y] = tileIdToZxy(id);
    await archive.add({ z, x, y }, content(id));
  }
  await archive.finish({ bounds: [-180, -85, 180, 85], center: [0, 0], maxZoom: 14, metadata: {} });
  await archive.close();
  const map = archiveIn(file);
  expect((await map.getHeader()).leafDirectoryLength).toBeGreaterThan(0);
  for (const id of [0, 1, 4095, 4096, 10_001, tiles - 1])
    expect(Buffer.from((await map.getZxy(...tileIdToZxy(id)))!.data)).toEqual(content(id));
  expect(await map.getZxy(...tileIdToZxy(tiles))).toBeUndefined();
});

/** A square ring, clockwise as drawn. */
const square = (x: number, y: number, side: number): Path => [
  x,
  y,
  x + side,
  y,
  x + side,
  y + side,
  x,
  y + side,
  x,
  y,
];

describe('shapes', () => {
  const shape = (kind: Shape['kind'], ...paths: Path[]): Shape => ({
    layer: 'landuse',
    kind,
    minZoom: 0,
    properties: {},
    paths,
  });

  test('a multipolygon is put together from its ways, holes behind their ring', () => {
    const rings = assembleRings(
      [
        [0, 0, 10, 0, 10, 10],
        [0, 0, 0, 10, 10, 10],
        [30, 0, 31, 0],
        [20, 0, 24, 0, 24, 4, 20, 4, 20, 0],
      ],
      [square(4, 4, 2)],
    );
    expect(rings.map(ringArea)).toEqual([100, -4, 16]);
  });

  test('a surface, a line and a point are cut at a border', () => {
    const cut = clipShapes(
      [
        shape('area', square(0, 0, 10)),
        shape('line', [-5, 5, 5, 5, 5, 15, 8, 15, 8, 5]),
        shape('point', [25, 5]),
      ],
      [2, 20],
      [1, 9],
    );
    expect(cut).toHaveLength(2);
    expect(ringArea(cut[0]!.paths[0]!)).toBe(8 * 8);
    expect(cut[1]!.paths).toEqual([
      [2, 5, 5, 5, 5, 9],
      [8, 9, 8, 5],
    ]);
  });

  test('pieces of a street become one line, whichever way they run', () => {
    expect(
      joinedLines([
        [0, 0, 1, 0],
        [2, 0, 1, 0],
        [2, 0, 3, 0],
        [9, 9, 8, 8],
      ]),
    ).toHaveLength(2);
    expect(
      joinedLines([
        [0, 0, 1, 0],
        [1, 0, 1, 1],
        [1, 1, 0, 0],
      ]),
    ).toHaveLength(1);
  });

  test('a point that hardly bends the line is left out', () => {
    expect(simplified([0, 0, 5, 0.4, 10, 0, 10, 5], 0.5)).toEqual([0, 0, 10, 0, 10, 5]);
  });
});

test('a line that the edge of the extract cuts is closed along it, one that ends inside is left out', () => {
  const extract = [0, 0, 100, 100] as const;
  const rings = assembleRings([[0, 40, 50, 40, 50, 0]], [], extract);
  expect(rings.map(ringArea)).toEqual([2000]);
  expect(assembleRings([[0, 40, 50, 40, 50, 60]], [], extract)).toEqual([]);
});

test('a name stands inside its area, also where the middle of the box is outside', () => {
  // An L: the middle of its box lies outside.
  const ring = [0, 0, 10, 0, 10, 100, 100, 100, 100, 110, 0, 110, 0, 0];
  const [x, y] = labelPoint([ringArea(ring) < 0 ? reversedPath(ring) : ring]);
  expect(isInside(x, y, ring)).toBe(true);
});

describe('how things look', () => {
  test('a road shows its number and its name where there is room, each in tiles of its own', () => {
    const looks = lineLooks({ highway: 'primary', name: 'Atherton Street', ref: 'US 322 Business;PA 26' });
    expect(looks.map(({ minZoom, maxZoom }) => [minZoom, maxZoom])).toEqual([
      [7, 9],
      [10, 11],
      [12, 13],
      [14, undefined],
    ]);
    expect(looks[0]!.properties).toEqual({
      kind: 'major_road',
      kind_detail: 'primary',
      min_zoom: 8,
      sort_rank: 400,
    });
    expect(looks[1]!.properties).toMatchObject({ shield_text: '322', network: 'US:US' });
    expect(looks[2]!.properties).toMatchObject({ name: 'Atherton Street' });
  });

  test('numbers that are on no sign have no shield', () => {
    const [first] = lineLooks({ highway: 'tertiary', ref: 'SR 3018' }).slice(-1);
    expect(first!.properties).toMatchObject({ ref: 'SR 3018' });
    expect(first!.properties).not.toHaveProperty('shield_text');
  });

  test('what is not there yet is not drawn', () => {
    expect(lineLooks({ highway: 'proposed' })).toEqual([]);
  });

  test('surfaces by what they are for', () => {
    expect(areaLooks({ natural: 'water' }, 500)).toMatchObject([{ layer: 'water', minZoom: 9 }]);
    expect(areaLooks({ natural: 'water' }, 2e6)).toMatchObject([{ layer: 'water', minZoom: 5 }]);
    expect(areaLooks({ amenity: 'school', building: 'school' }, 500).map(({ layer }) => layer)).toEqual([
      'landuse',
      'buildings',
    ]);
    expect(areaLooks({ boundary: 'protected_area', name: 'Rothrock State Forest' }, 1e8)).toMatchObject([
      { properties: { kind: 'forest' } },
    ]);
  });

  test('the larger a park, the earlier its name; a pool and a settling tank have none', () => {
    const zoomOf = (squareMetres: number) =>
      areaLabelLooks({ leisure: 'park', name: 'Sunset Park' }, squareMetres)[0]?.minZoom;
    expect([zoomOf(6e7), zoomOf(1e6), zoomOf(100)]).toEqual([9, 12, 14]);
    expect(areaLabelLooks({ leisure: 'swimming_pool', name: 'Pool' }, 900)).toEqual([]);
    expect(areaLabelLooks({ natural: 'water', name: 'Anoxic Tank' }, 900)).toEqual([]);
  });

  test('towns by their people, airports by their code, houses by their number', () => {
    expect(pointLooks({ place: 'town', name: 'Bellefonte', population: '6,187' })).toMatchObject([
      { layer: 'places', properties: { kind: 'locality', population: 6187, population_rank: 5 } },
    ]);
    expect(pointLooks({ aeroway: 'aerodrome', name: 'State College', iata: 'SCE' })[0]).toMatchObject({
      minZoom: 10,
      properties: { kind: 'aerodrome', iata: 'SCE' },
    });
    expect(pointLooks({ 'addr:housenumber': '12' })).toMatchObject([
      { layer: 'buildings', properties: { kind: 'address', addr_housenumber: '12' } },
    ]);
    expect(pointLooks({ amenity: 'cafe' })).toEqual([]);
  });
});
