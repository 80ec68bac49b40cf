import type {
  ExpressionSpecification,
  LayerSpecification,
  StyleSpecification,
  SymbolLayerSpecification,
} from 'maplibre-gl';
import { worldSources } from './world.ts';
import { surfaces, titlePoints, type RegionMap } from './regions.ts';

/** The calm colors of the map: what people do on it must stand out, not the map. */
export const paint = {
  beyond: '#eceeec',
  land: '#f5f5f1',
  sea: '#cfe1ea',
  wood: '#dfeadb',
  grass: '#e6efdf',
  park: '#dcebd5',
  built: '#efefeb',
  campus: '#f2efe6',
  care: '#f5ebe9',
  building: '#e4e4df',
  buildingEdge: '#d8d8d2',
  path: '#cbc9c0',
  rail: '#c9cbd0',
  road: '#ffffff',
  border: '#c3c7c4',
  roadEdge: '#dcdedb',
  main: '#fdf6e3',
  mainEdge: '#e2d9bd',
  highway: '#fbe7bd',
  highwayEdge: '#dcc283',
  label: '#4a5262',
  labelSoft: '#6b7280',
  placeLabel: '#1f2430',
  halo: '#ffffff',
} as const;

/** Stands in a layer for the tiles of every pack. */
const tiles = 'tiles';
const sourceOf = (pack: number): string => `${tiles}-${pack}`;
const fonts = { regular: ['Noto Sans Regular'], bold: ['Noto Sans Bold'] };
const name: ExpressionSpecification = ['coalesce', ['get', 'name:latin'], ['get', 'name']];

/** A width that grows with the zoom: pairs of zoom and pixels. */
const grows = (...stops: number[]): ExpressionSpecification => [
  'interpolate',
  ['exponential', 1.5],
  ['zoom'],
  ...stops,
];

interface RoadClass {
  id: string;
  classes: readonly string[];
  minzoom: number;
  fill: string;
  edge: string;
  /** Zoom and width of the white part; the edge adds a pixel on either side. */
  width: readonly number[];
}

// Drawn in this order, so that bigger roads lie over smaller ones.
const roads: readonly RoadClass[] = [
  {
    id: 'service',
    classes: ['service'],
    minzoom: 14,
    fill: paint.road,
    edge: paint.roadEdge,
    width: [14, 1, 18, 8],
  },
  {
    id: 'minor',
    classes: ['minor'],
    minzoom: 12,
    fill: paint.road,
    edge: paint.roadEdge,
    width: [12, 1, 14, 3, 18, 16],
  },
  {
    id: 'tertiary',
    classes: ['tertiary'],
    minzoom: 11,
    fill: paint.road,
    edge: paint.roadEdge,
    width: [11, 1, 14, 4.5, 18, 20],
  },
  {
    id: 'secondary',
    classes: ['secondary'],
    minzoom: 9,
    fill: paint.main,
    edge: paint.mainEdge,
    width: [9, 0.8, 14, 5.5, 18, 22],
  },
  {
    id: 'primary',
    classes: ['primary'],
    minzoom: 8,
    fill: paint.main,
    edge: paint.mainEdge,
    width: [8, 0.8, 14, 6, 18, 24],
  },
  {
    id: 'highway',
    classes: ['trunk', 'motorway'],
    minzoom: 5,
    fill: paint.highway,
    edge: paint.highwayEdge,
    width: [5, 0.8, 10, 2.4, 14, 7, 18, 28],
  },
];

const ofClass = (classes: readonly string[]): ExpressionSpecification => [
  'in',
  ['get', 'class'],
  ['literal', [...classes]],
];

function roadLayers(): LayerSpecification[] {
  const layer = (road: RoadClass, part: 'edge' | 'fill'): LayerSpecification => ({
    id: `road-${road.id}-${part}`,
    type: 'line',
    source: tiles,
    'source-layer': 'transportation',
    minzoom: road.minzoom,
    filter: ofClass(road.classes),
    layout: { 'line-cap': 'round', 'line-join': 'round' },
    paint: {
      'line-color': part === 'edge' ? road.edge : road.fill,
      'line-width': grows(
        ...road.width.map((value, at) => (at % 2 === 1 && part === 'edge' ? value + 1.6 : value)),
      ),
    },
  });
  // All edges first: crossings of equal roads then look like crossings.
  return [...roads.map((road) => layer(road, 'edge')), ...roads.map((road) => layer(road, 'fill'))];
}

const fill = (id: string, color: ExpressionSpecification | string, minzoom = 0): LayerSpecification => ({
  id,
  type: 'fill',
  source: tiles,
  'source-layer': id,
  minzoom,
  paint: { 'fill-color': color, 'fill-antialias': true },
});

/** Names of towns: from the tiles, or as points of the land file where the tiles have none. */
function placeLabels(
  id: string,
  from: Pick<SymbolLayerSpecification, 'source' | 'source-layer' | 'filter'>,
): LayerSpecification {
  return {
    id,
    type: 'symbol',
    ...from,
    maxzoom: 15,
    layout: {
      'text-field': name,
      'text-font': fonts.bold,
      'text-size': ['match', ['get', 'class'], 'city', 17, 'town', 15, 'village', 13, 11.5],
      'text-max-width': 8,
    },
    paint: { 'text-color': paint.placeLabel, 'text-halo-color': paint.halo, 'text-halo-width': 1.8 },
  };
}

function labelLayers(towns: boolean): LayerSpecification[] {
  const halo = { 'text-halo-color': paint.halo, 'text-halo-width': 1.4 };
  return [
    {
      id: 'road-name',
      type: 'symbol',
      source: tiles,
      'source-layer': 'transportation_name',
      minzoom: 12,
      layout: {
        'symbol-placement': 'line',
        'symbol-spacing': 320,
        'text-field': ['coalesce', ['get', 'name:latin'], ['get', 'name'], ['get', 'ref']],
        'text-font': fonts.regular,
        'text-size': grows(12, 10.5, 17, 13),
        'text-max-angle': 30,
      },
      paint: { 'text-color': paint.label, ...halo },
    },
    {
      id: 'poi-name',
      type: 'symbol',
      source: tiles,
      'source-layer': 'poi',
      minzoom: 15,
      layout: {
        'text-field': name,
        'text-font': fonts.regular,
        'text-size': 11,
        'text-max-width': 8,
        'text-padding': 8,
      },
      paint: { 'text-color': paint.labelSoft, ...halo },
    },
    {
      id: 'airport-name',
      type: 'symbol',
      source: tiles,
      'source-layer': 'aerodrome_label',
      minzoom: 10,
      layout: { 'text-field': name, 'text-font': fonts.bold, 'text-size': 12, 'text-max-width': 9 },
      paint: { 'text-color': paint.label, ...halo },
    },
    placeLabels('place-name', { source: tiles, 'source-layer': 'place' }),
    ...(towns
      ? [placeLabels('town-name', { source: 'land', filter: ['==', ['geometry-type'], 'Point'] })]
      : []),
  ];
}

const nothing = { type: 'FeatureCollection' as const, features: [] };

/** From far away several regions are specks: their titles say where they are. */
const regionTitles: LayerSpecification = {
  id: 'region-title',
  type: 'symbol',
  source: 'regions',
  maxzoom: 8,
  layout: {
    'text-field': name,
    'text-font': fonts.bold,
    'text-size': 14,
    'text-max-width': 9,
    'text-variable-anchor': ['center', 'top', 'bottom', 'left', 'right'],
  },
  paint: { 'text-color': paint.placeLabel, 'text-halo-color': paint.halo, 'text-halo-width': 1.8 },
};

/** The large cities of the coarse world. */
const cityNames: LayerSpecification = {
  id: 'city-name',
  type: 'symbol',
  source: 'ground-cities',
  maxzoom: 12,
  layout: { 'text-field': name, 'text-font': fonts.bold, 'text-size': 13, 'text-max-width': 8 },
  paint: { 'text-color': paint.placeLabel, 'text-halo-color': paint.halo, 'text-halo-width': 1.8 },
};

type Surfaces = ReturnType<typeof surfaces>;

/** What lies below the packs: the coarse world, and sea and land where the coast is known. */
const worldLayers = (coast: Surfaces): LayerSpecification[] => [
  {
    id: 'beyond',
    type: 'background',
    paint: { 'background-color': coast === null ? paint.land : paint.beyond },
  },
  { id: 'ground-land', type: 'fill', source: 'ground-land', paint: { 'fill-color': paint.land } },
  {
    id: 'ground-border',
    type: 'line',
    source: 'ground-borders',
    paint: { 'line-color': paint.border, 'line-width': 1, 'line-dasharray': [4, 3] },
  },
  ...(coast === null
    ? []
    : [
        {
          id: 'sea',
          type: 'fill' as const,
          source: 'sea',
          paint: { 'fill-color': paint.sea, 'fill-antialias': false },
        },
        { id: 'land', type: 'fill' as const, source: 'land', paint: { 'fill-color': paint.land } },
      ]),
];

const areaLayers: readonly LayerSpecification[] = [
  fill('landcover', [
    'match',
    ['get', 'class'],
    'wood',
    paint.wood,
    'grass',
    paint.grass,
    'sand',
    '#f3ecd6',
    paint.land,
  ]),
  fill('landuse', [
    'match',
    ['get', 'class'],
    ['residential', 'suburb'],
    paint.built,
    ['school', 'university', 'college'],
    paint.campus,
    'hospital',
    paint.care,
    paint.built,
  ]),
  fill('park', paint.park),
  fill('water', paint.sea),
];

/** Waterways, buildings, paths and rails, below the roads. */
const lineLayers: readonly LayerSpecification[] = [
  {
    id: 'waterway',
    type: 'line',
    source: tiles,
    'source-layer': 'waterway',
    paint: { 'line-color': paint.sea, 'line-width': grows(8, 0.5, 14, 2) },
  },
  {
    id: 'building',
    type: 'fill',
    source: tiles,
    'source-layer': 'building',
    minzoom: 14,
    paint: { 'fill-color': paint.building, 'fill-outline-color': paint.buildingEdge },
  },
  {
    id: 'path',
    type: 'line',
    source: tiles,
    'source-layer': 'transportation',
    minzoom: 14,
    filter: ofClass(['path', 'track']),
    paint: { 'line-color': paint.path, 'line-dasharray': [2, 2], 'line-width': 1 },
  },
  {
    id: 'rail',
    type: 'line',
    source: tiles,
    'source-layer': 'transportation',
    filter: ofClass(['rail', 'transit']),
    paint: { 'line-color': paint.rail, 'line-width': 1 },
  },
];

const sourcesOf = (maps: readonly RegionMap[], coast: Surfaces): StyleSpecification['sources'] => ({
  ...Object.fromEntries(worldSources.map((id) => [id, { type: 'geojson' as const, data: nothing }])),
  ...Object.fromEntries(
    maps.map(({ tilesUrl }, pack) => [sourceOf(pack), { type: 'vector' as const, url: tilesUrl }]),
  ),
  ...(maps.length > 1 ? { regions: { type: 'geojson' as const, data: titlePoints(maps) } } : {}),
  ...(coast === null
    ? {}
    : {
        sea: { type: 'geojson' as const, data: coast.sea },
        land: { type: 'geojson' as const, data: coast.land },
      }),
});

/**
 * The style of the packs' own tiles (OpenMapTiles schema), each kind of thing drawn for all packs before the
 * next.
 */
export function ownStyle(maps: readonly RegionMap[]): StyleSpecification {
  const coast = surfaces(maps);
  const layers: LayerSpecification[] = [
    ...worldLayers(coast),
    ...areaLayers,
    ...lineLayers,
    ...roadLayers(),
    cityNames,
    ...labelLayers(coast !== null),
    ...(maps.length > 1 ? [regionTitles] : []),
  ];
  return {
    version: 8,
    sources: sourcesOf(maps, coast),
    layers: layers.flatMap((layer) =>
      'source' in layer && layer.source === tiles
        ? maps.map((_, pack) => ({ ...layer, id: `${layer.id}-${pack}`, source: sourceOf(pack) }))
        : [layer],
    ),
  };
}
