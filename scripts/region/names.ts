import { greatCircleMetres } from '../../roads/graph/geometry.ts';

/** A pack's name from its extract: `https://…/central-america-latest.osm.pbf` is `central-america`. */
export function nameOfFile(fileOrUrl: string): string {
  const file = fileOrUrl.split(/[?#]/)[0]!.split(/[/\\]/).at(-1)!;
  return file
    .replace(/(\.osm)?\.pbf$/i, '')
    .replace(/-(latest|\d{6,8})$/, '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
}

/** `central-america` as people read it: Central America. */
export function titleOfName(name: string): string {
  return name
    .split('-')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(' ');
}

/**
 * The country (ISO 3166-1 alpha-2) of a point: that of the nearest airport whose clocks show the same time.
 * Near a border it can be the neighbor's; empty where the zone has no airport.
 */
export async function countryAt([lon, lat]: readonly [number, number], timeZone: string): Promise<string> {
  const { default: airports } = await import('airport-data-js');
  const inZone = await airports.getAirportsByTimezone(timeZone).catch(() => []);
  let country = '';
  let nearest = Infinity;
  for (const { country_code: code, longitude, latitude } of inZone) {
    const metres = greatCircleMetres({ lon, lat }, { lon: longitude, lat: latitude });
    if (metres >= nearest) continue;
    nearest = metres;
    country = code;
  }
  return country;
}
