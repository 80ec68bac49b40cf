import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { greatCircleMetres, type LonLat } from '../roads/graph/geometry.ts';
import { createRoadNetwork } from '../roads/graph/graph-network.ts';
import { COORDINATE_DEGREES, round7 } from '../roads/graph/graph.ts';
import { loadRoadGraph } from '../roads/graph/load.ts';
import type { RoadNetwork, RoadPoint } from '../roads/graph/network.ts';
import type { WalkGraph } from '../roads/walk/walk-graph.ts';
import { loadWalkGraph } from '../roads/walk/walk-load.ts';
import { createWalkNetwork, type MeetingPoint, type WalkNetwork } from '../roads/walk/walk-network.ts';
import { percentile, rounded, say } from './bench-app.ts';

const doors = 300;
const endsPerDoor = 24;
const limitMetres = 600;
const counts = [4, 6, 8, 10];
/** As many as the server asks for. */
const mostInUse = 8;
const apartMetres = 100;
/** A driver whose detour is shorter than this makes none. */
const shortestTripMs = 180_000;

type Rule = (at: LonLat, all: readonly MeetingPoint[], most: number) => readonly MeetingPoint[];

/**
 * The value of meeting points for drivers: how much less they drive to the best place within the passenger's
 * walk than to the door, and how much of that the few chosen places lose against all places (the regret).
 * Trips are drawn by seed, and counted when product.md section 5 would let the driver come to the door.
 */
export async function benchMeetingPoints(options: {
  pbf?: string;
  seed?: string;
}): Promise<Record<string, unknown>> {
  const pbfFile = options.pbf ?? 'regions/santa-cruz/roads.osm.pbf';
  const cacheFolder = mkdtempSync(join(tmpdir(), 'sameway-walks-'));
  try {
    say(`Building the roads and paths of ${pbfFile} …`);
    const roads = await loadRoadGraph({ pbfFile, cacheFolder });
    const network = createRoadNetwork(roads);
    const startedAt = performance.now();
    const graph = await loadWalkGraph({ pbfFiles: [pbfFile], roads, cacheFolder });
    const buildSeconds = rounded((performance.now() - startedAt) / 1000);
    const walks = createWalkNetwork(graph);
    const draw = drawerOf(graph, Number(options.seed ?? 1));
    say('Measuring …');
    const places = Array.from({ length: doors }, draw);
    return {
      paths: graph.pieceFrom.length,
      stops: graph.stopRank.length,
      buildSeconds,
      reachMicros: medianMicros(places, (at) => walks.reach(at, limitMetres)),
      meetingPointsMicros: medianMicros(places, (at) => walks.meetingPoints(at, limitMetres, mostInUse)),
      lineMicros: medianMicros(places, (at) => {
        const point = walks.meetingPoints(at, limitMetres, mostInUse).at(-1);
        if (point) walks.line(at, point);
      }),
      ...measureRegret({ network, walks, rules: rulesOf(walks, graph) }, places, draw),
    };
  } finally {
    rmSync(cacheFolder, { recursive: true, force: true });
  }
}

function rulesOf(walks: WalkNetwork, graph: WalkGraph): Record<string, Rule> {
  const ranks = new Map<string, number>();
  graph.stopRank.forEach((rank, stop) => ranks.set(keyOf(stopAt(graph, stop)), rank));
  const inTurn: Rule = (_, ordered, most) => {
    const taken: MeetingPoint[] = [];
    for (const point of ordered) {
      if (taken.length < most && taken.every((other) => greatCircleMetres(other, point) >= apartMetres))
        taken.push(point);
    }
    return taken;
  };
  return {
    ours: (at, _, most) => walks.meetingPoints(at, limitMetres, most),
    'farthest apart, all roads alike': (at, all, most) => {
      const taken: MeetingPoint[] = [];
      const apart = (point: MeetingPoint) =>
        Math.min(...[at, ...taken].map((other) => greatCircleMetres(other, point)));
      while (taken.length < Math.min(most, all.length))
        taken.push(all.reduce((best, point) => (apart(point) > apart(best) ? point : best)));
      return taken;
    },
    'main roads first': (at, all, most) =>
      inTurn(
        at,
        all.toSorted((a, b) => ranks.get(keyOf(a))! - ranks.get(keyOf(b))!),
        most,
      ),
    'nearest first': inTurn,
  };
}

function measureRegret(
  { network, walks, rules }: { network: RoadNetwork; walks: WalkNetwork; rules: Record<string, Rule> },
  places: readonly LonLat[],
  draw: () => LonLat,
): Record<string, unknown> {
  const savedSeconds: number[] = [];
  const candidates: number[] = [];
  const walkMetres: number[] = [];
  const regrets = new Map<string, number[]>();
  for (const at of places) {
    const door = network.snap(at);
    const all = walks.reach(at, limitMetres);
    if (!door || all.length === 0) continue;
    candidates.push(all.length);
    const index = new Map(all.map((point, i) => [keyOf(point), i]));
    const chosen = Object.entries(rules).flatMap(([name, rule]) =>
      counts.map((most) => ({
        name: `${name}, ${most}`,
        indices: rule(at, all, most).map((point) => index.get(keyOf(point))!),
      })),
    );
    for (const { toDoor, toPoint } of detoursBy(network, door, all, draw)) {
      const best = Math.min(toDoor, ...toPoint);
      savedSeconds.push((toDoor - best) / 1000);
      for (const { name, indices } of chosen) {
        const found = Math.min(toDoor, ...indices.map((i) => toPoint[i]!));
        if (name === `ours, ${mostInUse}`)
          walkMetres.push(all[indices.find((i) => toPoint[i] === found) ?? -1]?.walkMetres ?? 0);
        const list = regrets.get(name) ?? [];
        regrets.set(name, list);
        list.push((found - best) / 1000);
      }
    }
  }
  return {
    trips: savedSeconds.length,
    candidatesMean: rounded(mean(candidates)),
    savedSecondsMean: rounded(mean(savedSeconds)),
    walkMetresMean: Math.round(mean(walkMetres)),
    regretSeconds: Object.fromEntries(
      [...regrets].map(([name, seconds]) => [
        name,
        { mean: rounded(mean(seconds)), p95: rounded(percentile(seconds, 0.95)) },
      ]),
    ),
  };
}

/**
 * Whole drives in milliseconds through the door and through each place, for the drawn trips that could serve
 * the door.
 */
function* detoursBy(
  network: RoadNetwork,
  door: RoadPoint,
  all: readonly LonLat[],
  draw: () => LonLat,
): Generator<{ toDoor: number; toPoint: number[] }> {
  const stops = [...all.map((point) => network.snap(point)!), door];
  const ends = () => Array.from({ length: endsPerDoor }, () => network.snap(draw())!);
  const [starts, goals] = [ends(), ends()];
  const before = network.manyToMany(starts, [...stops, ...goals]);
  const after = network.manyToMany(stops, goals);
  for (const row of before) {
    for (let g = 0; g < goals.length; g++) {
      const alone = row[stops.length + g]?.milliseconds ?? Infinity;
      const by = stops.map(
        (_, s) => (row[s]?.milliseconds ?? Infinity) + (after[s]![g]?.milliseconds ?? Infinity),
      );
      const toDoor = by.pop()!;
      const mostDetour = Math.max(600_000, Math.min(2_700_000, alone * 0.2));
      if (alone >= shortestTripMs && toDoor - alone <= mostDetour) yield { toDoor, toPoint: by };
    }
  }
}

/** Draws places about the roads of the region, the same ones for the same seed. */
function drawerOf(graph: WalkGraph, seed: number): () => LonLat {
  let state = seed >>> 0;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return () => {
    const { lon, lat } = stopAt(graph, Math.floor(random() * graph.stopRank.length));
    return { lon: lon + (random() - 0.5) * 0.001, lat: lat + (random() - 0.5) * 0.001 };
  };
}

function stopAt({ stopPoints }: WalkGraph, stop: number): LonLat {
  return {
    lon: round7(stopPoints[2 * stop]! * COORDINATE_DEGREES),
    lat: round7(stopPoints[2 * stop + 1]! * COORDINATE_DEGREES),
  };
}

const keyOf = ({ lon, lat }: LonLat): string => `${lon},${lat}`;
const mean = (figures: readonly number[]): number =>
  figures.reduce((sum, figure) => sum + figure, 0) / figures.length;

function medianMicros(places: readonly LonLat[], work: (at: LonLat) => unknown): number {
  const tookMs = [...places, ...places, ...places].map((at) => {
    const startedAt = performance.now();
    work(at);
    return performance.now() - startedAt;
  });
  return rounded(percentile(tookMs, 0.5) * 1000);
}
