import { COORDINATE_DEGREES, type RoadGraph } from '../graph/graph.ts';
import { PATH_RANK, type WalkWays } from './walk-extract.ts';
import type { WalkArrays, WalkGraph } from './walk-graph.ts';
import { boxPieces, WalkIndex } from './walk-index.ts';
import { cutPieces, type Piece } from './walk-pieces.ts';
import { stopsAlong, type Stop } from './walk-stops.ts';

/** A stop lies on its own road; a path farther away than this is a different path. */
const SAME_PLACE_METRES = 1;
/**
 * Connected paths count if cars may stop at this many places on them: fewer are a yard, or a lane cut off by
 * the border of the extract, from which no walk leads elsewhere.
 */
const FEWEST_STOPS = 5;

interface PlacedStop extends Stop {
  piece: number;
  decimetres: number;
}

/** Builds the walkable network of a region and places on it the stops of the region's roads. */
export function buildWalkGraph(ways: WalkWays, roads: RoadGraph): WalkGraph {
  const { pieces, junctions } = cutPieces(ways);
  const stops = placeStops(pieces, roads);
  const islandOf = islands(pieces, junctions);
  const stopsOn = new Uint32Array(junctions);
  for (const { piece } of stops) stopsOn[islandOf[pieces[piece]!.from]!]!++;
  const keeps = (piece: Piece) => stopsOn[islandOf[piece.from]!]! >= FEWEST_STOPS;
  const renumbered = new Int32Array(pieces.length).fill(-1);
  const kept: Piece[] = [];
  pieces.forEach((piece, p) => {
    if (keeps(piece)) renumbered[p] = kept.push(piece) - 1;
  });
  const keptStops = stops
    .map((stop) => ({ ...stop, piece: renumbered[stop.piece]! }))
    .filter(({ piece }) => piece >= 0);
  return arraysOf(kept, keptStops);
}

function placeStops(pieces: Piece[], roads: RoadGraph): PlacedStop[] {
  const shapes = { ...shapesOf(pieces), pieceDecimetres: lengthsOf(pieces) };
  const index = new WalkIndex({ ...shapes, pieceBoxes: boxPieces(shapes) });
  const stops: PlacedStop[] = [];
  for (const stop of stopsAlong(roads)) {
    const near = index.nearest(stop, SAME_PLACE_METRES);
    if (!near || pieces[near.piece]!.rank === PATH_RANK) continue;
    stops.push({ ...stop, piece: near.piece, decimetres: near.decimetres });
  }
  return stops.toSorted((a, b) => a.piece - b.piece || a.decimetres - b.decimetres);
}

/** For each junction the representative junction of its connected component. */
function islands(pieces: Piece[], junctions: number): Uint32Array {
  const parent = Uint32Array.from({ length: junctions }, (_, i) => i);
  const root = (at: number): number => {
    let top = at;
    while (parent[top] !== top) {
      parent[top] = parent[parent[top]!]!;
      top = parent[top]!;
    }
    return top;
  };
  for (const { from, to } of pieces) parent[root(from)] = root(to);
  return parent.map((_, i) => root(i));
}

/** Lays pieces and stops out as flat shared arrays; junctions are renumbered. */
function arraysOf(pieces: Piece[], stops: PlacedStop[]): WalkGraph {
  const numbers = new Map<number, number>();
  const numberOf = (junction: number): number => {
    if (!numbers.has(junction)) numbers.set(junction, numbers.size);
    return numbers.get(junction)!;
  };
  const pieceFrom = sharedUint32(pieces.map(({ from }) => numberOf(from)));
  const pieceTo = sharedUint32(pieces.map(({ to }) => numberOf(to)));
  const linkStart = sharedUint32(numbers.size + 1);
  // A loop is one link of its junction, not two.
  const endsOf = (p: number) =>
    pieceFrom[p] === pieceTo[p] ? [pieceFrom[p]!] : [pieceFrom[p]!, pieceTo[p]!];
  pieces.forEach((_, p) => endsOf(p).forEach((junction) => linkStart[junction + 1]!++));
  for (let v = 0; v < numbers.size; v++) linkStart[v + 1]! += linkStart[v]!;
  const linkPiece = sharedUint32(linkStart[numbers.size]!);
  const slot = linkStart.slice();
  pieces.forEach((_, p) => endsOf(p).forEach((junction) => (linkPiece[slot[junction]!++] = p)));
  const shapes = shapesOf(pieces);
  return {
    linkStart,
    linkPiece,
    pieceFrom,
    pieceTo,
    pieceDecimetres: lengthsOf(pieces),
    ...shapes,
    pieceBoxes: boxPieces(shapes),
    ...stopArrays(pieces, stops),
  };
}

function stopArrays(pieces: Piece[], stops: PlacedStop[]) {
  const names: string[] = [];
  const nameIndex = new Map<string, number>();
  const stopStart = sharedUint32(pieces.length + 1);
  const stopPoints = new Int32Array(new SharedArrayBuffer(stops.length * 8));
  const stopName = new Int32Array(new SharedArrayBuffer(stops.length * 4));
  const stopRank = new Uint8Array(new SharedArrayBuffer(stops.length));
  stops.forEach(({ piece, lon, lat, streetName }, s) => {
    stopStart[piece + 1]!++;
    stopPoints[2 * s] = Math.round(lon / COORDINATE_DEGREES);
    stopPoints[2 * s + 1] = Math.round(lat / COORDINATE_DEGREES);
    if (streetName !== null && !nameIndex.has(streetName))
      nameIndex.set(streetName, names.push(streetName) - 1);
    stopName[s] = streetName === null ? -1 : nameIndex.get(streetName)!;
    stopRank[s] = pieces[piece]!.rank;
  });
  for (let p = 0; p < pieces.length; p++) stopStart[p + 1]! += stopStart[p]!;
  const stopDecimetres = sharedUint32(stops.map(({ decimetres }) => decimetres));
  return { stopStart, stopDecimetres, stopPoints, stopName, stopRank, names };
}

function shapesOf(pieces: Piece[]): Pick<WalkArrays, 'shapeStart' | 'shapePoints'> {
  const shapeStart = sharedUint32(pieces.length + 1);
  pieces.forEach(({ points }, p) => (shapeStart[p + 1] = shapeStart[p]! + points.length / 2));
  const shapePoints = new Int32Array(new SharedArrayBuffer(shapeStart[pieces.length]! * 8));
  let at = 0;
  for (const { points } of pieces) {
    for (const degrees of points) shapePoints[at++] = Math.round(degrees / COORDINATE_DEGREES);
  }
  return { shapeStart, shapePoints };
}

function lengthsOf(pieces: Piece[]): Uint32Array {
  return sharedUint32(pieces.map(({ decimetres }) => decimetres));
}

function sharedUint32(content: number | number[]): Uint32Array {
  const length = typeof content === 'number' ? content : content.length;
  const array = new Uint32Array(new SharedArrayBuffer(length * 4));
  if (typeof content !== 'number') array.set(content);
  return array;
}
