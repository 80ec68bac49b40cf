import type { Client } from 'pg';
import { buildCells } from '../roads/graph/cells.ts';
import { minuteMs } from '../server/platform/clock.ts';
import { Engine } from '../server/features/matching/engine/engine.ts';
import type { RideEntry } from '../server/features/matching/engine/entries.ts';
import { bestInsertion, measured, withBooking } from '../server/features/matching/rules/insertion.ts';
import type { Wish } from '../server/features/matching/rules/wish.ts';
import { randomFrom } from '../server/testing/random.ts';
import { drawTrips, midnightMs, rideOf, shuffled, wishOf, type Trip } from './commuters/day.ts';
import { readTown } from './commuters/town.ts';
import { buildRegionRoads, extractOf, type Roads } from './region-roads.ts';
import { percentile, rounded, say } from './bench-app.ts';
import { exactAnswers } from './postgis/exact.ts';
import { RouteSearch } from './postgis/route-search.ts';
import { withPostgis } from './postgis/server.ts';

const requestCount = 200;
const buffersMetres = [2_500, 15_000];
const warmUps = 20;
/** Passengers tried for one who fits a ride, so that some rides have people on board. */
const mostTries = 40;

type Answers = { tookMs: number[]; found: Map<number, number | null>[] };

/**
 * The usual way of searching by route in PostGIS, compared with the index of open orders: the same rides, the
 * same requests in turn in one run, both judged by a check of every ride. Every passenger is picked up at the
 * door. PostGIS finds candidates without their detours; the time to check them is not counted.
 */
export async function benchPostgis(options: {
  region?: string;
  seed?: string;
  offers?: string;
  against?: string;
}): Promise<Record<string, unknown>> {
  if (options.against !== 'postgis') throw new Error('Matching is compared with "postgis" alone.');
  const pbfFile = extractOf(options.region ?? 'santa-cruz');
  const seed = Number(options.seed ?? 1);
  const offers = Number(options.offers ?? 20_000);
  say(`Building the roads of ${pbfFile} …`);
  const { graph, roads } = await buildRegionRoads(pbfFile);
  const town = await readTown(pbfFile);
  const random = randomFrom(seed);
  say(`Drawing ${offers} rides and ${requestCount} requests …`);
  const drawn = (count: number) => drawTrips(town, roads, Math.ceil(count / 2), random).slice(0, count);
  const empty = drawn(offers).map(rideOf);
  const passengers = drawn(2_000);
  const rides = empty.map((ride) => (random() < 1 / 3 ? boarded(ride, passengers, roads, random) : ride));
  const wishes = shuffled(drawn(requestCount), random).map(wishOf);
  const engine = new Engine({ shared: { graph, lands: [] }, cells: buildCells(graph) });
  engine.take(rides.map((ride) => ({ kind: 'ride', ride })));
  const numbers = new Map(rides.map(({ id }, number) => [id, number]));
  const ask = (wish: Wish): Map<number, number | null> =>
    new Map(
      engine
        .answer({
          kind: 'ridesFor',
          wish,
          offerCents: null,
          asker: { nowMs: midnightMs, hidden: [], most: offers, nearMisses: 0 },
        })
        .hits.map(({ id, choice }) => [numbers.get(id)!, choice.detourMs]),
    );
  const ours: Answers = { tookMs: [], found: [] };
  const measureOurs = (wish: Wish) => measure(ours, () => Promise.resolve(ask(wish)));
  wishes.slice(0, warmUps).forEach(ask);
  const theirs = await withPostgis(async (client) => {
    say('Writing the routes into PostGIS …');
    return besidePostgis(await RouteSearch.over(rides, roads, client), client, wishes, measureOurs);
  });
  if (theirs === null) for (const wish of wishes) await measureOurs(wish);

  say('Trying every ride for every request …');
  const exact: Map<number, number>[] = [];
  for (const answer of exactAnswers(rides, wishes, roads.network)) exact.push(answer);
  return {
    offers,
    withPeopleOnBoard: rides.filter(({ joinedSeats }) => joinedSeats > 0).length,
    requests: requestCount,
    feasible: exact.reduce((sum, { size }) => sum + size, 0),
    postgis: theirs?.version ?? null,
    ways: [
      ...(theirs?.ways ?? []).map(({ way, answers }) => ({ way, ...judged(answers, exact) })),
      {
        way: 'Sameway',
        ...judged(ours, exact),
        detourMismatches: ours.found
          .map((found, i) => [...found].filter(([number, ms]) => (exact[i]!.get(number) ?? ms) !== ms).length)
          .reduce((sum, count) => sum + count, 0),
      },
    ],
  };
}

async function besidePostgis(
  search: RouteSearch,
  client: Client,
  wishes: readonly Wish[],
  measureOurs: (wish: Wish) => Promise<void>,
) {
  const { rows } = await client.query<{ version: string }>(
    `select 'PostgreSQL ' || current_setting('server_version') || ', PostGIS ' || postgis_lib_version() as version`,
  );
  const ways = buffersMetres.map((metres) => ({
    way: `PostGIS, buffer ${metres / 1000} km`,
    metres,
    answers: { tookMs: [], found: [] } as Answers,
  }));
  for (const { metres } of ways) for (const wish of wishes.slice(0, warmUps)) await search.find(wish, metres);
  say('Asking both, in turn …');
  for (const wish of wishes) {
    for (const { metres, answers } of ways)
      await measure(
        answers,
        async () => new Map((await search.find(wish, metres)).map((each) => [each, null])),
      );
    await measureOurs(wish);
  }
  return { version: rows[0]!.version, ways };
}

async function measure(answers: Answers, work: () => Promise<Map<number, number | null>>): Promise<void> {
  const startedAt = performance.now();
  const found = await work();
  answers.tookMs.push(performance.now() - startedAt);
  answers.found.push(found);
}

/** The speed of the answers, and their recall and precision over all pairs. */
function judged({ tookMs, found }: Answers, exact: readonly Map<number, number>[]) {
  const sizes = found.reduce((sum, { size }) => sum + size, 0);
  const feasible = exact.reduce((sum, { size }) => sum + size, 0);
  const right = found.reduce(
    (sum, answer, i) => sum + [...answer.keys()].filter((number) => exact[i]!.has(number)).length,
    0,
  );
  return {
    p50Ms: rounded(percentile(tookMs, 0.5)),
    p99Ms: rounded(percentile(tookMs, 0.99)),
    foundMean: rounded(sizes / found.length),
    recall: rounded(right / feasible),
    precision: rounded(right / sizes),
    missed: feasible - right,
    extra: sizes - right,
  };
}

/** The ride with one or two of the passengers on board, those who fit it among some that are drawn. */
function boarded(
  ride: RideEntry,
  passengers: readonly Trip[],
  roads: Roads,
  random: () => number,
): RideEntry {
  const wanted = random() < 0.5 ? 1 : 2;
  let standing = ride;
  for (let tries = 0; tries < mostTries && standing.joinedSeats < wanted; tries++) {
    const trip = passengers[Math.floor(random() * passengers.length)]!;
    const { plan } = standing;
    const wish = wishOf({ ...trip, leavesMs: plan.departsMs + Math.floor(random() * 15 * minuteMs) });
    const choice = bestInsertion(plan, wish, roads.drives(plan, wish));
    if (choice === null) continue;
    const insertion = measured(plan, wish, choice, (from, to) => roads.travel(from, to));
    standing = {
      ...standing,
      plan: withBooking(plan, wish, insertion, `${ride.id} ${tries}`),
      joinedSeats: standing.joinedSeats + 1,
    };
  }
  return standing;
}
