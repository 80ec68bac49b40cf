import type { Tags } from './osm.ts';

/**
 * The use of a way by cars: the road classes, speeds and access rules. The blocking values follow the car
 * profile of OSRM (profiles/car.lua). Speeds are those of a free road, calibrated against Valhalla 3.6.1 on
 * three regions: it drives the posted limit in full and classes without one at 105 (motorway), 75 (primary),
 * 60 (secondary), 35 km/h (residential); here both are a twentieth to a tenth lower, for the lights and
 * crossings that the map does not know (docs/benchmarks.md has the ratios of whole drives).
 */

/** Road classes from the most to the least important; the position is the rank stored with each edge. */
export const ROAD_CLASSES = [
  'motorway',
  'motorway_link',
  'trunk',
  'trunk_link',
  'primary',
  'primary_link',
  'secondary',
  'secondary_link',
  'tertiary',
  'tertiary_link',
  'unclassified',
  'residential',
  'road',
  'living_street',
  'service',
  'track',
  'ferry',
] as const;

const CLASS_KMH: Record<(typeof ROAD_CLASSES)[number], number> = {
  motorway: 100,
  motorway_link: 68,
  trunk: 85,
  trunk_link: 62,
  primary: 68,
  primary_link: 52,
  secondary: 56,
  secondary_link: 44,
  tertiary: 47,
  tertiary_link: 38,
  unclassified: 38,
  residential: 33,
  road: 24,
  living_street: 15,
  service: 20,
  track: 10,
  ferry: 20,
};

/** Ranks up to this one leave a region as gateways (secondary and above, no links). */
export const GATEWAY_RANK = ROAD_CLASSES.indexOf('secondary');
/** From this rank on a driver may make a U-turn in the road. */
export const U_TURN_RANK = ROAD_CLASSES.indexOf('secondary');

const NO_PICK_UP = new Set(['motorway', 'motorway_link', 'trunk_link', 'ferry']);
const POSTED_SPEED_SHARE = 0.95;
const SERVICE_KMH: Record<string, number> = {
  parking_aisle: 13,
  driveway: 10,
  'drive-through': 8,
  alley: 18,
};
const KMH_PER_MPH = 1.609344;
const WALKING_PACE_KMH = 7;

const FORBIDDEN = new Set([
  'no',
  'private',
  'agricultural',
  'forestry',
  'emergency',
  'psv',
  'bus',
  'military',
]);
const GRANTED = new Set([
  'yes',
  'designated',
  'permissive',
  'public',
  'official',
  'destination',
  'customers',
]);
const RESIDENTS = new Set(['destination', 'customers', 'delivery']);
const PASSABLE_BARRIERS = new Set([
  'gate',
  'lift_gate',
  'swing_gate',
  'sliding_gate',
  'cattle_grid',
  'border_control',
  'toll_booth',
  'sally_port',
  'entrance',
  'height_restrictor',
  'kerb',
  'speed_bump',
  'arch',
  'no',
]);

export interface DrivableWay {
  /** Index into ROAD_CLASSES. */
  rank: number;
  forwardKmh: number;
  backwardKmh: number;
  forward: boolean;
  backward: boolean;
  /** Whether a person may be picked up on it: no motorway, no dual carriageway of trunk class. */
  pickUp: boolean;
  /** Open only to residents and their visitors: entering it costs time, so that no route leads through. */
  residentsOnly: boolean;
  /** The crossing time in the ferry's tags, from end to end; its speed follows from its length. */
  crossingMs: number | null;
  name: string | null;
}

/** The rights and speeds of a car on a way, or null where it may not drive. */
export function drivableWay(tags: Tags): DrivableWay | null {
  const isFerry = tags.highway === undefined && tags.route === 'ferry';
  const highway = isFerry ? 'ferry' : (tags.highway ?? '');
  const rank = (ROAD_CLASSES as readonly string[]).indexOf(highway);
  if (rank < 0 || tags.area === 'yes') return null;
  const access = carAccess(tags);
  if (access !== undefined && FORBIDDEN.has(access)) return null;
  // Field tracks are private and ferries carry only people, unless their tags say otherwise.
  if ((highway === 'track' || highway === 'ferry') && !(access !== undefined && GRANTED.has(access)))
    return null;
  if (tags.service === 'emergency_access' || tags.service === 'emergency' || tags.impassable === 'yes')
    return null;
  const direction = wayDirection(tags, highway);
  if (direction === null) return null;
  const classKmh =
    highway === 'service'
      ? (SERVICE_KMH[tags.service ?? ''] ?? CLASS_KMH.service)
      : CLASS_KMH[highway as keyof typeof CLASS_KMH];
  return {
    rank,
    forwardKmh: isFerry ? classKmh : drivenKmh(tags['maxspeed:forward'] ?? tags.maxspeed, classKmh),
    backwardKmh: isFerry ? classKmh : drivenKmh(tags['maxspeed:backward'] ?? tags.maxspeed, classKmh),
    ...direction,
    pickUp: !NO_PICK_UP.has(highway) && !(highway === 'trunk' && !(direction.forward && direction.backward)),
    residentsOnly: access !== undefined && RESIDENTS.has(access),
    crossingMs: isFerry ? durationMs(tags.duration) : null,
    name: tags.name ?? tags.ref ?? null,
  };
}

/** Whether a car cannot pass a node: a barrier that is no gate, or one that is closed to cars. */
export function blocksCars(tags: Tags): boolean {
  const access = carAccess(tags);
  if (access !== undefined)
    return FORBIDDEN.has(access) && (tags.barrier !== undefined || tags.access === undefined);
  return tags.barrier !== undefined && !PASSABLE_BARRIERS.has(tags.barrier);
}

/** Countries and territories where traffic keeps left (ISO 3166-1 alpha-2). */
const LEFT_HAND = new Set(
  (
    'AG AI AU BB BD BM BN BS BT BW CC CK CX CY DM FJ FK GB GD GG GY HK ID IE IM IN JE JM JP KE KI KN KY LC LK LS MO ' +
    'MS MT MU MV MW MY MZ NA NF NP NR NU NZ PG PK PN SB SC SG SH SR SZ TC TH TK TL TO TT TV TZ UG VC VG VI WS ZA ZM ZW'
  ).split(' '),
);

/** Whether traffic keeps left in a country, by its ISO 3166-1 alpha-2 code. */
export function drivesOnLeft(country: string): boolean {
  return LEFT_HAND.has(country.toUpperCase());
}

/** The most specific access tag that applies to cars. */
function carAccess(tags: Tags): string | undefined {
  return tags.motorcar ?? tags.motor_vehicle ?? tags.vehicle ?? tags.access;
}

/** The directions in which a car may drive, or null where the direction changes by the hour. */
function wayDirection(tags: Tags, highway: string): { forward: boolean; backward: boolean } | null {
  const oneway = tags['oneway:motor_vehicle'] ?? tags.oneway;
  if (oneway === 'reversible') return null;
  if (oneway === '-1' || oneway === 'reverse') return { forward: false, backward: true };
  const implied = highway === 'motorway' || tags.junction === 'roundabout' || tags.junction === 'circular';
  const oneWay = oneway === 'yes' || oneway === '1' || oneway === 'true' || (implied && oneway !== 'no');
  return { forward: true, backward: !oneWay };
}

/** A `duration` value in milliseconds (`20`, `0:20`, `00:20:00`, `PT1H20M`), or null where it states none. */
export function durationMs(duration: string | undefined): number | null {
  const iso = duration?.match(/^PT(?:(\d+)H)?(?:(\d+)M)?$/);
  const clock = duration?.match(/^(?:(\d+):)?(\d+)(?::(\d\d))?$/);
  const [, hours = 0, minutes = 0, seconds = 0] = iso ?? clock ?? [];
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 || null;
}

/** Speed driven in km/h: nearly the posted limit, else the usual speed of the class. */
function drivenKmh(maxspeed: string | undefined, classKmh: number): number {
  const posted = postedKmh(maxspeed);
  return posted === null ? classKmh : Math.max(5, posted * POSTED_SPEED_SHARE);
}

/**
 * A `maxspeed` value in km/h (`50`, `30 mph`, `80; 50` takes the first, `DE:zone:30` and `FR:zone30` mean 30,
 * `walk` means walking pace), or null where it states no number: other words (`none`, `RO:urban`) mean the
 * class speed.
 */
export function postedKmh(maxspeed: string | undefined): number | null {
  if (maxspeed === 'walk') return WALKING_PACE_KMH;
  const zone = maxspeed?.match(/^[A-Z]{2}:zone:?(\d+)$/);
  if (zone) return Number(zone[1]) * (maxspeed!.startsWith('GB:') ? KMH_PER_MPH : 1) || null;
  const match = maxspeed?.match(/^\s*(\d+(?:\.\d+)?)\s*(mph|km\/h|kmh|kph)?\s*(?:;|$)/);
  if (!match) return null;
  const value = Number(match[1]) * (match[2] === 'mph' ? KMH_PER_MPH : 1);
  return value > 0 ? value : null;
}
