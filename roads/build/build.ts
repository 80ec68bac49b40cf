import { directedEdges, type Edge } from './edges.ts';
import type { RoadData } from './extract.ts';
import { boundsAround, METRES_PER_DEGREE, metresPerDegreeLon } from '../graph/geometry.ts';
import { NO_PART, type RoadGraphData } from '../graph/graph.ts';
import { arraysOf, sharedUint32, type Turns } from './graph-arrays.ts';
import { linksBetween, type Gateway } from './links.ts';
import type { OsmNode } from './osm.ts';
import { mergeRoads, type MergedRoads, type PackRoads } from './packs.ts';
import { findParts } from './parts.ts';
import { blocksCars, GATEWAY_RANK } from './profile.ts';
import { cutSegments } from './segments.ts';
import { expectedSignalDelays } from './signals.ts';
import {
  DEAD_END_TURN_MS,
  mayTurnRound,
  nodeDelay,
  RESIDENTS_ENTRY_MS,
  turnDelay,
  TurnRestrictions,
  U_TURN_MS,
  YIELD_MS,
} from './turns.ts';
import { restrictedCopies } from './via-ways.ts';

/**
 * Builds the road graph of one extract: directed edges between junctions, the permitted turns with their
 * costs, reduced to the largest part in which everything reaches everything, and the stubs by which the main
 * roads leave and enter it.
 * @param drivesOnLeft whether traffic keeps left.
 * @throws when the data holds no drivable road.
 */
export function buildRoadGraph(data: RoadData, { drivesOnLeft = false } = {}): RoadGraphData {
  return buildSharedGraph([{ data, drivesOnLeft }]);
}

/**
 * One road graph over several extracts: of each its largest part, and between parts that no road joins the
 * links with the estimated drive from one to the other (links.ts).
 * @throws when none of them holds a drivable road.
 */
export function buildSharedGraph(packs: readonly PackRoads[]): RoadGraphData {
  const merged = mergeRoads(packs);
  const { segments, borderNodes } = cutSegments(merged);
  const edges = directedEdges(segments);
  if (edges.length === 0) throw new Error('the extract holds no road that a car may use');
  const turns = permittedTurns(edges, new TurnRestrictions(merged.restrictions), merged);
  const isMain = ({ segment }: Edge) => segment.road.rank <= GATEWAY_RANK;
  const { parts, partOf, inCore } = findParts(turns, {
    packCount: merged.packs.length,
    packsOf: (e) => merged.packsOf(edges[e]!.tail.id),
    exits: edges.flatMap((edge, e) => (isMain(edge) && borderNodes.has(edge.head.id) ? [e] : [])),
    entries: edges.flatMap((edge, e) => (isMain(edge) && borderNodes.has(edge.tail.id) ? [e] : [])),
  });
  const kept = edges.flatMap((_, e) => (partOf[e] === NO_PART ? [] : [e]));
  const gateways = parts.map(({ exits, entries }) => ({
    exits: exits.map((edge): Gateway => ({ edge, at: edges[edge]!.head })),
    entries: entries.map((edge): Gateway => ({ edge, at: edges[edge]!.tail })),
  }));
  const links = gateways.flatMap(({ exits }, from) =>
    gateways.flatMap(({ entries }, to) => (from === to ? [] : linksBetween(exits, entries))),
  );
  const packBounds = merged.packs.map(({ bounds }) => bounds);
  return {
    ...arraysOf(edges, turns, { kept, partOf, inCore, links }),
    exitEdges: renumberedIn(
      kept,
      parts.flatMap(({ exits }) => exits),
    ),
    entryEdges: renumberedIn(
      kept,
      parts.flatMap(({ entries }) => entries),
    ),
    bounds: boundsAround(packBounds),
    packBounds,
  };
}

/** The positions of edges in a list that some edges were removed from, ascending, each once. */
function renumberedIn(kept: readonly number[], edges: readonly number[]): Uint32Array {
  const wanted = new Set(edges);
  return sharedUint32(kept.flatMap((e, i) => (wanted.has(e) ? [i] : [])));
}

/**
 * The turns from each edge into the next ones, with their cost in milliseconds. Adds the edges that turn
 * restrictions over a way need.
 */
function permittedTurns(
  edges: Edge[],
  restrictions: TurnRestrictions,
  { packs, packsOf }: MergedRoads,
): Turns {
  const leaving = Map.groupBy(edges.keys(), (e) => edges[e]!.tail.id);
  const copies = restrictedCopies(edges, restrictions.overWays);
  edges.push(...copies.edges);
  const touching = new Map<number, Set<number>>();
  const mostImportant = new Map<number, number>();
  for (const { segment, index } of edges) {
    for (const { id } of [segment.nodes[0]!, segment.nodes.at(-1)!]) {
      const here = touching.get(id) ?? new Set();
      touching.set(id, here.add(index));
      mostImportant.set(id, Math.min(mostImportant.get(id) ?? Infinity, segment.road.rank));
    }
  }
  const expectedSignals = expectedSignalDelays(edges);
  const start = new Uint32Array(edges.length + 1);
  const to: number[] = [];
  const milliseconds: number[] = [];
  edges.forEach((edge, e) => {
    const { head } = edge;
    const next = leaving.get(head.id) ?? [];
    const roads = touching.get(head.id)!.size;
    const choices = next.map((n) => edges[n]!.segment.way);
    const { drivesOnLeft, mapsSignals } = packs[packsOf(head.id)[0]!]!;
    const delay = nodeDelay(head.tags) || (mapsSignals ? 0 : (expectedSignals.get(head.id) ?? 0));
    const facts = { roads, mostImportant: mostImportant.get(head.id)!, delay, drivesOnLeft };
    const blocked = head.tags !== undefined && blocksCars(head.tags);
    for (const n of next) {
      const isUTurn = n === edge.reverse;
      if (blocked && !isUTurn) continue;
      const way = edges[n]!.segment.way;
      if (!restrictions.allows(head.id, { from: edge.segment.way, to: way, isUTurn }, choices)) continue;
      if (!copies.allows(e, way, choices)) continue;
      const isDeadEnd = next.length === 1 || blocked;
      if (isUTurn && !isDeadEnd && !mayTurnRound(edge.segment.road.rank, roads)) continue;
      to.push(copies.entered(e, n));
      milliseconds.push(
        isUTurn ? (isDeadEnd ? DEAD_END_TURN_MS : U_TURN_MS) : turnMilliseconds(edge, edges[n]!, facts),
      );
    }
    start[e + 1] = to.length;
  });
  return { start, to: Uint32Array.from(to), milliseconds: Uint32Array.from(milliseconds) };
}

interface JunctionFacts {
  /** How many pieces of road meet. */
  roads: number;
  /** The rank of the most important of them. */
  mostImportant: number;
  /** Milliseconds lost on average to a signal or a sign. */
  delay: number;
  drivesOnLeft: boolean;
}

function turnMilliseconds(
  from: Edge,
  to: Edge,
  { roads, mostImportant, delay, drivesOnLeft }: JunctionFacts,
): number {
  const entry = to.segment.road.residentsOnly && !from.segment.road.residentsOnly ? RESIDENTS_ENTRY_MS : 0;
  if (roads < 3) return entry + delay;
  const yields = delay === 0 && mostImportant < from.segment.road.rank - 1 ? YIELD_MS : 0;
  return entry + delay + yields + turnDelay(turnDegrees(from, to) * (drivesOnLeft ? -1 : 1));
}

/** How far a turn bends, -180 … 180 degrees, positive to the right. */
function turnDegrees(from: Edge, to: Edge): number {
  const before = alongEdge(from);
  const after = alongEdge(to);
  const change = heading(after[0]!, after[1]!) - heading(before.at(-2)!, before.at(-1)!);
  return ((change + 540) % 360) - 180;
}

function alongEdge({ segment, against }: Edge): OsmNode[] {
  return against ? segment.nodes.toReversed() : segment.nodes;
}

function heading(a: OsmNode, b: OsmNode): number {
  const x = (b.lon - a.lon) * metresPerDegreeLon(a.lat);
  const y = (b.lat - a.lat) * METRES_PER_DEGREE;
  return (Math.atan2(x, y) * 180) / Math.PI;
}
