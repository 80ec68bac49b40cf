import type { Tags } from '../../../roads/build/osm.ts';
import type { Look } from './shape.ts';

/** The first zoom that names a place, by its kind; the rest at `USUAL_ZOOM`. */
const ZOOMS: Record<string, number> = {
  hospital: 12,
  station: 12,
  aerodrome: 12,
  forest: 12,
  university: 13,
  college: 13,
  stadium: 13,
  golf_course: 13,
  nature_reserve: 13,
  peak: 13,
  zoo: 13,
  library: 14,
  townhall: 14,
  school: 14,
  bus_station: 14,
  supermarket: 14,
  mall: 14,
  park: 14,
  museum: 14,
  cemetery: 14,
  post_office: 15,
  theatre: 15,
  cinema: 15,
  arts_centre: 15,
  police: 15,
  fire_station: 15,
  courthouse: 15,
  community_centre: 15,
  department_store: 15,
  attraction: 15,
  hotel: 15,
  restaurant: 15,
  cafe: 15,
  fast_food: 15,
  bar: 15,
  pub: 15,
  camp_site: 15,
  sports_centre: 15,
};
const USUAL_ZOOM = 16;
/** Kinds whose names show the earlier, the larger they are: the first zoom by the least area. */
const LARGE_KINDS = [
  'park',
  'nature_reserve',
  'forest',
  'university',
  'college',
  'aerodrome',
  'golf_course',
  'stadium',
];
const ZOOMS_BY_AREA: readonly [squareMetres: number, zoom: number][] = [
  [5e7, 9],
  [1e7, 10],
  [2e6, 11],
  [3e5, 12],
  [7e4, 13],
  [2e4, 14],
];
const LAST_TILE_ZOOM = 14;

const UNNAMED_AMENITIES = ['parking_space', 'bench', 'waste_basket', 'vending_machine', 'parking_entrance'];
const SHOPS = [
  'supermarket',
  'convenience',
  'books',
  'beauty',
  'electronics',
  'clothes',
  'mall',
  'department_store',
];
const NAMED_BUILDINGS = ['university', 'dormitory', 'public', 'civic', 'college', 'stadium', 'hospital'];
/** Named houses smaller than this say nothing to a driver. */
const LEAST_BUILDING_SQUARE_METRES = 400;
const LARGE_BUILDING_SQUARE_METRES = 3_000;

/** The drawing of a named place that people go to: an icon of its kind with its name. */
export function poiLook(tags: Tags, squareMetres: number): Look[] {
  const { name } = tags;
  if (name === undefined || tags.disused === 'yes' || tags.abandoned === 'yes') return [];
  const kind = poiKind(tags, squareMetres);
  if (kind === null) return [];
  const minZoom = firstZoom(kind, tags, squareMetres) + 1;
  const detail = tags.cuisine ?? tags.religion ?? tags.sport ?? tags.shop;
  return [
    {
      layer: 'pois',
      kind: 'point',
      minZoom: Math.min(minZoom - 1, LAST_TILE_ZOOM),
      properties: {
        kind,
        name,
        min_zoom: minZoom,
        ...(detail && { kind_detail: detail }),
        ...(tags.iata && { iata: tags.iata }),
      },
    },
  ];
}

function poiKind(tags: Tags, squareMetres: number): string | null {
  const { amenity, shop, leisure, tourism, natural, railway, boundary } = tags;
  if (tags.aeroway === 'aerodrome') return 'aerodrome';
  if (tags.aeroway !== undefined) return null;
  if (amenity !== undefined && !UNNAMED_AMENITIES.includes(amenity)) return amenity;
  if (shop !== undefined) return SHOPS.includes(shop) ? shop : 'shop';
  if (leisure !== undefined && leisure !== 'swimming_pool') return leisure;
  if (tourism !== undefined && tourism !== 'information') return tourism;
  if (natural === 'peak' || natural === 'beach') return natural;
  if (railway === 'station' || railway === 'halt') return 'station';
  if (tags.highway === 'bus_stop') return 'bus_stop';
  if (tags.landuse === 'cemetery' || tags.landuse === 'forest') return tags.landuse;
  if (boundary === 'protected_area' || boundary === 'national_park')
    return /forest/i.test(tags.name ?? '') ? 'forest' : 'nature_reserve';
  if (tags.office !== undefined) return 'office';
  return buildingKind(tags, squareMetres);
}

function buildingKind({ building }: Tags, squareMetres: number): string | null {
  if (building === undefined || building === 'no') return null;
  return NAMED_BUILDINGS.includes(building) || squareMetres > LEAST_BUILDING_SQUARE_METRES
    ? 'building'
    : null;
}

function firstZoom(kind: string, tags: Tags, squareMetres: number): number {
  if (kind === 'building') return squareMetres > LARGE_BUILDING_SQUARE_METRES ? 15 : 17;
  const usual = ZOOMS[kind] ?? USUAL_ZOOM;
  const byArea = LARGE_KINDS.includes(kind)
    ? (ZOOMS_BY_AREA.find(([least]) => squareMetres > least)?.[1] ?? usual)
    : usual;
  const zoom = Math.min(usual, byArea);
  if (kind !== 'aerodrome') return zoom;
  // Airlines land where there is a code; other fields wait.
  return tags.iata === undefined ? Math.max(zoom, 12) : Math.min(zoom, 10);
}
