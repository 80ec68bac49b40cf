import type { RoadGraph } from './graph.ts';
import { IndexedHeap } from './heap.ts';
import type { Weight } from './weight.ts';

/** A way into the graph: the start of `edge` is reached `weight` after leaving the point. */
export interface Departure {
  edge: number;
  weight: Weight;
  /** The edge on which the point lies, -1 for a point outside the region. */
  from: number;
}

/** A way out of the graph: the point is reached `weight` after the start of `edge`. */
export interface Arrival {
  edge: number;
  weight: Weight;
  /** Where on the edge the point lies, 0 … 1. */
  fraction: number;
}

/** The outcome of one search: the least weight and the edges driven whole or in part, the last being the arrival's. */
export interface Path {
  weight: Weight;
  edges: number[];
}

/**
 * Dijkstra's algorithm over the edge-based graph: a label of edge e is the weight up to the *start* of e (forward) or
 * from the start of e to the target (backward). One object serves one thread; its work space is reused.
 */
export class Search {
  private readonly graph: RoadGraph;
  private readonly forwardHeap: IndexedHeap;
  private readonly backwardHeap: IndexedHeap;
  private readonly forward: Float64Array;
  private readonly backward: Float64Array;
  private readonly previous: Int32Array;
  private readonly next: Int32Array;
  private touched: number[] = [];

  constructor(graph: RoadGraph) {
    this.graph = graph;
    this.forwardHeap = new IndexedHeap(graph.edgeCount);
    this.backwardHeap = new IndexedHeap(graph.edgeCount);
    this.forward = new Float64Array(graph.edgeCount).fill(Infinity);
    this.backward = new Float64Array(graph.edgeCount).fill(Infinity);
    this.previous = new Int32Array(graph.edgeCount);
    this.next = new Int32Array(graph.edgeCount);
  }

  /** Weight from the departures to the start of every edge; Infinity where there is no way. */
  fromAll(departures: readonly Departure[]): Float64Array {
    const { arcStart, arcTo, arcWeight, edgeWeight, edgeCount } = this.graph;
    const heap = this.forwardHeap;
    const label = new Float64Array(edgeCount).fill(Infinity);
    for (const { edge, weight } of departures) {
      if (weight >= label[edge]!) continue;
      label[edge] = weight;
      heap.push(edge, weight);
    }
    while (heap.size > 0) {
      const edge = heap.pop();
      const atEnd = label[edge]! + edgeWeight[edge]!;
      const end = arcStart[edge + 1]!;
      for (let a = arcStart[edge]!; a < end; a++) {
        const target = arcTo[a]!;
        const weight = atEnd + arcWeight[a]!;
        if (weight >= label[target]!) continue;
        label[target] = weight;
        heap.push(target, weight);
      }
    }
    return label;
  }

  /** Weight from the start of every edge to the arrivals; Infinity where there is no way. */
  toAll(arrivals: readonly Arrival[]): Float64Array {
    const { backStart, backFrom, backWeight, edgeWeight, edgeCount } = this.graph;
    const heap = this.backwardHeap;
    const label = new Float64Array(edgeCount).fill(Infinity);
    for (const { edge, weight } of arrivals) {
      if (weight >= label[edge]!) continue;
      label[edge] = weight;
      heap.push(edge, weight);
    }
    while (heap.size > 0) {
      const edge = heap.pop();
      const fromStart = label[edge]!;
      const end = backStart[edge + 1]!;
      for (let a = backStart[edge]!; a < end; a++) {
        const source = backFrom[a]!;
        const weight = fromStart + backWeight[a]! + edgeWeight[source]!;
        if (weight >= label[source]!) continue;
        label[source] = weight;
        heap.push(source, weight);
      }
    }
    return label;
  }

  /**
   * The best path from the departures to the arrivals if it is better than `bound`, searched from both ends at once;
   * null otherwise.
   */
  between(departures: readonly Departure[], arrivals: readonly Arrival[], bound: Weight): Path | null {
    const { forward, backward, forwardHeap, backwardHeap, previous, next } = this;
    const { arcStart, arcTo, arcWeight, backStart, backFrom, backWeight, edgeWeight } = this.graph;
    let best = bound;
    let meeting = -1;
    const reachForward = (edge: number, weight: Weight, by: number): void => {
      if (weight >= forward[edge]!) return;
      if (forward[edge] === Infinity && backward[edge] === Infinity) this.touched.push(edge);
      forward[edge] = weight;
      previous[edge] = by;
      forwardHeap.push(edge, weight);
      const total = weight + backward[edge]!;
      if (total < best) {
        best = total;
        meeting = edge;
      }
    };
    const reachBackward = (edge: number, weight: Weight, by: number): void => {
      if (weight >= backward[edge]!) return;
      if (forward[edge] === Infinity && backward[edge] === Infinity) this.touched.push(edge);
      backward[edge] = weight;
      next[edge] = by;
      backwardHeap.push(edge, weight);
      const total = weight + forward[edge]!;
      if (total < best) {
        best = total;
        meeting = edge;
      }
    };
    for (const { edge, weight } of departures) reachForward(edge, weight, -1);
    for (const { edge, weight } of arrivals) reachBackward(edge, weight, -1);
    while (forwardHeap.minKey + backwardHeap.minKey < best) {
      if (forwardHeap.minKey <= backwardHeap.minKey) {
        const edge = forwardHeap.pop();
        const atEnd = forward[edge]! + edgeWeight[edge]!;
        for (let a = arcStart[edge]!; a < arcStart[edge + 1]!; a++) {
          reachForward(arcTo[a]!, atEnd + arcWeight[a]!, edge);
        }
      } else {
        const edge = backwardHeap.pop();
        const fromStart = backward[edge]!;
        for (let a = backStart[edge]!; a < backStart[edge + 1]!; a++) {
          const source = backFrom[a]!;
          reachBackward(source, fromStart + backWeight[a]! + edgeWeight[source]!, edge);
        }
      }
    }
    const edges: number[] = [];
    if (meeting >= 0) {
      for (let e = meeting; e >= 0; e = previous[e]!) edges.push(e);
      edges.reverse();
      for (let e = next[meeting]!; e >= 0; e = next[e]!) edges.push(e);
    }
    this.reset();
    return meeting < 0 ? null : { weight: best, edges };
  }

  private reset(): void {
    for (const edge of this.touched) {
      this.forward[edge] = Infinity;
      this.backward[edge] = Infinity;
    }
    this.touched = [];
    this.forwardHeap.clear();
    this.backwardHeap.clear();
  }
}
