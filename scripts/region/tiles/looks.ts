import type { Tags } from '../../../roads/build/osm.ts';
import { categoryOf } from '../osm-places.ts';
import type { LayerName, Look } from './shape.ts';

/** Class of a road on the map and the first zoom that shows it, by OpenStreetMap's class without `_link`. */
const ROADS: Record<string, [mapClass: string, minZoom: number]> = {
  motorway: ['motorway', 5],
  trunk: ['trunk', 6],
  primary: ['primary', 8],
  secondary: ['secondary', 9],
  tertiary: ['tertiary', 11],
  unclassified: ['minor', 12],
  residential: ['minor', 12],
  living_street: ['minor', 12],
  road: ['minor', 12],
  service: ['service', 14],
  track: ['track', 14],
  footway: ['path', 14],
  path: ['path', 14],
  cycleway: ['path', 14],
  pedestrian: ['path', 14],
  bridleway: ['path', 14],
  steps: ['path', 14],
};
const RAILS: Record<string, string> = {
  rail: 'rail',
  narrow_gauge: 'rail',
  preserved: 'rail',
  light_rail: 'transit',
  subway: 'transit',
  tram: 'transit',
  monorail: 'transit',
  funicular: 'transit',
};
const WATERWAYS: Record<string, number> = { river: 8, canal: 10, stream: 13, drain: 14, ditch: 14 };
const PLACES: Record<string, number> = {
  city: 4,
  town: 7,
  village: 10,
  suburb: 11,
  quarter: 12,
  hamlet: 12,
  neighbourhood: 13,
};

type AreaRule = [key: string, values: string, layer: LayerName, mapClass: string, minZoom: number];

/** The first rule that fits draws an area. */
const AREAS: AreaRule[] = [
  ['natural', 'water', 'water', 'lake', 4],
  ['natural', 'bay strait', 'water', 'ocean', 4],
  ['waterway', 'riverbank dock', 'water', 'river', 6],
  ['landuse', 'reservoir basin', 'water', 'lake', 6],
  ['leisure', 'park nature_reserve garden', 'park', 'park', 8],
  ['boundary', 'national_park protected_area', 'park', 'national_park', 6],
  ['natural', 'wood', 'landcover', 'wood', 7],
  ['landuse', 'forest', 'landcover', 'wood', 7],
  ['natural', 'grassland scrub heath', 'landcover', 'grass', 9],
  ['landuse', 'grass meadow village_green recreation_ground orchard vineyard', 'landcover', 'grass', 10],
  ['leisure', 'golf_course pitch', 'landcover', 'grass', 11],
  ['natural', 'sand beach', 'landcover', 'sand', 9],
  ['natural', 'wetland', 'landcover', 'wetland', 9],
  ['landuse', 'farmland farmyard', 'landcover', 'farmland', 9],
  ['amenity', 'school', 'landuse', 'school', 12],
  ['amenity', 'university', 'landuse', 'university', 11],
  ['amenity', 'college', 'landuse', 'college', 12],
  ['amenity', 'hospital', 'landuse', 'hospital', 12],
  ['landuse', 'residential', 'landuse', 'residential', 9],
  ['landuse', 'commercial', 'landuse', 'commercial', 10],
  ['landuse', 'retail', 'landuse', 'retail', 10],
  ['landuse', 'industrial', 'landuse', 'industrial', 10],
  ['landuse', 'cemetery', 'landuse', 'cemetery', 11],
  ['landuse', 'railway', 'landuse', 'railway', 12],
  ['landuse', 'military', 'landuse', 'military', 10],
];

/** How a way is drawn along its line. */
export function lineLooks(tags: Tags): Look[] {
  const looks: Look[] = [];
  const add = (layer: LayerName, minZoom: number, properties: Record<string, string>) =>
    looks.push({ layer, kind: 'line', minZoom, properties });
  const road = ROADS[tags.highway?.replace('_link', '') ?? ''];
  if (road && tags.area !== 'yes') {
    const [mapClass, minZoom] = road;
    const isLink = tags.highway!.endsWith('_link');
    add('transportation', isLink ? Math.max(minZoom, 11) : minZoom, {
      class: mapClass,
      ...(isLink && { ramp: '1' }),
      ...brunnel(tags),
    });
    const named = {
      ...(tags.name && { name: tags.name }),
      ...(tags.ref && { ref: tags.ref.split(';')[0]! }),
    };
    if (tags.name || tags.ref)
      add('transportation_name', Math.max(12, minZoom), { class: mapClass, ...named });
  }
  const rail = RAILS[tags.railway ?? ''];
  if (rail && tags.tunnel !== 'yes') {
    const isMain = rail === 'rail' && tags.service === undefined;
    add('transportation', isMain ? 9 : 13, { class: rail, ...brunnel(tags) });
  }
  const waterway = tags.waterway ?? '';
  if (WATERWAYS[waterway] !== undefined && tags.tunnel === undefined)
    add('waterway', WATERWAYS[waterway], { class: waterway });
  return looks;
}

/** How a closed way or a multipolygon is drawn as a surface. */
export function areaLooks(tags: Tags): Look[] {
  const looks: Look[] = [];
  const rule = AREAS.find(([key, values]) => values.split(' ').includes(tags[key] ?? ''));
  if (rule) {
    const [, , layer, mapClass, minZoom] = rule;
    looks.push({ layer, kind: 'area', minZoom, properties: { class: mapClass } });
  }
  if (tags.building !== undefined && tags.building !== 'no')
    looks.push({ layer: 'building', kind: 'area', minZoom: 14, properties: {} });
  return looks;
}

/** How a thing is labeled at a point: a node, or the middle of an area. */
export function pointLooks(tags: Tags): Look[] {
  const { name } = tags;
  const category = name === undefined ? null : categoryOf(tags);
  if (name === undefined || category === null) return [];
  const at = (layer: LayerName, minZoom: number): Look[] => [
    { layer, kind: 'point', minZoom, properties: { class: category, name } },
  ];
  if (category === tags.place) return at('place', PLACES[category] ?? 13);
  return category === 'aerodrome' ? at('aerodrome_label', 10) : at('poi', 14);
}

function brunnel(tags: Tags): Record<string, string> {
  if (tags.bridge !== undefined && tags.bridge !== 'no') return { brunnel: 'bridge' };
  return tags.tunnel !== undefined && tags.tunnel !== 'no' ? { brunnel: 'tunnel' } : {};
}
