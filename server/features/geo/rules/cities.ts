import { greatCircleMetres, type LonLat } from '#roads/graph/geometry.ts';

/** A city or town in the format of the GeoNames list: all fields are texts. */
export interface ListedCity {
  name: string;
  lat: string;
  lng: string;
  country: string;
  /** The code of the state or province within the country; may be empty. */
  admin1: string;
}

/** A town beyond the region's own places. */
export interface NamedCity extends LonLat {
  id: string;
  name: string;
  /** The state or province, and the country where it is not the region's own. */
  detail: string;
}

/** The limit of drives: 500 miles from the region. */
const reachMetres = 805_000;

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

/**
 * The cities that a drive from the region can reach.
 * @param region its middle and its country; null means the whole world.
 * @param stateNames by country and code, such as `US.CA`.
 */
export function citiesWithinReach(
  list: readonly ListedCity[],
  region: { center: LonLat; country: string } | null,
  stateNames: ReadonlyMap<string, string>,
): NamedCity[] {
  return list.flatMap((city) => {
    const at = { lon: Number(city.lng), lat: Number(city.lat) };
    if (region !== null && greatCircleMetres(at, region.center) > reachMetres) return [];
    const state = stateNames.get(`${city.country}.${city.admin1}`) ?? '';
    const country = city.country === region?.country ? '' : (countries.of(city.country) ?? '');
    const detail = [state, country].filter(Boolean).join(', ');
    return [{ id: `city-${city.country}-${at.lon},${at.lat}`, name: city.name, detail, ...at }];
  });
}
