import { importPlaces } from '../server/features/geo/import-places.ts';
import { searchPlaces } from '../server/features/geo/search-places.ts';
import { positionOfWanted, queriedRegions, writtenQueries } from '../server/testing/place-queries.ts';
import { inBenchApp, percentile, rounded, say } from './bench-app.ts';

/**
 * How often what a person types finds first what they mean: some 200 queries written by hand for a region,
 * asked of a server with its places imported.
 * @param options.region a region that queries were written for; `packs` is the folder its pack lies in.
 */
export async function benchSearch({
  region = 'santa-cruz',
  packs,
}: Record<string, string | undefined>): Promise<Record<string, unknown>> {
  if (!queriedRegions.includes(region))
    throw new Error(`Queries were written for ${queriedRegions.join(', ')}; choose one with --region.`);
  return inBenchApp(
    async ({ platform }) => {
      await importPlaces(platform, say);
      const queries = writtenQueries(region);
      const missed: { text: string; found: string[] }[] = [];
      const times: number[] = [];
      let [first, amongThree] = [0, 0];
      for (const query of queries) {
        const found = await searchPlaces(platform, query.text);
        times.push(await medianMs(() => searchPlaces(platform, query.text)));
        const position = positionOfWanted(query, found);
        if (position === 1) first++;
        else
          missed.push({
            text: query.text,
            found: found.slice(0, 3).map(({ kind, name }) => `${kind} ${name}`),
          });
        if (position !== null && position <= 3) amongThree++;
      }
      return {
        region,
        queries: queries.length,
        first,
        firstShare: rounded(first / queries.length),
        amongThree,
        p50Ms: rounded(percentile(times, 0.5)),
        p99Ms: rounded(percentile(times, 0.99)),
        missed,
      };
    },
    { region, packs },
  );
}

const timesAsked = 5;

/** The median of several times: other work on the machine delays single ones. */
async function medianMs(ask: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < timesAsked; time++) {
    const began = performance.now();
    await ask();
    times.push(performance.now() - began);
  }
  return percentile(times, 0.5);
}
