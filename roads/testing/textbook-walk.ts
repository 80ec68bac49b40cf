import { nearestOnLine, type LonLat } from '../graph/geometry.ts';
import { COORDINATE_DEGREES } from '../graph/graph.ts';
import type { WalkGraph } from '../walk/walk-graph.ts';

/** The point where a place joins its nearest path, by a scan of all pieces. */
function nearestPath(graph: WalkGraph, at: LonLat) {
  let best = { piece: -1, metres: Infinity, fraction: 0 };
  for (let piece = 0; piece < graph.pieceFrom.length; piece++) {
    const [start, end] = [graph.shapeStart[piece]! * 2, graph.shapeStart[piece + 1]! * 2];
    const near = nearestOnLine(at, { points: graph.shapePoints, start, end, scale: COORDINATE_DEGREES });
    if (near.metres < best.metres) best = { piece, metres: near.metres, fraction: near.fraction };
  }
  return best;
}

/**
 * Textbook Dijkstra over the plain pieces, without a queue or an index.
 * @returns the decimeters from a place to a stop of the graph, or to another place.
 */
export function textbookWalk(
  graph: WalkGraph,
  from: LonLat,
): { toStop(stop: number): number; toPlace(to: LonLat): number } {
  const start = nearestPath(graph, from);
  const offset = Math.round(start.metres * 10);
  const length = graph.pieceDecimetres[start.piece]!;
  const along = Math.round(length * start.fraction);
  const pieces = [...graph.pieceFrom.keys()];
  const meeting = Map.groupBy([...pieces, ...pieces], (piece, i) =>
    i < pieces.length ? graph.pieceFrom[piece]! : graph.pieceTo[piece]!,
  );
  const open = new Map<number, number>();
  const settled = new Map<number, number>();
  const see = (junction: number, decimetres: number) => {
    if (!settled.has(junction) && decimetres < (open.get(junction) ?? Infinity))
      open.set(junction, decimetres);
  };
  see(graph.pieceFrom[start.piece]!, offset + along);
  see(graph.pieceTo[start.piece]!, offset + length - along);
  while (open.size > 0) {
    let [junction, least] = [-1, Infinity];
    for (const [candidate, decimetres] of open) {
      if (decimetres < least) [junction, least] = [candidate, decimetres];
    }
    open.delete(junction);
    settled.set(junction, least);
    for (const piece of meeting.get(junction)!) {
      see(graph.pieceFrom[piece]!, least + graph.pieceDecimetres[piece]!);
      see(graph.pieceTo[piece]!, least + graph.pieceDecimetres[piece]!);
    }
  }
  const to = (piece: number, position: number): number =>
    Math.min(
      (settled.get(graph.pieceFrom[piece]!) ?? Infinity) + position,
      (settled.get(graph.pieceTo[piece]!) ?? Infinity) + graph.pieceDecimetres[piece]! - position,
      piece === start.piece ? offset + Math.abs(position - along) : Infinity,
    );
  const pieceOfStop = pieces.flatMap((piece) =>
    Array.from({ length: graph.stopStart[piece + 1]! - graph.stopStart[piece]! }, () => piece),
  );
  return {
    toStop: (stop) => to(pieceOfStop[stop]!, graph.stopDecimetres[stop]!),
    toPlace(place) {
      const { piece, fraction, metres } = nearestPath(graph, place);
      return to(piece, Math.round(graph.pieceDecimetres[piece]! * fraction)) + Math.round(metres * 10);
    },
  };
}
