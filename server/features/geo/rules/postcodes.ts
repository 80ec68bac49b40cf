import { greatCircleMetres, type LonLat } from '#roads/graph/geometry.ts';
import type { Place } from '#roads/places/places.ts';

/** A searchable postcode, at its most central address. */
export interface Postcode extends LonLat {
  postcode: string;
  /** The most frequent town of its addresses; empty where none has one. */
  town: string;
}

interface Collected {
  addresses: LonLat[];
  countByTown: Map<string, number>;
}

/** Fewer addresses than this may be a typing error in the map. */
const fewestAddresses = 3;

/** Collects the postcodes of addresses. */
export class PostcodeCollector {
  private readonly byPostcode = new Map<string, Collected>();

  add({ kind, postcode, town, lon, lat }: Pick<Place, 'kind' | 'postcode' | 'town' | 'lon' | 'lat'>): void {
    if (kind !== 'address' || !postcode) return;
    const known: Collected = this.byPostcode.get(postcode) ?? { addresses: [], countByTown: new Map() };
    this.byPostcode.set(postcode, known);
    known.addresses.push({ lon, lat });
    if (town) known.countByTown.set(town, (known.countByTown.get(town) ?? 0) + 1);
  }

  /** Each postcode with at least three addresses, at the address nearest to the middle of them all. */
  found(): Postcode[] {
    return [...this.byPostcode]
      .filter(([, { addresses }]) => addresses.length >= fewestAddresses)
      .map(([postcode, { addresses, countByTown }]) => {
        const [town = ''] = [...countByTown].toSorted(([, a], [, b]) => b - a)[0] ?? [];
        return { postcode, town, ...mostCentral(addresses) };
      });
  }
}

function mostCentral(addresses: readonly LonLat[]): LonLat {
  const mean = (of: (at: LonLat) => number) =>
    addresses.reduce((sum, at) => sum + of(at), 0) / addresses.length;
  const middle = { lon: mean(({ lon }) => lon), lat: mean(({ lat }) => lat) };
  const metres = addresses.map((at) => greatCircleMetres(at, middle));
  const { lon, lat } = addresses[metres.indexOf(Math.min(...metres))]!;
  return { lon, lat };
}
