/** An airport in the format of the world list. */
export interface ListedAirport {
  iata: string;
  airport: string;
  latitude: number;
  longitude: number;
  type: string;
  scheduled_service: boolean | string;
}

/**
 * An airport as the search returns it: its name or detail contains the word airport, so that it counts as an
 * airport address.
 */
export interface NamedAirport {
  id: string;
  name: string;
  detail: string;
  lon: number;
  lat: number;
  importance: number;
}

/** Those that still operate and have an IATA code, each once. */
export function nameAirports(list: readonly ListedAirport[]): NamedAirport[] {
  const byCode = new Map<string, NamedAirport>();
  for (const each of list) {
    if (!/^[A-Z]{3}$/.test(each.iata) || each.type === 'closed' || !isAirportName(each.airport)) continue;
    const named = nameAirport(each);
    if ((byCode.get(named.id)?.importance ?? -1) < named.importance) byCode.set(named.id, named);
  }
  return [...byCode.values()];
}

/** The list also contains bus, railway and ferry stations with a code. */
const isAirportName = (name: string): boolean =>
  name.trim() !== '' && !/\b(bus|railway|rail|train|ferry) (station|terminal|port)\b/i.test(name);

function nameAirport(each: ListedAirport): NamedAirport {
  const name = each.airport.trim();
  return {
    id: `iata-${each.iata}`,
    name,
    detail: /airport/i.test(name) ? each.iata : `Airport ${each.iata}`,
    lon: each.longitude,
    lat: each.latitude,
    importance: importanceOf(each),
  };
}

function importanceOf({ type, scheduled_service: service }: ListedAirport): number {
  const isServed = /^true$/i.test(String(service));
  if (!isServed) return 0.1;
  if (type === 'large_airport') return 0.8;
  return type === 'medium_airport' ? 0.6 : 0.35;
}
