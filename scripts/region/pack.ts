import type { Place } from '../../roads/places/places.ts';
import { pointAlong } from '../../roads/places/addresses.ts';
import { middleOfStreet, readOsmPlaces, round6, type StreetPiece } from './osm-places.ts';
import { spellOutStreet } from './street-names.ts';
import { readTigerRanges } from './tiger.ts';
import { townFinder, type HandPlace } from './towns.ts';

interface PlaceSources {
  pbfFile: string;
  tigerFile?: string;
  handPlaces: HandPlace[];
}

/** Gathers a region's places from all sources, each with its town, in a stable order. */
export async function gatherPlaces({ pbfFile, tigerFile, handPlaces }: PlaceSources): Promise<Place[]> {
  const osm = await readOsmPlaces(pbfFile);
  const ranges = tigerFile ? readTigerRanges(tigerFile) : [];
  const known = new Set(handPlaces.map(({ kind, name }) => `${kind} ${name}`));
  const named = osm.places.filter(({ kind, name }) => !known.has(`${kind} ${name}`));
  const towns = [...handPlaces, ...named].filter(({ kind }) => kind === 'town');
  const locate = townFinder(towns, ranges);
  const withTown = (place: HandPlace): Place =>
    place.kind === 'town'
      ? place
      : { ...place, ...locate(place, place.postcode), ...(place.town && { town: place.town }) };
  return [
    ...handPlaces.map((place) => withTown({ ...place, postcodes: undefined })),
    ...named.map(withTown),
    ...streetPlaces(osm.streets, locate),
    ...addressPlaces(ranges, new Set(osm.streets.keys()), locate),
  ];
}

type Locate = ReturnType<typeof townFinder>;

/** One entry per street name and town. */
function streetPlaces(streets: Map<string, StreetPiece[]>, locate: Locate): Place[] {
  return [...streets].flatMap(([name, pieces]) => {
    const byTown = Map.groupBy(pieces, ({ line }) => locate(line[line.length >> 1]!).town ?? '');
    return [...byTown].map(([town, townPieces]): Place => {
      const middle = middleOfStreet(townPieces);
      const { postcode } = locate(middle);
      return {
        id: `street-${slug(name)}-${slug(town)}`,
        kind: 'street',
        name,
        ...(town && { town }),
        ...(postcode && { postcode }),
        lon: round6(middle.lon),
        lat: round6(middle.lat),
        // A main street before a lane of the same name: 0.45 down to 0.15.
        importance: Math.round(45 - 2 * Math.min(...townPieces.map(({ rank }) => rank))) / 100,
      };
    });
  });
}

/** One entry per side of a stretch of street that has house numbers. */
function addressPlaces(
  ranges: ReturnType<typeof readTigerRanges>,
  osmStreets: Set<string>,
  locate: Locate,
): Place[] {
  const spellings = new Map([...osmStreets].map((name) => [name.toLowerCase(), name]));
  return ranges.map(({ id, name, postcode, range }): Place => {
    const spelled = spellOutStreet(name);
    const street = spellings.get(spelled.toLowerCase()) ?? spelled;
    const middle = pointAlong(range.line, 0.5);
    const [low, high] = [Math.min(range.from, range.to), Math.max(range.from, range.to)];
    return {
      id,
      kind: 'address',
      name: low === high ? `${low} ${street}` : `${low}–${high} ${street}`,
      street,
      ...locate(middle, postcode),
      lon: round6(middle.lon),
      lat: round6(middle.lat),
      importance: 0.1,
      range,
    };
  });
}

function slug(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
}
