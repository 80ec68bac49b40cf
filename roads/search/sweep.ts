import type { Climb, ClimbingArcs } from './climb.ts';
import type { Weight } from '../graph/weight.ts';

/**
 * The weights between one point and any number of vertices, computed on demand: the weight of a vertex is the
 * better of its own label in the point's upward search and the weights over its higher neighbors, which are
 * computed recursively and memoized (PHAST restricted to the targets: D. Delling et al., PHAST, 2011; pulled
 * lazily as in B. Strasser, T. Zeitz: A Fast and Tight Heuristic for A* in Road Networks, 2021).
 */
export class Sweep {
  private readonly arcs: ClimbingArcs;
  /** Labels of the upward search, and the final weight where `known`. */
  private readonly weight: Float64Array;
  private readonly known: Uint8Array;
  private readonly touched: number[] = [];
  private readonly stack: number[] = [];

  /** @param arcs the arcs that lead to a vertex from higher ones in the direction of driving. */
  constructor(arcs: ClimbingArcs) {
    const count = arcs.start.length - 1;
    this.arcs = arcs;
    this.weight = new Float64Array(count).fill(Infinity);
    this.known = new Uint8Array(count);
  }

  /** Starts from a finished upward search, whose labels are copied. */
  start(climb: Climb): void {
    for (const vertex of this.touched) {
      this.weight[vertex] = Infinity;
      this.known[vertex] = 0;
    }
    this.touched.length = 0;
    for (let i = 0; i < climb.reached; i++) {
      const vertex = climb.vertices[i]!;
      this.weight[vertex] = climb.label[vertex]!;
      this.touched.push(vertex);
    }
  }

  /** The weight between the point and a vertex; Infinity where there is no path. */
  at(vertex: number): Weight {
    const { stack, weight, known } = this;
    if (known[vertex]) return weight[vertex]!;
    const { start, to, weight: arcWeight } = this.arcs;
    stack.push(vertex);
    while (stack.length > 0) {
      const top = stack.at(-1)!;
      const height = stack.length;
      const end = start[top + 1]!;
      let best = weight[top]!;
      if (!known[top]) {
        for (let a = start[top]!; a < end; a++) {
          const higher = to[a]!;
          if (!known[higher]) stack.push(higher);
          else if (weight[higher]! + arcWeight[a]! < best) best = weight[higher]! + arcWeight[a]!;
        }
        if (stack.length > height) continue;
        weight[top] = best;
        known[top] = 1;
        this.touched.push(top);
      }
      stack.pop();
    }
    return weight[vertex]!;
  }
}
