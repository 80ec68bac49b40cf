import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import type { AddressRange } from './addresses.ts';
import type { TrafficProfile } from '../graph/traffic.ts';

/** One entry of a region pack's places.ndjson.gz, which holds one of these per line. */
export interface Place {
  /** Stable as long as the source keeps its id. */
  id: string;
  kind: 'town' | 'street' | 'address' | 'place' | 'airport';
  name: string;
  /** Short, official, local and former names. */
  otherNames?: string[];
  /** OpenStreetMap's value, such as `school` or `supermarket`; only for a place. */
  category?: string;
  street?: string;
  town?: string;
  postcode?: string;
  lon: number;
  lat: number;
  /** 0 … 1, ranks places that match equally well. */
  importance: number;
  /** For an address entry that covers all house numbers along one side of a stretch of street. */
  range?: AddressRange;
}

/** The content of region.json. */
export interface RegionDescription {
  name: string;
  title: string;
  /** IANA name. */
  timeZone: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  bounds: [west: number, south: number, east: number, north: number];
  center: [lon: number, lat: number];
  /** The web app shows it on every map and list of places. */
  attribution: string;
  /** Changes whenever the places do: a checksum. */
  placesVersion: string;
  placesCount: number;
  hasMap: boolean;
  hasLand: boolean;
  /** Whether the map's tiles contain the sea. */
  hasSea?: boolean;
  /** Bounds of the map where it reaches beyond the region. */
  mapBounds?: [west: number, south: number, east: number, north: number];
  /** The traffic on drives that begin here; missing where unknown. */
  traffic?: TrafficProfile;
}

/** Checks only the required fields: a pack has more than a hundred thousand places. */
const isPlace = (value: unknown): value is Place =>
  typeof value === 'object' &&
  value !== null &&
  ['id', 'kind', 'name'].every((field) => typeof Reflect.get(value, field) === 'string') &&
  ['lon', 'lat', 'importance'].every((field) => typeof Reflect.get(value, field) === 'number');

/**
 * Reads a pack's places one by one.
 * @throws when the file is missing, is not gzip, or a line is not JSON or no place.
 */
export async function* readPlaces(file: string): AsyncGenerator<Place, void, undefined> {
  const unzipped = createGunzip();
  const source = createReadStream(file);
  source.on('error', (error) => unzipped.destroy(error));
  for await (const line of createInterface({ input: source.pipe(unzipped), crlfDelay: Infinity })) {
    if (line === '') continue;
    const place: unknown = JSON.parse(line);
    if (!isPlace(place)) throw new Error(`${file}: a line is no place: ${line.slice(0, 200)}`);
    yield place;
  }
}
