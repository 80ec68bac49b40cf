import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { deserialize, serialize } from 'node:v8';
import type { RoadPoint, Travel } from '../roads/graph/network.ts';
import { freePermille } from '../roads/graph/traffic.ts';
import { loadWalkNetwork } from '../roads/walk/walk-load.ts';
import { readEnv } from '../server/platform/env.ts';
import { EngineThread } from '../server/features/matching/engine/client.ts';
import { startEngine } from '../server/features/matching/engine/threads.ts';
import type { Answer, RideEntry } from '../server/features/matching/engine/entries.ts';
import { shareCents, withinOffer } from '../server/features/matching/rules/price.ts';
import type { Spot, Wish } from '../server/features/matching/rules/wish.ts';
import { tryEverything, type BruteRide } from '../server/testing/brute-force.ts';
import { Demand, type Span } from './country/demand.ts';
import { buildCountry, type CountryRoads } from './country/roads.ts';
import { percentile, rounded, say } from './bench-app.ts';

const defaultPbf = path.join(import.meta.dirname, '..', 'regions', 'santa-cruz', 'roads.osm.pbf');
/** A Monday. */
const startMs = Date.UTC(2026, 10, 23, 8);
const offersAtOnce = 10_000;

/** A passenger asking. */
interface Query {
  wish: Wish;
  offerCents: number | null;
}

/**
 * How long "which rides fit me" takes among very many open offers in a country of at least a million road
 * nodes: copies of a region, joined. Times are those of the asking thread, there and back. A sample is
 * compared with trying everything: every ride that is on the road at the time at all, every pair of meeting
 * points and positions, leg by leg.
 */
export async function benchCountry(options: {
  offers?: string;
  days?: string;
  hours?: string;
  nodes?: string;
  queries?: string;
  checks?: string;
  pbf?: string;
  seed?: string;
  threads?: string;
}): Promise<Record<string, number>> {
  const offers = Number(options.offers ?? 1_000_000);
  const hours = options.hours === undefined ? Number(options.days ?? 14) * 24 : Number(options.hours);
  const seed = Number(options.seed ?? 1);
  const threads = Number(options.threads ?? 1);
  const span: Span = { startMs, hours };
  const pbfFile = options.pbf ?? defaultPbf;
  const country = await buildCountry(pbfFile, Number(options.nodes ?? 1_000_000));
  const walks = await loadWalkNetwork({
    pbfFiles: [pbfFile],
    roads: country.region,
    cacheFolder: path.join(readEnv().DATA_DIR, 'bench'),
  });
  const demand = new Demand(country, walks, seed);
  const queries = Array.from({ length: Number(options.queries ?? 1_000) }, (): Query => demand.wish(span));

  const thread = new EngineThread({
    shared: { graph: country.graph, lands: [] },
    cells: country.cells,
    files: country.files,
  });
  say(
    `Drawing ${offers.toLocaleString('en')} offers over ${hours} hours, seed ${seed}, and handing them to the index …`,
  );
  const drawn = await drawOffers(() => demand.ride(span), offers, thread);
  const { rides: known, bytes, takingMs } = await thread.census();

  say(`Asking ${queries.length} questions …`);
  const { answers, nearMs, loopDelayP99Ms } = await askAll(thread, queries);

  say('Writing the index to a file, and starting another one from it …');
  const restart = await restartFrom(thread, country, { threads, queries });

  const checks = Number(options.checks ?? (hours < 24 ? 2 : 10));
  say(`Trying everything for ${checks} of them …`);
  const wrong = await compare(
    thread,
    queries.slice(0, checks),
    (query) => everyFit(demand, drawn, query),
    offers,
  );
  await thread.close();

  return {
    offers: known,
    nodes: country.graph.nodeCount,
    hours,
    seed,
    ...figuresOf(answers, nearMs),
    ...wrong,
    ...restart,
    checkedQueries: checks,
    insertsPerSecond: Math.round(known / (takingMs / 1000)),
    rssMb: Math.round(process.memoryUsage.rss() / 1e6),
    indexMb: Math.round(bytes / 1e6),
    loopDelayP99Ms,
    hierarchySeconds: country.hierarchySeconds === null ? 0 : rounded(country.hierarchySeconds),
    cellsSeconds: rounded(country.cellsSeconds),
  };
}

/**
 * Stores the index on disk, and starts a second one from there: how long each takes. With several threads,
 * how many questions a second all of them answer, compared with the first one alone.
 */
async function restartFrom(
  thread: EngineThread,
  country: CountryRoads,
  of: { threads: number; queries: readonly Query[] },
): Promise<Record<string, number>> {
  const { graph, files } = country;
  const place = { file: path.join(path.dirname(files.cells), 'orders.index'), database: 'bench' };
  const saveBeganAt = performance.now();
  await thread.save(place, { seq: 1 });
  const saveSeconds = rounded((performance.now() - saveBeganAt) / 1000);
  const beganAt = performance.now();
  const next = await startEngine({ shared: { graph, lands: [] }, files }, of.threads);
  if ((await next.load(place)) === null) throw new Error('the index does not read its own file');
  const { rides } = await next.census();
  const restartSeconds = rounded((performance.now() - beganAt) / 1000);
  if (rides !== (await thread.census()).rides) throw new Error('the index from the file is not whole');
  const together = of.threads === 1 ? {} : await askedAtOnce({ one: thread, several: next }, of);
  await next.close();
  const { size } = await stat(place.file);
  await rm(place.file);
  return { saveSeconds, restartSeconds, snapshotMb: Math.round(size / 1e6), ...together };
}

/** Questions a second of one thread and of several, each with four open for each thread. */
async function askedAtOnce(
  engines: Record<'one' | 'several', Pick<EngineThread, 'ask'>>,
  { threads, queries }: { threads: number; queries: readonly Query[] },
): Promise<Record<string, number>> {
  const perSecond = async (engine: Pick<EngineThread, 'ask'>): Promise<number> => {
    const left = [...queries];
    const askOn = async () => {
      for (let query = left.pop(); query !== undefined; query = left.pop())
        await engine.ask({ kind: 'ridesFor', ...query, asker });
    };
    const beganAt = performance.now();
    await Promise.all(Array.from({ length: 4 * threads }, askOn));
    return rounded(queries.length / ((performance.now() - beganAt) / 1000));
  };
  say(`Asking ${queries.length} questions at once, of one thread and of ${threads} …`);
  // The first round of each is not counted: what it reaches for is in memory then.
  for (const engine of [engines.one, engines.several]) await perSecond(engine);
  const [one, several] = [await perSecond(engines.one), await perSecond(engines.several)];
  return { threads, oneThreadPerSecond: one, threadsPerSecond: several };
}

const asker = { nowMs: startMs - 60_000, hidden: [], most: 500, nearMisses: 0 };

/** Draws `count` offers and hands them to the index. @returns them all, serialized */
async function drawOffers(
  drawRide: () => RideEntry,
  offers: number,
  thread: EngineThread,
): Promise<Buffer[]> {
  // Stored as bytes: a heap of a million objects would stop this thread now and then, which no server's does.
  const drawn: Buffer[] = [];
  let taken: Promise<unknown> = Promise.resolve();
  let saidAt = performance.now();
  for (let count = 0; count < offers;) {
    const some = Array.from({ length: Math.min(offersAtOnce, offers - count) }, () => drawRide());
    count += some.length;
    drawn.push(serialize(some));
    // One batch is drawn while the one before is taken in.
    await taken;
    thread.take(some.map((ride) => ({ kind: 'ride', ride })));
    taken = thread.census();
    if (performance.now() - saidAt < 10_000) continue;
    saidAt = performance.now();
    say(`  ${count.toLocaleString('en')}`);
  }
  return drawn;
}

/**
 * Asks each question, and the first 200 once more with what almost fits. The loop's delay is that of the
 * asking thread.
 */
async function askAll(thread: EngineThread, queries: readonly Query[]) {
  const ask = ({ wish, offerCents }: Query, nearMisses = 0) =>
    thread.ask({ kind: 'ridesFor', wish, offerCents, asker: { ...asker, nearMisses } });
  for (const query of queries.slice(0, 50)) await ask(query);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const answers: { answer: Answer; tookMs: number; thereAndBackMs: number }[] = [];
  for (const query of queries) {
    const beganAt = performance.now();
    const { answer, tookMs } = await ask(query);
    answers.push({ answer, tookMs, thereAndBackMs: performance.now() - beganAt });
  }
  delay.disable();
  const nearMs: number[] = [];
  for (const query of queries.slice(0, 200)) {
    const beganAt = performance.now();
    await ask(query, 25);
    nearMs.push(performance.now() - beganAt);
  }
  return { answers, nearMs, loopDelayP99Ms: rounded(delay.percentile(99) / 1e6) };
}

/** How long the answers took, there and back and in the index's thread, and how many rides they came from. */
function figuresOf(
  answers: Awaited<ReturnType<typeof askAll>>['answers'],
  nearMs: readonly number[],
): Record<string, number> {
  const mean = (of: (answer: Answer) => number) =>
    rounded(answers.reduce((sum, { answer }) => sum + of(answer), 0) / answers.length);
  const times = answers.map(({ thereAndBackMs }) => thereAndBackMs);
  const inThread = answers.map(({ tookMs }) => tookMs);
  return {
    p50Ms: rounded(percentile(times, 0.5)),
    p99Ms: rounded(percentile(times, 0.99)),
    maxMs: rounded(Math.max(...times)),
    threadP50Ms: rounded(percentile(inThread, 0.5)),
    threadP99Ms: rounded(percentile(inThread, 0.99)),
    nearMissesP50Ms: rounded(percentile(nearMs, 0.5)),
    nearMissesP99Ms: rounded(percentile(nearMs, 0.99)),
    survivorsMean: mean(({ survivors }) => survivors),
    feasibleMean: mean(({ publicCount, restrictedCount }) => publicCount + restrictedCount),
  };
}

/** The differences between the index's answers and trying everything. */
async function compare(
  thread: EngineThread,
  queries: readonly Query[],
  everyFitOf: (query: Query) => Map<string, number>,
  most: number,
) {
  const wrong = { missed: 0, extra: 0, detourMismatches: 0, checkedPairs: 0 };
  for (const query of queries) {
    const { answer } = await thread.ask({
      kind: 'ridesFor',
      ...query,
      asker: { ...asker, most },
    });
    const found = new Map(answer.hits.map(({ id, choice }) => [id, choice.detourMs]));
    const expected = everyFitOf(query);
    wrong.checkedPairs += expected.size;
    for (const [id, detourMs] of expected) {
      if (!found.has(id)) wrong.missed++;
      else if (found.get(id) !== detourMs) wrong.detourMismatches++;
    }
    for (const id of found.keys()) if (!expected.has(id)) wrong.extra++;
  }
  return wrong;
}

/**
 * All rides that fit, by trying. Rides that are not on the road in the passenger's time at all are not tried.
 */
function everyFit(
  { network }: Demand,
  drawn: readonly Buffer[],
  { wish, offerCents }: Query,
): Map<string, number> {
  const spots = (list: readonly Spot[]) =>
    list
      .filter(({ walkMetres }, index) => index === 0 || walkMetres <= wish.walkMetres)
      .map((spot) => ({ point: network.snap(spot)!, walkMs: spot.walkMs }));
  const [pickups, dropoffs] = [spots(wish.pickups), spots(wish.dropoffs)];
  // One search from and to each meeting point answers all questions of it.
  const from = new Map<RoadPoint, (to: RoadPoint) => Travel | null>();
  const to = new Map<RoadPoint, (from: RoadPoint) => Travel | null>();
  for (const { point } of [...pickups, ...dropoffs]) {
    from.set(point, network.travelFrom(point));
    to.set(point, network.travelTo(point));
  }
  const found = new Map<string, number>();
  for (const ride of eachOf(drawn)) {
    const { plan } = ride;
    if (plan.earliestDepartsMs > wish.latestMs) continue;
    if (plan.latestDepartsMs + plan.aloneMs + plan.maxDetourMs < wish.earliestMs) continue;
    if (!withinOffer(shareCents(ride, wish.seats, ride.joinedSeats), wish.seats, offerCents)) continue;
    const points = plan.stops.map((stop) => network.snap(stop)!);
    const legs = new Map(
      points.slice(0, -1).map((point, i) => [
        point,
        {
          to: points[i + 1],
          travel: { milliseconds: freeMs(plan.stops[i]!.toNextMs, plan), metres: 0, estimated: false },
        },
      ]),
    );
    const travel = (a: RoadPoint, b: RoadPoint): Travel | null => {
      const leg = legs.get(a);
      if (leg?.to === b) return leg.travel;
      return from.get(a)?.(b) ?? to.get(b)?.(a) ?? null;
    };
    const extra = tryEverything(bruteRide(ride, points), { ...wish, pickups, dropoffs }, travel);
    if (extra !== null) found.set(ride.id, extra);
  }
  return found;
}

/**
 * Computes the free-flow time of a drive that takes `ms` in a plan's traffic; both are milliseconds. Traffic
 * rounds up and never shortens, so that there is one.
 */
const freeMs = (ms: number, { trafficPermille }: RideEntry['plan']): number =>
  Math.floor((ms * freePermille) / trafficPermille);

function* eachOf(drawn: readonly Buffer[]): Generator<RideEntry> {
  for (const some of drawn) yield* deserialize(some) as RideEntry[];
}

function bruteRide({ plan }: RideEntry, points: readonly RoadPoint[]): BruteRide {
  let taken = 0;
  return {
    stops: plan.stops.map((stop, i) => {
      const seatsChange = stop.seatsTaken - taken;
      taken = stop.seatsTaken;
      const { standsMs, earliestMs, latestMs } = stop;
      return { point: points[i]!, standsMs, earliestMs, latestMs, seatsChange };
    }),
    seats: plan.seats,
    earliestDepartsMs: plan.earliestDepartsMs,
    latestDepartsMs: plan.latestDepartsMs,
    trafficPermille: plan.trafficPermille,
    aloneMs: plan.aloneMs,
    maxDetourMs: plan.maxDetourMs,
  };
}
