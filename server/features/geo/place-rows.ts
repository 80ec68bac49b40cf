import type { Place as PackPlace } from '#roads/places/places.ts';
import type { NamedAirport } from './rules/airports.ts';
import type { NamedCity } from './rules/cities.ts';
import { importanceOf } from './rules/importance.ts';
import { kindWords } from './rules/kinds.ts';
import type { Postcode } from './rules/postcodes.ts';
import { searchWords } from './rules/words.ts';
import * as store from './store.ts';

export const packRow = (place: PackPlace, pack: string): store.NewPlace => ({
  // A place in two extracts has one id in OpenStreetMap; all other ids are unique only within their pack.
  id: place.id.startsWith('osm-') ? place.id : `${pack}:${place.id}`,
  pack,
  kind: place.kind,
  name: place.name,
  otherNames: place.otherNames ?? [],
  category: place.category ?? '',
  street: place.street ?? '',
  town: place.town ?? '',
  postcode: place.postcode ?? '',
  lon: place.lon,
  lat: place.lat,
  importance: importanceOf(place),
  range: place.range ?? null,
  // The search finds address ranges by the street and a house number, not by the numbers at their ends.
  words: [
    ...searchWords(place.range === undefined ? place.name : (place.street ?? '')),
    ...(place.otherNames ?? []).flatMap(searchWords),
    ...kindWords({ ...place, category: place.category ?? '' }),
  ].join(' '),
});

export const postcodeRow = ({ postcode, town, lon, lat }: Postcode, pack: string): store.NewPlace => ({
  id: `${pack}:postcode-${postcode}`,
  pack,
  kind: 'town',
  name: postcode,
  category: 'postcode',
  street: '',
  town,
  postcode: '',
  lon,
  lat,
  importance: 0.5,
  range: null,
  words: searchWords(postcode).join(' '),
});

export const cityRow = ({ id, name, detail, lon, lat }: NamedCity): store.NewPlace => ({
  id,
  pack: store.citiesPack,
  kind: 'town',
  name,
  category: 'city',
  street: '',
  town: detail,
  postcode: '',
  lon,
  lat,
  importance: 0.5,
  range: null,
  words: searchWords(name).join(' '),
});

export const airportRow = (airport: NamedAirport): store.NewPlace => ({
  id: airport.id,
  pack: 'world',
  kind: 'airport',
  name: airport.name,
  category: 'airport',
  street: '',
  town: airport.detail,
  postcode: '',
  lon: airport.lon,
  lat: airport.lat,
  importance: airport.importance,
  range: null,
  words: [
    ...searchWords(airport.name),
    airport.id.slice('iata-'.length).toLowerCase(),
    ...kindWords({ ...airport, kind: 'airport', category: 'airport' }),
  ].join(' '),
});
