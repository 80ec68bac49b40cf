import type { Tags } from '../../../roads/build/osm.ts';

type Rule = readonly [key: string, values: string, kind: string];

/**
 * The kind of a surface of land, by the first rule that matches; `same` is the value itself. Kinds as in the
 * Protomaps basemap schema, and `parking`, which the schema lacks.
 */
const LANDUSE: readonly Rule[] = [
  ['aeroway', 'aerodrome runway', 'same'],
  ['aeroway', 'taxiway apron', 'taxiway'],
  ['amenity', 'university college hospital school', 'same'],
  ['amenity', 'kindergarten', 'school'],
  ['amenity', 'grave_yard', 'cemetery'],
  ['landuse', 'cemetery', 'same'],
  ['leisure', 'golf_course park nature_reserve dog_park playground pitch stadium marina', 'same'],
  ['leisure', 'garden', 'grass'],
  ['landuse', 'orchard farmland farmyard vineyard', 'farmland'],
  ['landuse', 'residential military forest commercial retail railway quarry allotments', 'same'],
  ['landuse', 'recreation_ground', 'park'],
  ['landuse', 'industrial brownfield', 'industrial'],
  ['landuse', 'grass village_green', 'grass'],
  ['landuse', 'meadow', 'grassland'],
  ['natural', 'wood scrub sand beach wetland bare_rock grassland', 'same'],
  ['natural', 'heath', 'scrub'],
  ['boundary', 'national_park', 'same'],
  ['boundary', 'protected_area', 'nature_reserve'],
  ['tourism', 'zoo', 'same'],
  ['man_made', 'pier', 'same'],
  ['amenity', 'parking', 'same'],
];
const WATER: readonly Rule[] = [
  ['waterway', 'riverbank dock', 'water'],
  ['landuse', 'reservoir basin', 'water'],
  ['leisure', 'swimming_pool', 'same'],
  ['natural', 'bay', 'same'],
  ['natural', 'strait', 'ocean'],
];
const WATERWAYS: Record<string, string> = { river: 'river', stream: 'stream', canal: 'canal' };

function kindBy(rules: readonly Rule[], tags: Tags): string | null {
  for (const [key, values, kind] of rules) {
    const value = tags[key];
    if (value !== undefined && values.split(' ').includes(value)) return kind === 'same' ? value : kind;
  }
  return null;
}

/** The use of a surface of land; null where the map says nothing of it. */
export function landuseKind(tags: Tags): string | null {
  if (tags.area === 'yes' && (tags.highway === 'pedestrian' || tags.highway === 'footway'))
    return 'pedestrian';
  // State and national forests are protected areas by tag and woods to the eye.
  if (tags.boundary === 'protected_area' && /forest/i.test(tags.name ?? '')) return 'forest';
  return kindBy(LANDUSE, tags);
}

/** The kind of a surface of water; null for land. */
export function waterKind(tags: Tags): string | null {
  if (tags.natural === 'water') return tags.water === 'lake' ? 'lake' : 'water';
  return kindBy(WATER, tags);
}

/** The kind of a line of water; null for what is not drawn. */
export const waterwayKind = (tags: Tags): string | null => WATERWAYS[tags.waterway ?? ''] ?? null;
