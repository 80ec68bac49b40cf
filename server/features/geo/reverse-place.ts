import type { FoundPlace } from '#contract/geo/endpoints.ts';
import { greatCircleMetres, type LonLat } from '#roads/graph/geometry.ts';
import type { App } from '../../app-type.ts';
import type { Db } from '../../platform/database/db.ts';
import { streetOf } from './approximate-place.ts';
import { locatePlace } from './region-roads.ts';
import { houseNumberAt } from './rules/house-numbers.ts';
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
