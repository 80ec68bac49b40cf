import type { FoundPlace } from '#contract/geo/endpoints.ts';
import { greatCircleMetres, type LonLat } from '#roads/graph/geometry.ts';
import { isAirport } from '#contract/geo/airports.ts';
import { roundedPoint, type Place } from '#contract/units.ts';
import type { App } from '../../app-type.ts';
import type { Db } from '../../platform/database/db.ts';
import { locatePlace, pointAt } from './region-roads.ts';
import { areaAt, pointIn } from './rules/areas.ts';
import { houseNumberAt } from './rules/house-numbers.ts';
import { sixDecimals } from './rules/six-decimals.ts';
import type { ApproximatePlace } from './state.ts';
import * as store from './store.ts';
import { detailOf } from './view.ts';

const addressReachMetres = 150;
/** Address ranges are indexed by their middle, which may lie this far beyond the reach. */
const longestHalfRangeMetres = 700;
const airportReachMetres = 3000;
const nearReachMetres = 40_000;

/**
 * The address at a point of the map: the nearest house number within 150 meters, else the street, else a
 * neighboring place. Refuses as `locatePlace` does.
 */
export async function reversePlace(app: App, at: LonLat): Promise<FoundPlace> {
  const { db, geo } = app;
  const point = locatePlace(app, at, 'lat');
  const pin = {
    id: `pin-${at.lon.toFixed(6)}-${at.lat.toFixed(6)}`,
    category: '',
    lon: at.lon,
    lat: at.lat,
  };
  const hosted = await geo.geocoder?.reverse(at);
  // A place far from the point is a different place; beyond the region a named airport is found below.
  if (hosted && hosted.kind !== 'town' && greatCircleMetres(hosted, at) <= addressReachMetres)
    return { ...hosted, id: pin.id, ...at };
  if (point.estimated) return { ...pin, kind: 'place', ...(await nameOutside(db, at)) };
  const address = await nearestAddress(db, at);
  if (address !== null) return { ...pin, kind: 'address', ...address };
  if (point.streetName !== null) return { ...pin, kind: 'street', ...streetOf(app, at) };
  return { ...pin, kind: 'place', ...(await nameNearby(db, at)) };
}

async function nearestAddress(db: Db, at: LonLat): Promise<{ name: string; detail: string } | null> {
  const rows = await store.findAround(db, at, addressReachMetres + longestHalfRangeMetres, ['address']);
  let best: { name: string; detail: string; metres: number } | null = null;
  for (const row of rows) {
    const onRange = row.range && houseNumberAt(row.range, at);
    const metres = onRange?.metres ?? greatCircleMetres(at, row);
    if (metres > addressReachMetres || (best !== null && metres >= best.metres)) continue;
    const name = onRange ? `${onRange.houseNumber} ${row.street}` : row.name;
    best = { name, detail: detailOf(row), metres };
  }
  return best && { name: best.name, detail: best.detail };
}

async function nameOutside(db: Db, at: LonLat): Promise<{ name: string; detail: string }> {
  const [airport] = await store.findAround(db, at, airportReachMetres, ['airport']);
  return airport === undefined ? nameNearby(db, at) : { name: airport.name, detail: airport.town };
}

async function nameNearby(db: Db, at: LonLat): Promise<{ name: string; detail: string }> {
  const [nearest] = await store.findAround(db, at, nearReachMetres, ['town', 'place', 'airport']);
  if (nearest === undefined) return { name: `${at.lat.toFixed(4)}, ${at.lon.toFixed(4)}`, detail: '' };
  // A point near an airport is not at it: leaves out the detail, which may contain the word airport.
  return nearest.kind === 'airport'
    ? { name: `Near ${nearest.name.replace(/\s*airport\s*$/i, '')}`, detail: '' }
    : { name: `Near ${nearest.name}`, detail: detailOf(nearest) };
}

/** The street at a point, else the town; never a house number. */
export function streetOf(app: App, at: LonLat): { name: string; detail: string } {
  const { region } = app.geo;
  const street = pointAt(app, at)?.streetName ?? '';
  const town = region.townAt(at);
  if (street !== '') return { name: street, detail: town };
  return { name: town === '' ? `Around ${region.titleAt(at)}` : town, detail: '' };
}

/** A place as people see it who do not ride together. Airports keep their name. */
export function approximatePlace(app: App, place: Place): ApproximatePlace {
  const { region } = app.geo;
  const rounded = roundedPoint(place);
  if (isAirport(place)) return { name: place.name, detail: place.detail, ...rounded };
  // At a corner the nearest road may be the other one; the street that the address names is better.
  const named = place.name.replace(/^\d+\p{L}?\s+/u, '');
  if (pointAt(app, place)?.estimated === true) {
    // Beyond the region only the place's own detail names its town; where it tells a state alone, the place
    // is the town.
    const parts = place.detail.split(/[,·]/).map((part) => part.trim());
    const town = parts.findLast((part) => part !== '' && !region.states.has(part.toLowerCase())) ?? '';
    return { name: town === '' ? named : town, detail: '', ...rounded };
  }
  const { name, detail } = streetOf(app, place);
  return { name: region.streets.has(named) ? named : name, detail, ...rounded };
}

/** Where a car may stop in an area: its middle first, then ever farther out. */
const areaSpots = [0, 0.15, 0.3, 0.45].flatMap((far) =>
  far === 0
    ? [[0, 0] as const]
    : [-far, 0, far]
        .flatMap((right) => [-far, 0, far].map((up) => [right, up] as const))
        .filter(([x, y]) => x !== 0 || y !== 0),
);

/** A neighborhood of the region by its id, named on first use. */
export function areaById(app: App, id: number): ApproximatePlace {
  const { areas } = app.geo;
  const known = areas.get(id);
  if (known !== undefined) return known;
  const area = nameArea(app, id);
  areas.set(id, area);
  return area;
}

/**
 * A neighborhood by its id: named after the quarter or landmark in it, else after the street that runs
 * through most of it. Its point is one inside it where a car can stop, so that it reveals no address.
 */
function nameArea(app: App, id: number): ApproximatePlace {
  const { region } = app.geo;
  const middle = pointIn(id, 0, 0);
  const spots = areaSpots.flatMap(([right, up]) => {
    const at = sixDecimals(pointIn(id, right, up));
    const point = region.network.snap(at);
    return point === null ? [] : [{ at, street: point.streetName ?? '' }];
  });
  // The street that runs through most of it; of equal ones the nearest to the middle.
  const countOf = (street: string) => spots.filter((each) => each.street === street).length;
  const [best] = spots
    .filter(({ street }) => street !== '')
    .toSorted((one, other) => countOf(other.street) - countOf(one.street));
  const at = (best ?? spots[0])?.at ?? middle;
  const [quarter] = region.quarters
    .filter((each) => areaAt(each) === id)
    .toSorted(
      (one, other) =>
        Number(one.kind === 'landmark') - Number(other.kind === 'landmark') ||
        greatCircleMetres(one, middle) - greatCircleMetres(other, middle),
    );
  const named =
    quarter === undefined
      ? streetOf(app, at)
      : { name: quarter.name, detail: quarter.kind === 'town' ? '' : region.townAt(at) };
  return { ...named, ...at };
}

/**
 * The neighborhood of a place, and a public label of the place: an airport's name, or the town of a place
 * beyond the region; else empty, and the neighborhood's name applies.
 */
export function areaOf(app: App, place: Place): { id: number; label: string } {
  const isElsewhere = isAirport(place) || app.geo.region.network.snap(place)?.estimated === true;
  return { id: areaAt(place), label: isElsewhere ? approximatePlace(app, place).name : '' };
}
