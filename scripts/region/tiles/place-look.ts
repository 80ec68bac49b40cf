import type { Tags } from '../../../roads/build/osm.ts';
import type { Look } from './shape.ts';

/** Kind, first zoom, and the people who live there where the data does not say, by OpenStreetMap's value. */
const PLACES: Record<string, readonly [kind: string, zoom: number, population: number]> = {
  city: ['locality', 7, 5_000],
  town: ['locality', 8, 10_000],
  village: ['locality', 10, 2_000],
  hamlet: ['locality', 11, 200],
  quarter: ['macrohood', 10, 0],
  suburb: ['neighbourhood', 11, 0],
  neighbourhood: ['neighbourhood', 12, 0],
  locality: ['locality', 13, 0],
  isolated_dwelling: ['locality', 13, 0],
};
/** The ranks of the schema: 1 from 0 people, 2 from 200 … */
const RANKS = [
  0, 200, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1e6, 5e6, 1e7, 2e7, 5e7,
  1e8, 1e9,
];
/** Above any real population. */
const MOST_PEOPLE = 999_999;

/**
 * The drawing of the name of a town, village or neighborhood; the earlier it shows, the more weight it has.
 */
export function placeLook(tags: Tags): Look[] {
  const place = PLACES[tags.place ?? ''];
  const { name } = tags;
  if (place === undefined || name === undefined) return [];
  const [kind, zoom, guess] = place;
  const population = Number.parseInt((tags.population ?? '').replaceAll(/\D/g, ''), 10) || guess;
  return [
    {
      layer: 'places',
      kind: 'point',
      minZoom: zoom,
      properties: {
        kind,
        kind_detail: tags.place!,
        name,
        min_zoom: zoom + 1,
        population,
        population_rank: RANKS.findLastIndex((least) => population >= least) + 1,
        sort_key: zoom * 1e6 + MOST_PEOPLE - Math.min(population, MOST_PEOPLE),
      },
    },
  ];
}
