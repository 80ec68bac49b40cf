import type { LonLat } from '../graph/geometry.ts';
import { round7, COORDINATE_DEGREES } from '../graph/graph.ts';
import { IndexedHeap } from '../search/heap.ts';
import { chooseStops, type ReachedStop } from './walk-choice.ts';
import type { WalkGraph } from './walk-graph.ts';
import { WalkIndex, type PathPoint } from './walk-index.ts';
import { drawWalk, type WalkStretch } from './walk-line.ts';

/** A place on a road where a passenger may meet the car. `RoadNetwork.snap` returns this exact point. */
export interface MeetingPoint extends LonLat {
  /** The shortest walk, in whole meters, rounded up. */
  walkMetres: number;
  streetName: string | null;
}

/** The shortest walk between two places. */
export interface Walk {
  /** Rounded up. */
  metres: number;
  line: [lon: number, lat: number][];
}

/**
 * The paths that people walk and the places where cars may stop for them. Lengths are whole decimeters, so
 * that every answer equals a textbook Dijkstra's. A straight line joins a place off the paths to the nearest
 * one.
 */
export interface WalkNetwork {
  /** All places within a walk of `limitMetres` where a car may stop, nearest first. */
  reach(at: LonLat, limitMetres: number): MeetingPoint[];
  /** At most `most` of them, those that serve drivers best, nearest first; the rule is `chooseStops`'s. */
  meetingPoints(at: LonLat, limitMetres: number, most: number): MeetingPoint[];
  /** The shortest walk, or null where there is none within ten kilometers. */
  line(from: LonLat, to: LonLat): Walk | null;
}

/** The longest walk that is drawn. */
const LINE_LIMIT_METRES = 10_000;
/** A place half a decimeter off a path counts as on it. */
const HALF_DECIMETRE = 0.05;

/** The network over a built graph. One object serves one thread; several may share the graph's memory. */
export function createWalkNetwork(graph: WalkGraph): WalkNetwork {
  return new GraphWalkNetwork(graph);
}

class GraphWalkNetwork implements WalkNetwork {
  private readonly graph: WalkGraph;
  private readonly index: WalkIndex;
  private readonly heap: IndexedHeap;
  /**
   * Decimetres from the start to each junction and stop that the current search has reached, -1 elsewhere.
   */
  private readonly distance: Int32Array;
  private readonly stopDistance: Int32Array;
  /** The piece over which the search reached a junction, -1 from the start itself. */
  private readonly reachedBy: Int32Array;
  private touched: number[] = [];
  private touchedStops: number[] = [];

  constructor(graph: WalkGraph) {
    this.graph = graph;
    this.index = new WalkIndex(graph);
    const junctions = graph.linkStart.length - 1;
    this.heap = new IndexedHeap(junctions);
    this.distance = new Int32Array(junctions).fill(-1);
    this.reachedBy = new Int32Array(junctions).fill(-1);
    this.stopDistance = new Int32Array(graph.stopRank.length).fill(-1);
  }

  reach(at: LonLat, limitMetres: number): MeetingPoint[] {
    return this.stopsWithin(at, limitMetres).map((stop) => this.meetingPoint(stop));
  }

  meetingPoints(at: LonLat, limitMetres: number, most: number): MeetingPoint[] {
    const stops = this.stopsWithin(at, limitMetres);
    return chooseStops(at, stops, most).map((stop) => this.meetingPoint(stop));
  }

  line(from: LonLat, to: LonLat): Walk | null {
    const start = this.index.nearest(from, LINE_LIMIT_METRES);
    const end = start && this.index.nearest(to, LINE_LIMIT_METRES);
    if (!start || !end) return null;
    const { pieceFrom, pieceTo, pieceDecimetres } = this.graph;
    const [first, last] = [pieceFrom[end.piece]!, pieceTo[end.piece]!];
    this.walk(start, LINE_LIMIT_METRES * 10, (junction) => junction === first || junction === last);
    const ways = [
      { junction: first, rest: end.decimetres },
      { junction: last, rest: pieceDecimetres[end.piece]! - end.decimetres },
    ].flatMap(({ junction, rest }) =>
      this.distance[junction]! < 0 ? [] : [{ junction, decimetres: this.distance[junction]! + rest }],
    );
    if (start.piece === end.piece)
      ways.push({
        junction: -1,
        decimetres: offset(start) + Math.abs(start.decimetres - end.decimetres),
      });
    const best = ways.reduce<(typeof ways)[0] | null>(
      (least, way) => (least && least.decimetres <= way.decimetres ? least : way),
      null,
    );
    const stretches = best && this.stretches(start, end, best.junction);
    this.clear();
    if (!best || !stretches || best.decimetres + offset(end) > LINE_LIMIT_METRES * 10) return null;
    return {
      metres: Math.ceil((best.decimetres + offset(end)) / 10),
      line: drawWalk(this.graph, from, to, stretches),
    };
  }

  /** The stops within a walk, nearest first; equally far ones by their position. */
  private stopsWithin(at: LonLat, limitMetres: number): ReachedStop[] {
    const start = this.index.nearest(at, limitMetres + HALF_DECIMETRE);
    if (!start) return [];
    const { graph } = this;
    const limit = Math.floor(limitMetres * 10);
    for (let s = graph.stopStart[start.piece]!; s < graph.stopStart[start.piece + 1]!; s++) {
      this.reachStop(s, offset(start) + Math.abs(graph.stopDecimetres[s]! - start.decimetres), limit);
    }
    this.walk(start, limit, () => false);
    for (const junction of this.touched) {
      for (let i = graph.linkStart[junction]!; i < graph.linkStart[junction + 1]!; i++) {
        const piece = graph.linkPiece[i]!;
        for (let s = graph.stopStart[piece]!; s < graph.stopStart[piece + 1]!; s++) {
          const along = graph.stopDecimetres[s]!;
          if (graph.pieceFrom[piece] === junction) this.reachStop(s, this.distance[junction]! + along, limit);
          if (graph.pieceTo[piece] === junction)
            this.reachStop(s, this.distance[junction]! + graph.pieceDecimetres[piece]! - along, limit);
        }
      }
    }
    const stops = this.touchedStops.map((stop): ReachedStop => ({
      lon: round7(graph.stopPoints[2 * stop]! * COORDINATE_DEGREES),
      lat: round7(graph.stopPoints[2 * stop + 1]! * COORDINATE_DEGREES),
      walkDecimetres: this.stopDistance[stop]!,
      rank: graph.stopRank[stop]!,
      name: graph.stopName[stop]!,
    }));
    this.clear();
    return stops.toSorted((a, b) => a.walkDecimetres - b.walkDecimetres || a.lon - b.lon || a.lat - b.lat);
  }

  private reachStop(stop: number, decimetres: number, limit: number): void {
    if (decimetres > limit) return;
    const known = this.stopDistance[stop]!;
    if (known < 0) this.touchedStops.push(stop);
    if (known < 0 || decimetres < known) this.stopDistance[stop] = decimetres;
  }

  /**
   * Dijkstra's algorithm to every junction within a limit in decimeters, or until both ends of a goal are
   * finalized.
   */
  private walk(start: PathPoint, limit: number, isGoal: (junction: number) => boolean): void {
    const { heap, graph, distance } = this;
    const { linkStart, linkPiece, pieceFrom, pieceTo, pieceDecimetres } = graph;
    const near = offset(start);
    this.see(pieceFrom[start.piece]!, near + start.decimetres, -1, limit);
    this.see(pieceTo[start.piece]!, near + pieceDecimetres[start.piece]! - start.decimetres, -1, limit);
    let goals = 0;
    while (heap.size > 0) {
      const junction = heap.pop();
      if (isGoal(junction) && ++goals === 2) break;
      for (let i = linkStart[junction]!; i < linkStart[junction + 1]!; i++) {
        const piece = linkPiece[i]!;
        const other = pieceFrom[piece] === junction ? pieceTo[piece]! : pieceFrom[piece]!;
        this.see(other, distance[junction]! + pieceDecimetres[piece]!, piece, limit);
      }
    }
    heap.clear();
  }

  private see(junction: number, decimetres: number, piece: number, limit: number): void {
    if (decimetres > limit) return;
    const known = this.distance[junction]!;
    if (known >= 0 && known <= decimetres) return;
    if (known < 0) this.touched.push(junction);
    this.distance[junction] = decimetres;
    this.reachedBy[junction] = piece;
    this.heap.push(junction, decimetres);
  }

  /** The stretches of a walk, traced back from its last junction (-1: along one piece only). */
  private stretches(start: PathPoint, end: PathPoint, lastJunction: number): WalkStretch[] {
    if (lastJunction < 0) return [{ piece: start.piece, from: start.decimetres, to: end.decimetres }];
    const { pieceFrom, pieceTo, pieceDecimetres } = this.graph;
    // A shortest walk uses no loop, so a junction is only one end of a piece.
    const endAt = (piece: number, junction: number) =>
      pieceFrom[piece] === junction ? 0 : pieceDecimetres[piece]!;
    const backwards: WalkStretch[] = [];
    let junction = lastJunction;
    backwards.push({ piece: end.piece, from: this.nearEnd(end, junction), to: end.decimetres });
    for (let piece = this.reachedBy[junction]!; piece >= 0; piece = this.reachedBy[junction]!) {
      const other = pieceFrom[piece] === junction ? pieceTo[piece]! : pieceFrom[piece]!;
      backwards.push({ piece, from: endAt(piece, other), to: endAt(piece, junction) });
      junction = other;
    }
    backwards.push({ piece: start.piece, from: start.decimetres, to: this.nearEnd(start, junction) });
    return backwards.toReversed();
  }

  /** The end of a piece (0 or its length) on the shortest walk between a point on it and a junction. */
  private nearEnd({ piece, decimetres }: PathPoint, junction: number): number {
    const { pieceFrom, pieceTo, pieceDecimetres } = this.graph;
    const length = pieceDecimetres[piece]!;
    if (pieceFrom[piece] !== junction) return length;
    return pieceTo[piece] === junction && length - decimetres < decimetres ? length : 0;
  }

  private meetingPoint({ lon, lat, walkDecimetres, name }: ReachedStop): MeetingPoint {
    return {
      lon,
      lat,
      walkMetres: Math.ceil(walkDecimetres / 10),
      streetName: name < 0 ? null : this.graph.names[name]!,
    };
  }

  private clear(): void {
    for (const junction of this.touched) this.distance[junction] = -1;
    for (const stop of this.touchedStops) this.stopDistance[stop] = -1;
    this.touched = [];
    this.touchedStops = [];
  }
}

/** Decimetres from a place to its path. */
function offset({ metresFromPath }: PathPoint): number {
  return Math.round(metresFromPath * 10);
}
