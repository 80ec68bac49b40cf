import { z } from 'zod';
import type { FoundPlace } from '#contract/geo/endpoints.ts';
import { isAirport } from '#contract/geo/airports.ts';
import { oneLine } from '#contract/units.ts';

/** The program behind a hosted geocoder's address. */
export type GeocoderKind = 'photon' | 'nominatim';

const mostEmails = 200;
const word = z
  .string()
  .transform((text) => oneLine(Number.MAX_SAFE_INTEGER).parse(text).slice(0, mostEmails))
  .catch('');
const lon = z.coerce.number().min(-180).max(180);
const lat = z.coerce.number().min(-90).max(90);

const photonFeature = z.object({
  geometry: z.object({ coordinates: z.tuple([lon, lat]).rest(z.unknown()) }),
  properties: z.object({
    osm_type: word,
    osm_id: z.coerce.string().catch(''),
    osm_key: word,
    osm_value: word,
    type: word,
    name: word,
    housenumber: word,
    street: word,
    district: word,
    city: word,
    county: word,
    state: word,
    postcode: word,
  }),
});

const address = z.object({
  house_number: word,
  road: word,
  city: word,
  town: word,
  village: word,
  hamlet: word,
  county: word,
  state: word,
  postcode: word,
});

const nominatimPlace = z.object({
  osm_type: word,
  osm_id: z.coerce.string().catch(''),
  lon,
  lat,
  category: word,
  class: word,
  type: word,
  addresstype: word,
  name: word,
  address: address.catch(() => address.parse({})),
});

/** A place in either program's answer, in one form. */
interface Answer {
  id: string;
  key: string;
  value: string;
  type: string;
  name: string;
  houseNumber: string;
  street: string;
  town: string;
  region: string;
  postcode: string;
  lon: number;
  lat: number;
}

/**
 * The places in a geocoder's answer; leaves out invalid entries. Null when the answer as a whole is not in
 * the program's format.
 */
export function placesIn(kind: GeocoderKind, answer: unknown): FoundPlace[] | null {
  const entries = kind === 'photon' ? featuresOf(answer) : listOf(answer);
  if (entries === null) return null;
  const found = entries.flatMap((entry) => {
    const read = kind === 'photon' ? readPhoton(entry) : readNominatim(entry);
    const place = read === null ? null : placeOf(read);
    return place === null ? [] : [place];
  });
  return [...new Map(found.map((place) => [`${place.name}\n${place.detail}`, place])).values()];
}

function featuresOf(answer: unknown): unknown[] | null {
  const parsed = z.object({ features: z.array(z.unknown()) }).safeParse(answer);
  return parsed.success ? parsed.data.features : null;
}

function listOf(answer: unknown): unknown[] | null {
  if (Array.isArray(answer)) return answer;
  // A reverse answer is one place, or an error that there is none.
  if (typeof answer !== 'object' || answer === null) return null;
  if ('error' in answer) return [];
  return 'lat' in answer ? [answer] : null;
}

function readPhoton(entry: unknown): Answer | null {
  const parsed = photonFeature.safeParse(entry);
  if (!parsed.success) return null;
  const { geometry, properties: of } = parsed.data;
  return {
    id: `${of.osm_type}${of.osm_id}`,
    key: of.osm_key,
    value: of.osm_value,
    type: of.type,
    name: of.name,
    houseNumber: of.housenumber,
    street: of.type === 'street' && of.street === '' ? of.name : of.street,
    town: of.city || of.district || of.county,
    region: of.state,
    postcode: of.postcode,
    lon: geometry.coordinates[0],
    lat: geometry.coordinates[1],
  };
}

function readNominatim(entry: unknown): Answer | null {
  const parsed = nominatimPlace.safeParse(entry);
  if (!parsed.success) return null;
  const { address, ...of } = parsed.data;
  const { city, town, village, hamlet } = address;
  return {
    id: `${of.osm_type.slice(0, 1).toUpperCase()}${of.osm_id}`,
    key: of.category || of.class,
    value: of.type,
    type: of.addresstype,
    name: of.name,
    houseNumber: address.house_number,
    street: address.road,
    town: city || town || village || hamlet || address.county,
    region: address.state,
    postcode: address.postcode,
    lon: of.lon,
    lat: of.lat,
  };
}

const townTypes = new Set([
  'city',
  'town',
  'village',
  'hamlet',
  'suburb',
  'locality',
  'district',
  'county',
  'state',
  'municipality',
]);

function placeOf(of: Answer): FoundPlace | null {
  const at = { id: `osm-${of.id}`, category: of.value, lon: round6(of.lon), lat: round6(of.lat) };
  const isFlown = of.key === 'aeroway' && /aerodrome|terminal/.test(of.value);
  const street = [of.houseNumber, of.street].filter(Boolean).join(' ');
  if (isFlown && of.name !== '') {
    // Its detail contains the word airport, so that it counts as an airport address everywhere.
    const detail = isAirport({ name: of.name, detail: '' })
      ? of.town
      : ['Airport', of.town].filter(Boolean).join(' · ');
    return { ...at, kind: 'airport', name: of.name, detail };
  }
  if (of.houseNumber !== '' && of.street !== '' && (of.name === '' || of.name === of.houseNumber)) {
    return { ...at, kind: 'address', name: street, detail: joined([of.town, of.postcode], ' ') };
  }
  const name = of.name || of.street;
  if (name === '') return null;
  if (of.key === 'highway' || of.type === 'street' || of.type === 'road')
    return { ...at, kind: 'street', name, detail: of.town };
  if (of.key === 'place' || of.key === 'boundary' || townTypes.has(of.type))
    return { ...at, kind: 'town', name, detail: of.region };
  return { ...at, kind: 'place', name, detail: joined([street === name ? '' : street, of.town], ', ') };
}

const round6 = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;
const joined = (parts: string[], by: string): string => parts.filter(Boolean).join(by).slice(0, mostEmails);
