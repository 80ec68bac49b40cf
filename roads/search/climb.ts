import { IndexedHeap } from './heap.ts';
import type { Weight } from '../graph/weight.ts';

/** Arcs of a hierarchy by their lower end: the arcs of r are at `start[r] … start[r + 1] - 1`. */
export interface ClimbingArcs {
  start: Uint32Array;
  /** The higher end. */
  to: Uint32Array;
  weight: Float64Array;
}

/**
 * The upward search of a contraction hierarchy, in one direction of driving: it only climbs from its seeds.
 * Its labels are weights of real drives; at the highest vertex of a best drive, the label is the best weight.
 * The search does not climb from a vertex that a higher one reaches better, because it lies on no best drive
 * (stall-on-demand: Geisberger et al. 2008, section 3.2).
 */
export class Climb {
  readonly heap: IndexedHeap;
  readonly label: Float64Array;
  /** The arc by which a vertex was reached, -1 for a seed, and the vertex it came from. */
  readonly arc: Int32Array;
  readonly previous: Int32Array;
  /** The vertices that have a label: the first `reached`. */
  readonly vertices: Uint32Array;
  reached = 0;
  private readonly arcs: ClimbingArcs;
  private readonly descending: ClimbingArcs;

  /**
   * @param arcs the arcs to climb.
   * @param descending the arcs of the opposite direction, which lead to a vertex from higher ones.
   */
  constructor(arcs: ClimbingArcs, descending: ClimbingArcs) {
    const count = arcs.start.length - 1;
    this.arcs = arcs;
    this.descending = descending;
    this.heap = new IndexedHeap(count);
    this.label = new Float64Array(count).fill(Infinity);
    this.arc = new Int32Array(count);
    this.previous = new Int32Array(count);
    this.vertices = new Uint32Array(count);
  }

  seed(vertex: number, weight: Weight): void {
    this.reach(vertex, weight, -1, -1);
  }

  /** Finalizes the nearest vertex, climbs from it, and returns it. Call only when the heap is not empty. */
  settle(): number {
    const { label } = this;
    const { start, to, weight } = this.arcs;
    const vertex = this.heap.pop();
    const here = label[vertex]!;
    if (this.isStalled(vertex, here)) return vertex;
    const end = start[vertex + 1]!;
    for (let a = start[vertex]!; a < end; a++) this.reach(to[a]!, here + weight[a]!, a, vertex);
    return vertex;
  }

  /** Removes the seeds and all labels. */
  clear(): void {
    for (let i = 0; i < this.reached; i++) this.label[this.vertices[i]!] = Infinity;
    this.reached = 0;
    this.heap.clear();
  }

  private isStalled(vertex: number, here: Weight): boolean {
    const { start, to, weight } = this.descending;
    const end = start[vertex + 1]!;
    for (let a = start[vertex]!; a < end; a++) if (this.label[to[a]!]! + weight[a]! < here) return true;
    return false;
  }

  private reach(vertex: number, weight: Weight, arc: number, previous: number): void {
    const known = this.label[vertex]!;
    if (weight >= known) return;
    if (known === Infinity) this.vertices[this.reached++] = vertex;
    this.label[vertex] = weight;
    this.arc[vertex] = arc;
    this.previous[vertex] = previous;
    this.heap.push(vertex, weight);
  }
}
