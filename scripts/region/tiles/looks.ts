import type { Tags } from '../../../roads/build/osm.ts';
import { landuseKind, waterKind, waterwayKind } from './land-kinds.ts';
import { placeLook } from './place-look.ts';
import { poiLook } from './poi-look.ts';
import { railLook, roadLooks } from './road-looks.ts';
import type { Look } from './shape.ts';

/** Water larger than this is seen from afar. */
const LARGE_WATER_SQUARE_METRES = 1e6;
/** The name of a body of water is first in the tiles of this zoom, by its least area. */
const WATER_NAME_ZOOMS: readonly [squareMetres: number, zoom: number][] = [
  [2e6, 10],
  [2e5, 11],
  [3e4, 13],
  [0, 14],
];
/** Basins of a sewage plant have names that no map should say. */
const UNSAID_WATER = /tank|basin|clarifier/i;
const STORY_METRES = 3;

/** The drawing of a way along its line. */
export function lineLooks(tags: Tags): Look[] {
  return [...roadLooks(tags), ...railLook(tags), ...waterwayLooks(tags), ...boundaryLooks(tags)];
}

function waterwayLooks(tags: Tags): Look[] {
  const kind = waterwayKind(tags);
  if (kind === null || (tags.tunnel !== undefined && tags.tunnel !== 'no')) return [];
  const properties = { kind, min_zoom: 10, ...(tags.name && { name: tags.name }) };
  return [{ layer: 'water', kind: 'line', minZoom: kind === 'river' ? 9 : 12, properties }];
}

/** Borders of countries, states and counties; those of towns and townships are left out. */
function boundaryLooks(tags: Tags): Look[] {
  const level = Number(tags.admin_level);
  if (tags.boundary !== 'administrative' || !(level >= 2 && level <= 6)) return [];
  const kind = level === 2 ? 'country' : level <= 4 ? 'region' : 'county';
  return [
    {
      layer: 'boundaries',
      kind: 'line',
      minZoom: level <= 4 ? 5 : 8,
      properties: { kind, kind_detail: level, sort_rank: 289 },
    },
  ];
}

/** The drawing of a closed way or a multipolygon as a surface. */
export function areaLooks(tags: Tags, squareMetres: number): Look[] {
  const water = waterKind(tags);
  if (water !== null)
    return [
      {
        layer: 'water',
        kind: 'area',
        minZoom: squareMetres > LARGE_WATER_SQUARE_METRES ? 5 : 9,
        properties: { kind: water, sort_rank: 200 },
      },
    ];
  const looks: Look[] = [];
  const landuse = landuseKind(tags);
  if (landuse !== null)
    looks.push({
      layer: 'landuse',
      kind: 'area',
      minZoom: squareMetres > LARGE_WATER_SQUARE_METRES ? 6 : 10,
      properties: { kind: landuse, sort_rank: 189 },
    });
  if (tags.building !== undefined && tags.building !== 'no' && tags.location !== 'underground')
    looks.push({
      layer: 'buildings',
      kind: 'area',
      minZoom: 13,
      properties: { kind: 'building', sort_rank: 400, ...heightOf(tags) },
    });
  return looks;
}

function heightOf(tags: Tags): { height?: number } {
  const metres = Number.parseFloat(tags.height ?? '') || STORY_METRES * Number(tags['building:levels']);
  return metres > 0 ? { height: Math.round(metres) } : {};
}

/** The label of an area at a point inside it. */
export function areaLabelLooks(tags: Tags, squareMetres: number): Look[] {
  const water = waterKind(tags);
  if (water !== null) return waterNameLooks(tags, water, squareMetres);
  return [...poiLook(tags, squareMetres), ...houseNumberLooks(tags)];
}

function waterNameLooks(tags: Tags, kind: string, squareMetres: number): Look[] {
  const { name } = tags;
  const isUnsaid = kind === 'swimming_pool' || tags.water === 'wastewater' || UNSAID_WATER.test(name ?? '');
  if (name === undefined || isUnsaid) return [];
  const zoom = WATER_NAME_ZOOMS.find(([least]) => squareMetres >= least)?.[1] ?? 14;
  return [{ layer: 'water', kind: 'point', minZoom: zoom, properties: { kind, name, min_zoom: zoom } }];
}

/** The label of a thing that is a point. */
export function pointLooks(tags: Tags): Look[] {
  return [...placeLook(tags), ...poiLook(tags, 0), ...houseNumberLooks(tags)];
}

function houseNumberLooks(tags: Tags): Look[] {
  const number = tags['addr:housenumber'];
  if (number === undefined) return [];
  return [
    {
      layer: 'buildings',
      kind: 'point',
      minZoom: 14,
      properties: { kind: 'address', addr_housenumber: number },
    },
  ];
}
