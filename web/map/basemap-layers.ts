import { layers as protomapsLayers } from '@protomaps/basemaps';
import type {
  ExpressionSpecification,
  FillLayerSpecification,
  FilterSpecification,
  LayerSpecification,
  SymbolLayerSpecification,
} from 'maplibre-gl';
import { calmFlavor, mapFonts, paint, poiColors } from './flavor.ts';
import { landmarkKinds, poiKinds } from './poi-kinds.ts';

type Layer = LayerSpecification;

/** Layers that the ground below the packs draws, or that our tiles have nothing for. */
const leftOut = [
  'background',
  'earth',
  'landcover',
  'earth_label_islands',
  'places_country',
  'places_region',
];
/** Closer than this, names of towns give their room to streets. */
const lastTownZoom = 15.5;

const kindIn = (kinds: readonly string[]): ExpressionSpecification => [
  'in',
  ['get', 'kind'],
  ['literal', [...kinds]],
];
const stops = (...values: (number | ExpressionSpecification)[]): ExpressionSpecification => [
  'interpolate',
  ['linear'],
  ['zoom'],
  ...values,
];

const landuse = (
  source: string,
  id: string,
  { kinds, color, minzoom = 0 }: { kinds: readonly string[]; color: string; minzoom?: number },
): FillLayerSpecification => ({
  id,
  type: 'fill',
  source,
  'source-layer': 'landuse',
  minzoom,
  filter: kindIn(kinds),
  paint: { 'fill-color': color },
});

/** A name in the reader's language where the data has one, else the one that people there use. */
export const nameIn = (language: string): ExpressionSpecification => [
  'coalesce',
  ['get', `name:${language}`],
  ['get', 'name'],
];

/**
 * The layers of the basemap over one pack's tiles: those of Protomaps in our flavor, with the ranks of towns,
 * landmarks, streets and shops that a driver needs.
 * @param language `en` or `zh`.
 */
export function basemapLayers(source: string, language: string): Layer[] {
  const stock = protomapsLayers(source, calmFlavor(), { lang: language })
    .filter(({ id }) => !leftOut.includes(id))
    .map((layer) => adjusted(structuredClone<Layer>(layer), language));
  const before = (id: string, ...added: Layer[]) =>
    stock.splice(
      stock.findIndex((each) => each.id === id),
      0,
      ...added,
    );
  const moved = (id: string) =>
    stock.splice(
      stock.findIndex((each) => each.id === id),
      1,
    );
  before(
    'landuse_hospital',
    landuse(source, 'landuse_commerce', { kinds: ['commercial', 'retail'], color: paint.commerce }),
  );
  // The campus lies below the parks and woods that are on it.
  before('landuse_park', ...moved('landuse_school'));
  before(
    'water',
    landuse(source, 'landuse_parking', { kinds: ['parking'], color: paint.parking, minzoom: 14 }),
    landuse(source, 'landuse_pitch', { kinds: ['pitch', 'playground'], color: paint.pitch, minzoom: 14 }),
  );
  // Street names come before shops, and landmarks before street names: later layers win the room.
  before('roads_labels_minor', ...moved('pois'));
  before('places_subplace', landmarks(source, language));
  return stock;
}

/** Changes of single layers, by their id. */
function adjusted(layer: Layer, language: string): Layer {
  const change = changes[layer.id];
  change?.(layer);
  if (layer.type === 'symbol') nameLayer(layer, language);
  if (layer.type === 'line' && layer.id.startsWith('roads_'))
    layer.layout = {
      'line-join': 'round',
      ...(layer.paint?.['line-dasharray'] === undefined && { 'line-cap': 'round' }),
      ...layer.layout,
    };
  return layer;
}

/** Names in our families, in the reader's language. */
function nameLayer(layer: SymbolLayerSpecification, language: string): void {
  const ownText = ['roads_shields', 'address_label', 'roads_oneway'];
  layer.layout = {
    ...layer.layout,
    'text-font': [layer.id === 'places_locality' ? mapFonts.bold : mapFonts.regular],
    ...(layer['source-layer'] === 'water' && { 'text-letter-spacing': 0.03 }),
    ...(!ownText.includes(layer.id) && { 'text-field': nameIn(language) }),
  };
}

const filterOf = (layer: Layer, filter: FilterSpecification): void => {
  if (layer.type !== 'background') layer.filter = filter;
};

const changes: Record<string, (layer: Layer) => void> = {
  landuse_park: (layer) => {
    const green = ['park', 'national_park', 'golf_course', 'dog_park'];
    const woods = ['wood', 'forest', 'nature_reserve'];
    const scrub = ['scrub', 'grassland', 'grass', 'cemetery', 'farmland'];
    filterOf(layer, kindIn([...green, ...woods, ...scrub]));
    layer.paint = {
      'fill-color': ['match', ['get', 'kind'], green, '#cfe8c8', woods, paint.wood, paint.scrub],
      'fill-opacity': stops(6, 0.5, 10, 1),
    };
  },
  water_stream: (layer) => {
    layer.minzoom = 12;
    layer.paint = { 'line-color': paint.sea, 'line-width': stops(12, 0.4, 16, 2) };
  },
  buildings: (layer) => {
    layer.minzoom = 13;
    layer.paint = {
      'fill-color': '#e2dcd2',
      'fill-outline-color': '#d3cec5',
      'fill-opacity': stops(13, 0, 14, 0.45, 15.5, 1),
    };
  },
  roads_other: (layer) => {
    // Sidewalks and crossings are noise until one is close.
    layer.minzoom = 14;
    layer.paint = {
      'line-color': ['match', ['get', 'kind_detail'], ['sidewalk', 'crossing'], '#f6f3ec', '#fffdf8'],
      'line-width': stops(14, 0.6, 18, 3.5),
    };
  },
  roads_minor_service: hideDrives,
  roads_minor_service_casing: hideDrives,
  roads_major: warmMainStreets,
  roads_bridges_major: warmMainStreets,
  roads_rail: (layer) => {
    if (layer.type === 'line')
      layer.paint = { ...layer.paint, 'line-width': stops(10, 0.5, 15, 1.4), 'line-dasharray': [4, 1.5] };
  },
  roads_labels_major: (layer) => {
    if (layer.type !== 'symbol') return;
    layer.layout = { ...layer.layout, 'text-size': stops(12, 10.5, 16, 13), 'symbol-spacing': 320 };
    layer.paint = { ...layer.paint, 'text-halo-width': 1.5 };
  },
  roads_labels_minor: (layer) => {
    if (layer.type !== 'symbol') return;
    layer.minzoom = 14.5;
    filterOf(layer, ['all', ['==', ['get', 'kind'], 'minor_road'], ['has', 'name']]);
    layer.layout = { ...layer.layout, 'text-size': stops(15, 10.5, 18, 13) };
    layer.paint = { ...layer.paint, 'text-halo-width': 1.5 };
  },
  roads_shields: (layer) => {
    if (layer.type !== 'symbol') return;
    layer.minzoom = 8;
    const digits: ExpressionSpecification = ['to-string', ['length', ['get', 'shield_text']]];
    filterOf(layer, ['has', 'shield_text']);
    layer.layout = {
      'symbol-placement': 'line',
      'symbol-spacing': 300,
      'icon-image': [
        'concat',
        ['match', ['get', 'network'], 'US:I', 'shield-interstate-', 'shield-'],
        digits,
      ],
      'icon-rotation-alignment': 'viewport',
      'text-rotation-alignment': 'viewport',
      'text-field': ['get', 'shield_text'],
      'text-size': 9.5,
      'text-padding': 4,
      'icon-padding': 4,
    };
    layer.paint = { 'text-color': ['match', ['get', 'network'], 'US:I', '#ffffff', '#4f4c48'] };
  },
  address_label: (layer) => {
    layer.minzoom = 16.5;
    if (layer.type === 'symbol') layer.layout = { ...layer.layout, 'text-size': 10.5 };
  },
  boundaries: (layer) => {
    if (layer.type === 'line') layer.paint = { ...layer.paint, 'line-opacity': 0.7 };
  },
  pois: (layer) => {
    if (layer.type !== 'symbol') return;
    Object.assign(layer, poiLook());
    filterOf(layer, [
      'all',
      kindIn([...poiKinds.map(({ kind }) => kind), 'building']),
      ['!', kindIn(landmarkKinds)],
      ['>=', ['zoom'], ['-', ['get', 'min_zoom'], 0.5]],
    ]);
  },
  places_locality: (layer) => {
    if (layer.type !== 'symbol') return;
    layer.maxzoom = lastTownZoom;
    filterOf(layer, [
      'all',
      ['==', ['get', 'kind'], 'locality'],
      ['<=', ['get', 'min_zoom'], ['+', ['zoom'], 1]],
    ]);
    const bySize = (city: number, town: number, village: number, hamlet: number): ExpressionSpecification => [
      'match',
      ['get', 'kind_detail'],
      'city',
      city,
      'town',
      town,
      'village',
      village,
      hamlet,
    ];
    layer.layout = {
      'symbol-sort-key': ['get', 'sort_key'],
      'text-max-width': 8,
      'text-size': stops(7, bySize(14, 13, 11, 10), 12, bySize(20, 17, 14, 11.5), 15, bySize(24, 20, 17, 13)),
    };
    layer.paint = {
      'text-color': [
        'match',
        ['get', 'kind_detail'],
        ['city', 'town'],
        paint.placeLabel,
        'village',
        paint.villageLabel,
        paint.hamletLabel,
      ],
      'text-halo-color': paint.halo,
      'text-halo-width': 1.6,
    };
  },
  places_subplace: (layer) => {
    layer.maxzoom = lastTownZoom + 1;
  },
};

/** Parking aisles and drives wait until one is close. */
function hideDrives(layer: Layer): void {
  filterOf(layer, [
    'all',
    ['!', ['has', 'is_tunnel']],
    ['!', ['has', 'is_bridge']],
    ['==', ['get', 'kind_detail'], 'service'],
    ['any', ['!', ['has', 'service']], ['==', ['get', 'service'], 'alley'], ['>=', ['zoom'], 15.5]],
  ]);
}

/** Main streets carry a breath of yellow; residential streets stay white. */
function warmMainStreets(layer: Layer): void {
  if (layer.type === 'line')
    layer.paint = {
      ...layer.paint,
      'line-color': [
        'match',
        ['get', 'kind_detail'],
        ['trunk', 'primary'],
        '#fff0c2',
        'secondary',
        '#fff8e0',
        '#ffffff',
      ],
    };
}

const kindsOfColor = (wanted: string): string[] =>
  poiKinds.filter(({ color }) => color === wanted).map(({ kind }) => kind);

/** Places to go to: an icon with a name below or next to it; named houses in gray words alone. */
function poiLook(): Pick<SymbolLayerSpecification, 'layout' | 'paint'> {
  return {
    layout: {
      'symbol-sort-key': ['get', 'min_zoom'],
      'icon-image': ['match', ['get', 'kind'], 'building', '', ['concat', 'poi-', ['get', 'kind']]],
      'icon-padding': 4,
      'text-size': stops(12, 10.5, 17, 12),
      'text-optional': true,
      'text-variable-anchor': ['top', 'left', 'right'],
      'text-radial-offset': 0.95,
      'text-max-width': 8,
      'text-padding': 6,
    },
    paint: {
      'text-color': [
        'match',
        ['get', 'kind'],
        'building',
        '#8b857c',
        kindsOfColor(poiColors.green),
        poiColors.green,
        kindsOfColor(poiColors.lapis),
        poiColors.lapis,
        kindsOfColor(poiColors.red),
        poiColors.red,
        kindsOfColor(poiColors.tangerine),
        poiColors.tangerine,
        kindsOfColor(poiColors.pink),
        poiColors.pink,
        kindsOfColor(poiColors.blue),
        poiColors.blue,
        poiColors.slategray,
      ],
      'text-halo-color': paint.halo,
      'text-halo-width': 1.3,
    },
  };
}

/** The university, the airport, hospitals and stations; an airport with its code. */
function landmarks(source: string, language: string): SymbolLayerSpecification {
  const { layout, paint: look } = poiLook();
  return {
    id: 'landmarks',
    type: 'symbol',
    source,
    'source-layer': 'pois',
    filter: ['all', kindIn(landmarkKinds), ['>=', ['zoom'], ['-', ['get', 'min_zoom'], 1]]],
    layout: {
      ...layout,
      'text-font': [mapFonts.bold],
      'text-field': [
        'case',
        ['has', 'iata'],
        ['concat', nameIn(language), ' (', ['get', 'iata'], ')'],
        nameIn(language),
      ],
    },
    paint: look!,
  };
}
