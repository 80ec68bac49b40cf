import type { ArcTable } from './arc-table.ts';
import { IndexedHeap } from '../search/heap.ts';
import type { Weight } from '../graph/weight.ts';

/**
 * Searches for paths around a vertex that is about to be contracted: a Dijkstra search that avoids it and
 * stops after some vertices. Stopping early is safe: it only adds a shortcut that was not needed.
 */
export class WitnessSearch {
  private readonly out: ArcTable;
  private readonly heap: IndexedHeap;
  private readonly label: Float64Array;
  /** The weight of the path over the avoided vertex, by target; -1 for all others. */
  private readonly goal: Float64Array;
  private readonly touched: Int32Array;
  /**
   * After a search the positions in `out` of the arcs that leave the avoided vertex and that no other path
   * matches.
   */
  needed = new Int32Array(64);

  constructor(out: ArcTable, vertices: number) {
    this.out = out;
    this.heap = new IndexedHeap(vertices);
    this.label = new Float64Array(vertices).fill(Infinity);
    this.goal = new Float64Array(vertices).fill(-1);
    this.touched = new Int32Array(vertices);
  }

  /**
   * Finds the paths from `source` over `via` to its next vertices that no other path equals.
   * @param intoVia weight of the arc from `source` to `via`.
   * @param limit how many vertices are finalized before the search stops.
   * @returns how many there are; `needed` lists them.
   */
  unmatched(source: number, via: number, intoVia: Weight, limit: number): number {
    const { out, heap, label, goal, touched } = this;
    const first = out.start[via]!;
    const end = first + out.count[via]!;
    if (this.needed.length < out.count[via]!) this.needed = new Int32Array(out.count[via]! * 2);
    const { needed } = this;
    let open = 0;
    let farthest = 0;
    for (let a = first; a < end; a++) {
      const target = out.to[a]!;
      if (target === source) continue;
      const weight = intoVia + out.weight[a]!;
      goal[target] = weight;
      if (weight > farthest) farthest = weight;
      open++;
    }
    let touchedCount = 0;
    let settled = 0;
    if (open > 0) {
      label[source] = 0;
      touched[touchedCount++] = source;
      heap.push(source, 0);
    }
    while (open > 0 && heap.size > 0 && settled++ < limit) {
      const vertex = heap.pop();
      const here = label[vertex]!;
      const rowEnd = out.start[vertex]! + out.count[vertex]!;
      for (let a = out.start[vertex]!; a < rowEnd; a++) {
        const weight = here + out.weight[a]!;
        if (weight > farthest) continue;
        const target = out.to[a]!;
        const known = label[target]!;
        if (weight >= known || target === via) continue;
        if (known === Infinity) touched[touchedCount++] = target;
        label[target] = weight;
        heap.push(target, weight);
        const aim = goal[target]!;
        if (weight <= aim && known > aim) open--;
      }
    }
    let count = 0;
    for (let a = first; a < end; a++) {
      const target = out.to[a]!;
      if (target === source) continue;
      if (label[target]! > goal[target]!) needed[count++] = a;
      goal[target] = -1;
    }
    for (let i = 0; i < touchedCount; i++) label[touched[i]!] = Infinity;
    heap.clear();
    return count;
  }
}
