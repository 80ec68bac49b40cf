import type { Tags } from '../../../roads/build/osm.ts';
import type { Look, Properties } from './shape.ts';

interface RoadClass {
  kind: 'highway' | 'major_road' | 'minor_road' | 'path';
  /** The first zoom whose tiles hold the road, its number, its name. */
  zoom: number;
  numberZoom: number;
  nameZoom: number;
}

const road = (kind: RoadClass['kind'], zoom: number, numberZoom: number, nameZoom: number): RoadClass => ({
  kind,
  zoom,
  numberZoom,
  nameZoom,
});
const lane = road('minor_road', 12, 12, 14);
const trail = road('path', 13, 14, 14);

/** Roads by OpenStreetMap's class. */
const ROADS: Record<string, RoadClass> = {
  motorway: road('highway', 5, 7, 11),
  motorway_link: road('highway', 10, 12, 13),
  trunk: road('major_road', 6, 8, 12),
  trunk_link: road('major_road', 10, 12, 13),
  primary: road('major_road', 7, 10, 12),
  primary_link: road('major_road', 11, 13, 13),
  secondary: road('major_road', 9, 11, 12),
  secondary_link: road('major_road', 11, 13, 14),
  tertiary: road('major_road', 10, 12, 13),
  tertiary_link: road('major_road', 12, 13, 14),
  residential: lane,
  unclassified: lane,
  living_street: lane,
  road: lane,
  service: road('minor_road', 13, 14, 14),
  pedestrian: road('path', 12, 14, 14),
  track: road('path', 12, 14, 14),
  path: trail,
  cycleway: trail,
  bridleway: trail,
  footway: trail,
  steps: trail,
};
const LAST_ZOOM = 14;

/**
 * The number on a sign: I 99, US 322, PA 26. Numbers of townships and inventories (TR, SR, CR, FR) are on
 * none.
 */
const SIGNED = /^(I|US|[A-Z]{2})[ -](\d{1,4})(?:[ -].*)?$/;
const UNSIGNED = /^(TR|SR|CR|FR)\b/;

/**
 * The drawing of a road: from afar its line, nearer with its number, then with its name, each in the tiles of
 * its own zooms, so that far tiles join all roads that look alike.
 */
export function roadLooks(tags: Tags): Look[] {
  const found = ROADS[tags.highway ?? ''];
  if (found === undefined || tags.area === 'yes') return [];
  const isSmall =
    (tags.highway === 'service' && tags.service !== undefined) ||
    tags.footway === 'sidewalk' ||
    tags.footway === 'crossing' ||
    tags.access === 'private' ||
    tags.access === 'no';
  const first = isSmall ? LAST_ZOOM : found.zoom;
  const steps = [first, found.numberZoom, 12, found.nameZoom, LAST_ZOOM].filter((zoom) => zoom >= first);
  const zooms = [...new Set(steps)].toSorted((a, b) => a - b);
  return zooms.map((zoom, at): Look => {
    const next = zooms[at + 1];
    return {
      layer: 'roads',
      kind: 'line',
      minZoom: zoom,
      ...(next !== undefined && { maxZoom: next - 1 }),
      properties: roadProperties(tags, found, { zoom, first }),
    };
  });
}

function roadProperties(tags: Tags, found: RoadClass, { zoom, first }: Record<'zoom' | 'first', number>) {
  const highway = tags.highway!;
  const isPavement = tags.footway === 'sidewalk' || tags.footway === 'crossing';
  const properties: Properties = {
    kind: found.kind,
    kind_detail: isPavement ? tags.footway! : highway,
    min_zoom: first + 1,
    sort_rank: 400,
  };
  if (highway.endsWith('_link')) properties.is_link = true;
  if (zoom >= found.numberZoom) Object.assign(properties, shieldOf(tags));
  if (zoom >= found.nameZoom && tags.name) properties.name = tags.name;
  if (zoom >= 12) Object.assign(properties, crossingOf(tags));
  if (zoom < LAST_ZOOM) return properties;
  if (highway === 'service' && tags.service) properties.service = tags.service;
  if ((tags.oneway === 'yes' || tags.oneway === '1') && found.kind !== 'path') properties.oneway = 'yes';
  return properties;
}

/** The road's number, and what its shield shows where it has one. */
function shieldOf(tags: Tags): Properties {
  const number = tags.ref?.split(';')[0]?.trim();
  if (!number) return {};
  const [, network, digits] = (UNSIGNED.test(number) ? null : SIGNED.exec(number)) ?? [];
  if (network === undefined || digits === undefined) return { ref: number };
  const names: Record<string, string> = { I: 'US:I', US: 'US:US' };
  return { ref: number, shield_text: digits, network: names[network] ?? `US:${network}` };
}

/** Flags that the style asks for by their presence alone. */
function crossingOf(tags: Tags): Properties {
  const isOn = (value: string | undefined) => value !== undefined && value !== 'no';
  if (isOn(tags.bridge)) return { is_bridge: true };
  return isOn(tags.tunnel) ? { is_tunnel: true } : {};
}

const RAILS = ['rail', 'light_rail', 'tram', 'subway', 'narrow_gauge', 'preserved'];

/** The drawing of rails, runways, ferries and piers, which the schema counts among the roads. */
export function railLook(tags: Tags): Look[] {
  const found = railKind(tags);
  if (found === null) return [];
  const [kind, detail, zoom] = found;
  return [
    {
      layer: 'roads',
      kind: 'line',
      minZoom: zoom,
      properties: {
        kind,
        kind_detail: detail,
        min_zoom: zoom + 1,
        sort_rank: 400,
        ...(tags.name && kind !== 'aeroway' && { name: tags.name }),
        ...crossingOf(tags),
      },
    },
  ];
}

function railKind(tags: Tags): [kind: string, detail: string, zoom: number] | null {
  const { railway = '', aeroway } = tags;
  if (RAILS.includes(railway)) return ['rail', railway, tags.service === undefined ? 10 : 13];
  if (aeroway === 'runway') return ['aeroway', aeroway, 9];
  if (aeroway === 'taxiway') return ['aeroway', aeroway, 11];
  if (tags.route === 'ferry') return ['ferry', 'ferry', 10];
  return tags.man_made === 'pier' ? ['path', 'pier', 13] : null;
}
