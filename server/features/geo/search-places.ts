import type { FoundPlace } from '#contract/geo/endpoints.ts';
import { addressPoint } from '#roads/places/addresses.ts';
import { greatCircleMetres, type LonLat } from '#roads/graph/geometry.ts';
import type { App } from '../../app-type.ts';
import { centerOf } from './region.ts';
import { readQuery, type PlaceQuery } from './rules/query.ts';
import { rankPlaces } from './rules/ranking.ts';
import { sixDecimals } from './rules/six-decimals.ts';
import { searchWords } from './rules/words.ts';
import * as store from './store.ts';
import { detailOf, showPlace } from './view.ts';

const mostFound = 10;
const mostConsidered = 60;
/** A hosted geocoder's airport within this distance of a known one is the same airport. */
const airportReachMetres = 3000;

/**
 * Places that fit a typed text, at most ten, best first: by the words, the importance, and the distance from
 * `near` (by default the middle of the region).
 */
export async function searchPlaces(
  app: App,
  text: string,
  near: LonLat = centerOf(app.geo.region),
): Promise<FoundPlace[]> {
  const [own, hosted] = await Promise.all([
    searchOwn(app, text, near),
    app.geo.geocoder?.search(text, near) ?? null,
  ]);
  if (hosted === null || hosted.length === 0) return own;
  // The server's own list has the world's airports by code, each with one name.
  const airports = own[0]?.kind === 'airport' ? own.filter(({ kind }) => kind === 'airport').slice(0, 2) : [];
  const others = hosted.filter(
    (place) =>
      place.kind !== 'airport' ||
      airports.every((each) => greatCircleMetres(each, place) > airportReachMetres),
  );
  return [...airports, ...others].slice(0, mostFound);
}

async function searchOwn(app: App, text: string, near: LonLat): Promise<FoundPlace[]> {
  const query = readQuery(text);
  if (query.words.length === 0) return [];
  const found = (await findFor(app, query, near)).map((row) => withDetail(app, row));
  return rankPlaces(found, query, near).slice(0, mostFound).map(showPlace);
}

function withDetail({ geo }: App, row: store.PlaceRow): store.PlaceRow & { detail: string } {
  const street =
    row.kind === 'place' && row.street === '' ? (geo.region.network.snap(row)?.streetName ?? '') : row.street;
  return { ...row, detail: detailOf({ ...row, street }) };
}

async function findFor(app: App, query: PlaceQuery, near: LonLat): Promise<store.PlaceRow[]> {
  const { db } = app;
  const { words, address } = query;
  const named = await store.findByWords(db, query, near, mostConsidered);
  if (address === null) {
    if (named.length > 0) return named;
    return (
      (await findShortened(app, query, near)) ?? store.findAlike(db, words.join(' '), near, mostConsidered)
    );
  }
  const numbered = await findAddresses(app, address, near);
  if (numbered.length > 0 || named.length > 0) return [...numbered, ...named];
  // A house number that is on no map: searches for the street instead.
  const street = { words: address.words, context: query.context, address: null };
  const streets = await findFor(app, street, near);
  const [likeliest] = rankPlaces(
    streets.map((row) => withDetail(app, row)),
    street,
    near,
  );
  if (likeliest?.kind !== 'street') return streets;
  const found = { ...address, words: searchWords(likeliest.name).slice(0, 6) };
  return [...(await findAddresses(app, found, near)), ...streets];
}

/** "… santa cruz ca usa": drops at most two words at the end that no place has. */
async function findShortened(
  { db }: App,
  { words, context }: PlaceQuery,
  near: LonLat,
): Promise<store.PlaceRow[] | null> {
  for (let length = words.length - 1; length >= Math.max(2, words.length - 2); length--) {
    const shorter = { words: words.slice(0, length), context, address: null };
    const found = await store.findByWords(db, shorter, near, mostConsidered);
    if (found.length > 0) return found;
  }
  return null;
}

/**
 * The places of a house number on the streets that have the words, where the map has it or a number near it.
 */
async function findAddresses(
  { db }: App,
  address: NonNullable<PlaceQuery['address']>,
  near: LonLat,
): Promise<store.PlaceRow[]> {
  const { houseNumber, suffix } = address;
  const stretches = await store.findHouseNumber(db, address, near, mostConsidered);
  const number = `${houseNumber}${suffix.toUpperCase()}`;
  const placed = (onEitherSide: boolean) =>
    stretches.flatMap((row) => {
      const range = row.range && onEitherSide ? { ...row.range, parity: 'any' as const } : row.range;
      const at = range && addressPoint(range, houseNumber);
      return at
        ? [{ ...row, ...sixDecimals(at), id: `${row.id}-${number}`, name: `${number} ${row.street}` }]
        : [];
    });
  const exact = placed(false);
  // The list of numbers has gaps; the same address range is near enough.
  return exact.length > 0 ? exact : placed(true);
}
