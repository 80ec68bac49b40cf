import type { ArcTable } from '../build/arc-table.ts';

/**
 * A contraction hierarchy as flat shared arrays, as built and as cached. Its vertices are the edges of the
 * road graph, numbered by *rank*: the order in which they were contracted, so that more important ones have
 * higher numbers. Every best path of the graph exists here as one that climbs (`up`) to its highest vertex
 * and then descends (`down`).
 */
export interface Hierarchy {
  /** Rank of each edge. */
  rankOf: Uint32Array;
  /** Edge of each rank. */
  edgeAt: Uint32Array;
  /** Arcs from r to higher ranks: `upStart[r] … upStart[r + 1] - 1`. */
  upStart: Uint32Array;
  upTo: Uint32Array;
  upWeight: Float64Array;
  /** The rank that a shortcut leads over, -1 for a turn of the graph. */
  upMiddle: Int32Array;
  /** Arcs into r from higher ranks. */
  downStart: Uint32Array;
  downFrom: Uint32Array;
  downWeight: Float64Array;
  downMiddle: Int32Array;
}

/** Lays out the result of a contraction as flat arrays. */
export function hierarchyOf(contraction: { order: Uint32Array; out: ArcTable; in: ArcTable }): Hierarchy {
  const { order } = contraction;
  const rankOf = shared(Uint32Array, order.length);
  order.forEach((edge, rank) => (rankOf[edge] = rank));
  const edgeAt = shared(Uint32Array, order.length);
  edgeAt.set(order);
  const up = ranked(contraction.out, order, rankOf);
  const down = ranked(contraction.in, order, rankOf);
  return {
    rankOf,
    edgeAt,
    upStart: up.start,
    upTo: up.other,
    upWeight: up.weight,
    upMiddle: up.middle,
    downStart: down.start,
    downFrom: down.other,
    downWeight: down.weight,
    downMiddle: down.middle,
  };
}

function ranked(table: ArcTable, order: Uint32Array, rankOf: Uint32Array) {
  const start = shared(Uint32Array, order.length + 1);
  order.forEach((edge, rank) => (start[rank + 1] = start[rank]! + table.count[edge]!));
  const arcs = start[order.length]!;
  const other = shared(Uint32Array, arcs);
  const weight = shared(Float64Array, arcs);
  const middle = shared(Int32Array, arcs);
  order.forEach((edge, rank) => {
    const first = table.start[edge]!;
    // Sorted by rank, so that searches read memory in one direction and builds are identical byte for byte.
    const slots = Array.from({ length: table.count[edge]! }, (_, i) => first + i).toSorted(
      (a, b) => rankOf[table.to[a]!]! - rankOf[table.to[b]!]!,
    );
    slots.forEach((slot, i) => {
      const at = start[rank]! + i;
      other[at] = rankOf[table.to[slot]!]!;
      weight[at] = table.weight[slot]!;
      middle[at] = table.middle[slot]! < 0 ? -1 : rankOf[table.middle[slot]!]!;
    });
  });
  return { start, other, weight, middle };
}

function shared<T>(
  type: { new (memory: SharedArrayBuffer): T; BYTES_PER_ELEMENT: number },
  length: number,
): T {
  return new type(new SharedArrayBuffer(length * type.BYTES_PER_ELEMENT));
}

/** An arc of a hierarchy: its two ranks, and the rank that it leads over, -1 for a turn of the graph. */
export type Arc = readonly [from: number, to: number, middle: number];

/**
 * Appends the edges driven from one rank up to or down into another, first included, last not: shortcuts are
 * resolved into their turns.
 */
export function unpack(h: Hierarchy, arc: Arc, edges: number[]): void {
  const up = { start: h.upStart, others: h.upTo, middle: h.upMiddle };
  const down = { start: h.downStart, others: h.downFrom, middle: h.downMiddle };
  const stack: Arc[] = [arc];
  for (let part = stack.pop(); part; part = stack.pop()) {
    const [a, b, m] = part;
    if (m < 0) {
      edges.push(h.edgeAt[a]!);
      continue;
    }
    // The middle is lower than both ends: the second half climbs out of it, the first descends into it.
    stack.push([m, b, middleOf(up, m, b)]);
    stack.push([a, m, middleOf(down, m, a)]);
  }
}

function middleOf(
  { start, others, middle }: { start: Uint32Array; others: Uint32Array; middle: Int32Array },
  at: number,
  other: number,
): number {
  for (let a = start[at]!; a < start[at + 1]!; a++) if (others[a] === other) return middle[a]!;
  throw new Error(`the hierarchy has no arc between ${at} and ${other}`);
}
