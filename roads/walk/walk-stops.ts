import { METRES_PER_DEGREE, metresPerDegreeLon, type LonLat } from '../graph/geometry.ts';
import { edgeLine, PICK_UP, round7, type RoadGraph } from '../graph/graph.ts';
import { RoadIndex } from '../search/snap.ts';

/** A place on a road where a car may stop for a passenger. */
export interface Stop extends LonLat {
  streetName: string | null;
}

/** A car stops this far from a junction: clear of its corner, and its road already chosen. */
const CLEAR_OF_JUNCTION_METRES = 30;
/** A road shorter than this lies within a junction. */
const SHORTEST_ROAD_METRES = 20;
/** The longest distance between stops along a road without junctions. */
const SPACING_METRES = 150;
/**
 * How often a point is snapped again until it stays in place: rounding to seven decimals moves it slightly.
 */
const SNAP_TRIES = 8;

/**
 * The places where a car may stop: on every road where people may be picked up, 30 meters from its junctions
 * and at least every 150 meters between, in the middle of a road shorter than 90, none on one shorter than
 * 20. Snapping such a place returns exactly that place.
 */
export function* stopsAlong(roads: RoadGraph): Generator<Stop> {
  const index = new RoadIndex(roads);
  const edges = new Map<number, number>();
  for (let e = 0; e < roads.edgeCount; e++) {
    const shape = roads.edgeShape[e]! >> 1;
    if (roads.edgeFlags[e]! & PICK_UP && !edges.has(shape)) edges.set(shape, e);
  }
  for (const [shape, edge] of edges) {
    const line = edgeLine(roads, edge);
    const along = lengthsAlong(line);
    for (const metres of spacedOut(along.at(-1)!)) {
      const stop = settle(roads, index, shape, pointAt(line, along, metres));
      if (stop) yield stop;
    }
  }
}

function spacedOut(metres: number): number[] {
  if (metres < SHORTEST_ROAD_METRES) return [];
  const inner = metres - 2 * CLEAR_OF_JUNCTION_METRES;
  if (inner < CLEAR_OF_JUNCTION_METRES) return [metres / 2];
  const gaps = Math.ceil(inner / SPACING_METRES);
  return Array.from({ length: gaps + 1 }, (_, i) => CLEAR_OF_JUNCTION_METRES + (inner * i) / gaps);
}

/** The place as the road network snaps it, or null where it snaps to another road. */
function settle(roads: RoadGraph, index: RoadIndex, shape: number, start: LonLat): Stop | null {
  let at = start;
  for (let tries = 0; tries < SNAP_TRIES; tries++) {
    const snapped = index.nearest(at, 1);
    if (!snapped || roads.edgeShape[snapped.arrivals[0]!.edge]! >> 1 !== shape) return null;
    if (snapped.lon === at.lon && snapped.lat === at.lat) return { ...at, streetName: snapped.streetName };
    at = { lon: snapped.lon, lat: snapped.lat };
  }
  return null;
}

type Line = [lon: number, lat: number][];

function lengthsAlong(line: Line): number[] {
  const kx = metresPerDegreeLon(line[0]![1]);
  const along = [0];
  for (let i = 1; i < line.length; i++) {
    const [[ax, ay], [bx, by]] = [line[i - 1]!, line[i]!];
    along.push(along[i - 1]! + Math.hypot((bx - ax) * kx, (by - ay) * METRES_PER_DEGREE));
  }
  return along;
}

function pointAt(line: Line, along: number[], metres: number): LonLat {
  const i = along.findIndex((length) => length >= metres);
  const [[ax, ay], [bx, by]] = [line[i - 1]!, line[i]!];
  const t = (metres - along[i - 1]!) / (along[i]! - along[i - 1]!);
  return { lon: round7(ax + (bx - ax) * t), lat: round7(ay + (by - ay) * t) };
}
