import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import type { AddressRange } from './addresses.ts';
import type { TrafficProfile } from '../graph/traffic.ts';

/** One entry of a region pack's places.ndjson.gz, which holds one of these per line. */
export interface Place {
  /** Stable as long as its source keeps its identity. */
  id: string;
  kind: 'town' | 'street' | 'address' | 'place' | 'airport';
  name: string;
  /** OpenStreetMap's value, such as `school` or `supermarket`; for a place only. */
  category?: string;
  street?: string;
  town?: string;
  postcode?: string;
  lon: number;
  lat: number;
  /** 0 … 1, for ranking what is equally well matched. */
  importance: number;
  /** For an address that stands for all the house numbers along one side of a stretch of street. */
  range?: AddressRange;
}

/** What region.json holds. */
export interface RegionDescription {
  name: string;
  title: string;
  /** IANA name. */
  timeZone: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  bounds: [west: number, south: number, east: number, north: number];
  center: [lon: number, lat: number];
  /** To be shown on every map and wherever places are listed. */
  attribution: string;
  /** Changes whenever the places do: a checksum. */
  placesVersion: string;
  placesCount: number;
  hasMap: boolean;
  hasLand: boolean;
  /** Whether the map's tiles hold the sea. */
  hasSea?: boolean;
  /** What traffic makes of drives that begin here; missing where nothing is known of it. */
  traffic?: TrafficProfile;
}

/** Looks at what each place must have: a pack has more than a hundred thousand of them. */
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
