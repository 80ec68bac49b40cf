import { buildRoadGraph } from '../roads/build/build.ts';
import { readRoadData } from '../roads/build/extract.ts';
import { createRoadNetwork } from '../roads/graph/graph-network.ts';
import { completeGraph, type RoadGraph } from '../roads/graph/graph.ts';
import type { RoadNetwork, RoadPoint } from '../roads/graph/network.ts';
import { textbookLabels, textbookTravel } from '../roads/testing/textbook.ts';
import { percentile, rounded, say } from './bench-app.ts';
import { withValhalla, type TableQuestion } from './roads/valhalla.ts';
import { valhallaAlgorithms } from './roads/valhalla-config.ts';

const pointCount = 1_000;
const checkedSources = 20;
/** Shorter drives say more of where a point is set on the road than of the roads. */
const comparableMs = 120_000;

type Table = { from: RoadPoint[]; to: RoadPoint[] };

/**
 * Measures the road network: its building and its answers, whether it answers as a textbook Dijkstra does,
 * and how far its times and its speed are from Valhalla's on the same extract in the same run. Times are
 * medians.
 */
export async function benchRoads(options: { pbf?: string; seed?: string }): Promise<Record<string, unknown>> {
  const pbfFile = options.pbf ?? 'regions/santa-cruz/roads.osm.pbf';
  const random = randomBySeed(Number(options.seed ?? 1));
  say(`Building the roads of ${pbfFile} …`);
  const startedAt = performance.now();
  const graph = completeGraph(buildRoadGraph(await readRoadData(pbfFile)));
  const buildSeconds = rounded((performance.now() - startedAt) / 1000);
  const rssMb = Math.round(process.resourceUsage().maxRSS / 1024);
  const network = createRoadNetwork(graph);

  say('Measuring …');
  const { points, snapMicros } = drawPoints(network, random);
  const pick = (count: number) =>
    Array.from({ length: count }, () => points[Math.floor(random() * points.length)]!);
  const pairs = Array.from({ length: 3_000 }, () => pick(2) as [RoadPoint, RoadPoint]);
  const hundreds: Table[] = Array.from({ length: 60 }, () => ({ from: pick(1), to: pick(100) }));
  const fifties: Table[] = Array.from({ length: 20 }, () => ({ from: pick(50), to: pick(50) }));
  const pairMs = medianMs(pairs, ([from, to]) => network.travel(from, to));
  const oneTo100Ms = medianMs(hundreds, ({ from, to }) => network.oneToMany(from[0]!, to));
  const oneTo100SnappingMs = medianMs(hundreds, ({ from, to }) =>
    network.oneToMany(
      network.snap(from[0]!)!,
      to.map((point) => network.snap(point)!),
    ),
  );
  const fifty50Ms = medianMs(fifties, ({ from, to }) => network.manyToMany(from, to));

  say('Comparing with a textbook Dijkstra …');
  const dijkstraMismatches = countMismatches(graph, network, points);
  return {
    nodes: network.nodeCount,
    edges: network.edgeCount,
    buildSeconds,
    rssMb,
    snapMicros,
    pairMicros: rounded(pairMs * 1000),
    oneTo100Ms,
    oneTo100SnappingMs,
    fifty50Ms,
    dijkstraPairs: checkedSources * points.length,
    dijkstraMismatches,
    valhalla: await besideValhalla(pbfFile, network, hundreds, fifties),
  };
}

/** Random points on roads inside the region. */
function drawPoints(network: RoadNetwork, random: () => number) {
  const [west, south, east, north] = network.bounds;
  const points: RoadPoint[] = [];
  const tookMs: number[] = [];
  while (points.length < pointCount) {
    const at = { lon: west + (east - west) * random(), lat: south + (north - south) * random() };
    const startedAt = performance.now();
    const point = network.snap(at);
    if (point === null || point.estimated) continue;
    tookMs.push(performance.now() - startedAt);
    points.push(point);
  }
  return { points, snapMicros: rounded(percentile(tookMs, 0.5) * 1000) };
}

/**
 * The pairs on which any face of the network differs from a textbook Dijkstra in a millisecond or a metre.
 */
function countMismatches(graph: RoadGraph, network: RoadNetwork, points: readonly RoadPoint[]): number {
  const labels = points.map((point) => network.label(point, 'to'));
  let mismatches = 0;
  for (const from of points.slice(0, checkedSources)) {
    const expected = textbookLabels(graph, from);
    const travelFrom = network.travelFrom(from);
    const many = network.oneToMany(from, points);
    const [row] = network.manyToMany([from], points);
    const label = network.label(from, 'from');
    for (const [i, to] of points.entries()) {
      const right = textbookTravel(graph, expected, from, to);
      const answers = [
        network.travel(from, to),
        travelFrom(to),
        many[i],
        row![i],
        network.meet(label, labels[i]!),
      ];
      const agree = answers.every(
        (answer) => answer?.milliseconds === right?.milliseconds && answer?.metres === right?.metres,
      );
      if (!agree) mismatches++;
    }
  }
  return mismatches;
}

/**
 * Valhalla's figures for the same tables: the quicker of its algorithms for each, and our times as a share of
 * its.
 */
async function besideValhalla(pbfFile: string, network: RoadNetwork, hundreds: Table[], fifties: Table[]) {
  return withValhalla(pbfFile, async (ask) => {
    const measured = [];
    for (const algorithm of valhallaAlgorithms) {
      say(`Asking Valhalla (${algorithm}) …`);
      const tables = [...hundreds, ...fifties].map(asQuestion);
      const answers = await ask(algorithm, { warmUp: tables.slice(0, 5), tables });
      const tookMs = answers.map((answer) => answer.tookMs);
      const ratios = [...hundreds, ...fifties].flatMap((table, i) =>
        timeRatios(network.manyToMany(table.from, table.to), answers[i]!.seconds),
      );
      measured.push({
        algorithm,
        oneTo100Ms: rounded(percentile(tookMs.slice(0, hundreds.length), 0.5)),
        fifty50Ms: rounded(percentile(tookMs.slice(hundreds.length), 0.5)),
        timeRatioP10: rounded(percentile(ratios, 0.1)),
        timeRatioP50: rounded(percentile(ratios, 0.5)),
        timeRatioP90: rounded(percentile(ratios, 0.9)),
        comparedPairs: ratios.length,
        refusedTables: answers.filter(({ seconds }) => seconds.length === 0).length,
      });
    }
    const { timeRatioP10, timeRatioP50, timeRatioP90 } = measured[0]!;
    return {
      oneTo100Ms: Math.min(...measured.map((figures) => figures.oneTo100Ms)),
      fifty50Ms: Math.min(...measured.map((figures) => figures.fifty50Ms)),
      timeRatioP10,
      timeRatioP50,
      timeRatioP90,
      byAlgorithm: measured,
    };
  });
}

function asQuestion({ from, to }: Table): TableQuestion {
  const place = ({ lon, lat }: RoadPoint) => ({ lon, lat });
  return { from: from.map(place), to: to.map(place) };
}

function timeRatios(ours: ReturnType<RoadNetwork['manyToMany']>, theirs: (number | null)[][]): number[] {
  return ours.flatMap((row, i) =>
    row.flatMap((travel, j) => {
      const seconds = theirs[i]?.[j] ?? null;
      if (travel === null || seconds === null || seconds * 1000 < comparableMs) return [];
      return [travel.milliseconds / 1000 / seconds];
    }),
  );
}

/** Median milliseconds of doing something to each item, after a first round that is not counted. */
function medianMs<T>(items: readonly T[], work: (item: T) => unknown): number {
  for (const item of items) work(item);
  const tookMs = items.map((item) => {
    const startedAt = performance.now();
    work(item);
    return performance.now() - startedAt;
  });
  return Math.round(percentile(tookMs, 0.5) * 1e4) / 1e4;
}

/** Numbers 0 … 1 that a seed repeats (mulberry32 by Tommy Ettinger, public domain). */
function randomBySeed(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
