import { pointAlong } from '../../roads/places/addresses.ts';
import { boundsOf, greatCircleMetres, type Bounds, type LonLat } from '../../roads/graph/geometry.ts';
import { readOsm, type OsmRelation, type OsmWay, type Tags } from '../../roads/build/osm.ts';
import type { Place } from '../../roads/places/places.ts';
import { ROAD_CLASSES } from '../../roads/build/profile.ts';
import { NodePositions } from './node-positions.ts';

/** Keys that make a named thing worth finding, the telling ones first. */
const CATEGORY_KEYS = [
  'aeroway',
  'amenity',
  'tourism',
  'shop',
  'leisure',
  'office',
  'historic',
  'railway',
  'public_transport',
  'natural',
  'man_made',
  'landuse',
  'healthcare',
  'building',
];
/** Values of broad keys that people search for; other values of these keys are scenery. */
const WANTED: Record<string, Set<string>> = {
  aeroway: new Set(['aerodrome', 'terminal', 'heliport']),
  railway: new Set(['station', 'halt', 'tram_stop']),
  public_transport: new Set(['station']),
  natural: new Set(['beach', 'peak', 'bay', 'cape']),
  man_made: new Set(['pier', 'lighthouse', 'tower']),
  landuse: new Set(['retail', 'commercial', 'cemetery', 'industrial', 'recreation_ground']),
};
const UNWANTED = new Set(['parking_space', 'bench', 'waste_basket', 'shelter', 'no', 'bicycle_parking']);
export const TOWN_IMPORTANCE = {
  city: 0.8,
  town: 0.65,
  village: 0.55,
  suburb: 0.5,
  hamlet: 0.4,
  neighbourhood: 0.4,
  quarter: 0.4,
} satisfies Record<string, number>;
const IMPORTANT: Record<string, number> = {
  aerodrome: 0.7,
  university: 0.6,
  college: 0.6,
  hospital: 0.6,
  station: 0.6,
  bus_station: 0.42,
  school: 0.45,
  supermarket: 0.45,
  mall: 0.5,
  stadium: 0.5,
  attraction: 0.5,
  museum: 0.45,
  beach: 0.45,
  park: 0.4,
  library: 0.4,
  hotel: 0.4,
};

/** Kinds of sites with parts that bear the same kind: a university's departments, a hospital's wards. */
const SITES = new Set(['university', 'college', 'hospital', 'school']);
/** Tags with further names of a thing, several of them divided by semicolons. */
const OTHER_NAMES = [
  'short_name',
  'official_name',
  'alt_name',
  'alt_name_1',
  'loc_name',
  'old_name',
  'name:en',
  'name:zh',
];
const USUAL_IMPORTANCE = 0.3;
/** The bonus that an entry in Wikidata or Wikipedia adds to the importance of a place that it describes. */
const DESCRIBED_BONUS = 0.15;
/** The most that its size adds: from 30 meters across to 5 kilometers. */
const SIZE_BONUS = 0.1;
const SIZES_METRES = [30, 5000] as const;

/** The extract's contents: places and addresses with their positions, and every street's pieces. */
interface OsmPlaces {
  places: Place[];
  streets: Map<string, StreetPiece[]>;
}

/** One way of a street; `rank` as in ROAD_CLASSES, the main ones first. */
export interface StreetPiece {
  line: LonLat[];
  rank: number;
}

/**
 * Reads named things, addresses and streets. Reads the file three times (relations; their ways; the nodes of
 * both), so that memory grows with what is wanted, not with the extract.
 */
export async function readOsmPlaces(pbfFile: string): Promise<OsmPlaces> {
  const relations: OsmRelation[] = [];
  for await (const element of readOsm(pbfFile)) {
    if (element.type === 'relation' && element.tags && isWanted(element.tags)) relations.push(element);
  }
  const members = new Set(relations.flatMap((relation) => outline(relation)));
  const ways = new Map<number, OsmWay>();
  const positions = new NodePositions();
  for await (const element of readOsm(pbfFile)) {
    if (element.type !== 'way') continue;
    if (!members.has(element.id) && !(element.tags && (isWanted(element.tags) || isStreet(element.tags))))
      continue;
    ways.set(element.id, element);
    for (const ref of element.refs) positions.want(ref);
  }
  const places: Place[] = [];
  const sites: Site[] = [];
  for await (const element of readOsm(pbfFile)) {
    if (element.type !== 'node') break;
    positions.set(element.id, element);
    if (element.tags) places.push(...placesFrom(`osm-n${element.id}`, element.tags, [element]));
  }
  const lineOf = (way: OsmWay | undefined) => (way?.refs ?? []).flatMap((ref) => positions.get(ref) ?? []);
  const streets = new Map<string, StreetPiece[]>();
  for (const way of ways.values()) {
    const { id, tags } = way;
    const line = lineOf(way);
    if (!tags || line.length === 0) continue;
    if (isStreet(tags)) {
      const piece = { line, rank: (ROAD_CLASSES as readonly string[]).indexOf(tags.highway!) };
      const pieces = streets.get(tags.name!);
      if (pieces) pieces.push(piece);
      else streets.set(tags.name!, [piece]);
    } else if (isWanted(tags)) {
      places.push(...placesFrom(`osm-w${id}`, tags, line));
      sites.push(...siteOf(tags, line));
    }
  }
  for (const relation of relations) {
    const points = outline(relation).flatMap((id) => lineOf(ways.get(id)));
    if (points.length === 0) continue;
    places.push(...placesFrom(`osm-r${relation.id}`, relation.tags!, points));
    sites.push(...siteOf(relation.tags!, points));
  }
  return { places: withoutDoubles(places.map((place) => asPart(place, sites))), streets };
}

/** Named drivable ways; paths are no addresses. */
function isStreet(tags: Tags): boolean {
  return tags.name !== undefined && (ROAD_CLASSES as readonly string[]).includes(tags.highway ?? '');
}

function townImportance(place: string): number | undefined {
  return (TOWN_IMPORTANCE as Record<string, number>)[place];
}

function isWanted(tags: Tags): boolean {
  return tags['addr:housenumber'] !== undefined || (tags.name !== undefined && categoryOf(tags) !== null);
}

export function categoryOf(tags: Tags): string | null {
  if (tags.place && townImportance(tags.place) !== undefined) return tags.place;
  for (const key of CATEGORY_KEYS) {
    const value = tags[key];
    if (value === undefined || UNWANTED.has(value) || (WANTED[key] && !WANTED[key].has(value))) continue;
    return value === 'yes' ? key : value;
  }
  return null;
}

/** @param points of its outline; a single one for a thing that is mapped as a point. */
function placesFrom(id: string, tags: Tags, points: LonLat[]): Place[] {
  const { lon, lat } = middleOf(points);
  const at = { lon: round6(lon), lat: round6(lat) };
  const address = {
    ...(tags['addr:street'] && { street: tags['addr:street'] }),
    ...(tags['addr:city'] && { town: tags['addr:city'] }),
    ...(tags['addr:postcode'] && { postcode: tags['addr:postcode'].replace(/^(\d{5})-\d{4}$/, '$1') }),
  };
  const found: Place[] = [];
  const category = categoryOf(tags);
  // "A", "12", "X-3": letters of docks and numbers of blocks say nothing without their surroundings.
  if (tags.name && category && !/^[A-Z]{0,2}[- ]?\d{0,4}$/.test(tags.name)) {
    const isTown = townImportance(category) !== undefined && tags.place === category;
    const kind = isTown ? 'town' : category === 'aerodrome' ? 'airport' : 'place';
    const importance = isTown ? townImportance(category)! : importanceOf(tags, category, points);
    const otherNames = otherNamesOf(tags);
    found.push({
      id,
      kind,
      name: tags.name,
      ...(otherNames.length > 0 && { otherNames }),
      category,
      ...address,
      ...at,
      importance,
    });
  }
  const number = tags['addr:housenumber'];
  if (number && address.street) {
    found.push({
      id: `${id}-a`,
      kind: 'address',
      name: `${number} ${address.street}`,
      ...address,
      ...at,
      importance: 0.1,
    });
  }
  return found;
}

/** 0 … 1: by its kind, whether an encyclopedia describes it, and its size. */
function importanceOf(tags: Tags, category: string, points: LonLat[]): number {
  const isDescribed = tags.wikidata !== undefined || tags.wikipedia !== undefined;
  // One of a university's many buildings is not the university; a hospital may be one building.
  const isBuildingOnly = tags.building === category && tags.healthcare !== category;
  const ofKind = isBuildingOnly ? undefined : IMPORTANT[category];
  const [least, most] = SIZES_METRES;
  const size = Math.log(Math.max(1, acrossMetres(points) / least)) / Math.log(most / least);
  const importance =
    (ofKind ?? USUAL_IMPORTANCE) + (isDescribed ? DESCRIBED_BONUS : 0) + SIZE_BONUS * Math.min(1, size);
  return Math.round(importance * 100) / 100;
}

function otherNamesOf(tags: Tags): string[] {
  const names = OTHER_NAMES.flatMap((key) => tags[key]?.split(';') ?? []).map((name) => name.trim());
  return [...new Set(names)].filter((name) => name !== '' && name !== tags.name);
}

/** A named university, hospital or school as large as a campus. */
interface Site {
  category: string;
  name: string;
  bounds: Bounds;
}

const SITE_METRES = 300;

function siteOf(tags: Tags, points: LonLat[]): Site[] {
  const category = categoryOf(tags);
  const { name } = tags;
  if (category === null || name === undefined || !SITES.has(category)) return [];
  return acrossMetres(points) < SITE_METRES ? [] : [{ category, name, bounds: boundsOf(points) }];
}

/** A department on the campus of a university is a place like any other. */
function asPart(place: Place, sites: readonly Site[]): Place {
  const isPart = sites.some(
    ({ category, name, bounds: [west, south, east, north] }) =>
      category === place.category &&
      name !== place.name &&
      !(place.otherNames ?? []).includes(name) &&
      place.lon > west &&
      place.lon < east &&
      place.lat > south &&
      place.lat < north,
  );
  return isPart ? { ...place, importance: Math.min(place.importance, USUAL_IMPORTANCE) } : place;
}

function outline({ members }: OsmRelation): number[] {
  return members.filter(({ type, role }) => type === 'way' && role !== 'inner').map(({ ref }) => ref);
}

/** The middle of the rectangle around points. */
function middleOf(points: LonLat[]): LonLat {
  const [west, south, east, north] = boundsOf(points);
  return { lon: (west + east) / 2, lat: (south + north) / 2 };
}

/** The diagonal of the rectangle around points. */
function acrossMetres(points: LonLat[]): number {
  const [west, south, east, north] = boundsOf(points);
  return greatCircleMetres({ lon: west, lat: south }, { lon: east, lat: north });
}

/** Buildings cut by a tile's border, or mapped both as area and as point, are one place. */
function withoutDoubles(places: Place[]): Place[] {
  const DOUBLE_METRES = 150;
  const byName = new Map<string, Place[]>();
  return places.filter((place) => {
    const key = `${place.kind} ${place.name}`;
    const same = byName.get(key) ?? [];
    if (same.some((other) => greatCircleMetres(place, other) < DOUBLE_METRES)) return false;
    same.push(place);
    byName.set(key, same);
    return true;
  });
}

/** A point on the street, near the middle of all its pieces. */
export function middleOfStreet(pieces: StreetPiece[]): LonLat {
  const middle = middleOf(pieces.flatMap(({ line }) => line));
  const candidates = pieces.map(({ line }) =>
    pointAlong(
      line.map(({ lon, lat }): [number, number] => [lon, lat]),
      0.5,
    ),
  );
  return candidates.reduce((best, point) =>
    greatCircleMetres(point, middle) < greatCircleMetres(best, middle) ? point : best,
  );
}

/** Rounds degrees to about a tenth of a metre. */
export function round6(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6;
}
