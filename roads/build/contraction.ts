import { ArcTable } from './arc-table.ts';
import { IndexedHeap } from '../search/heap.ts';
import { hierarchyOf, type Hierarchy } from '../graph/hierarchy.ts';
import { packWeight } from '../graph/weight.ts';
import { WitnessSearch } from './witness.ts';

/**
 * Most vertices a witness search finalizes while a vertex's importance is computed, and while it is
 * contracted.
 */
const LOOK_LIMIT = 60;
const CONTRACT_LIMIT = 500;
/**
 * How much more a shortcut counts than depth; tried from 1 to 16, where 8 built fastest and searched least.
 */
const SHORTCUT_SHARE = 8;

/** The contraction's input: the vertices and arcs of a road graph (graph.ts). */
interface Turns {
  edgeMilliseconds: Uint32Array;
  edgeDecimetres: Uint32Array;
  arcStart: Uint32Array;
  arcTo: Uint32Array;
  arcMilliseconds: Uint32Array;
}

/**
 * Builds the contraction hierarchy of a road graph (R. Geisberger, P. Sanders, D. Schultes, D. Delling:
 * Contraction Hierarchies, WEA 2008), over the edge-based graph: a vertex is a directed edge of road, an arc
 * a turn that weighs the edge driven before it and the turn itself. Vertices are contracted one by one, the
 * least important first; where the only best path between two neighbors led over the contracted vertex, a
 * shortcut replaces it.
 * @param onProgress called with the share done, 0 … 1, about a hundred times.
 */
export function contract(graph: Turns, onProgress?: (share: number) => void): Hierarchy {
  const contraction = new Contraction(graph);
  contraction.run(onProgress);
  return hierarchyOf(contraction);
}

class Contraction {
  /** The vertices in the order in which they were contracted. */
  readonly order: Uint32Array;
  /** The arcs that remained when a vertex was contracted: into higher vertices, and from higher vertices. */
  readonly out: ArcTable;
  readonly in: ArcTable;
  private readonly vertices: number;
  private readonly witness: WitnessSearch;
  private readonly queue: IndexedHeap;
  /** Length of the longest chain of contracted vertices below, plus one. */
  private readonly depth: Int32Array;

  constructor(graph: Turns) {
    this.vertices = graph.edgeMilliseconds.length;
    this.order = new Uint32Array(this.vertices);
    this.out = new ArcTable(this.vertices, graph.arcTo.length);
    this.in = new ArcTable(this.vertices, graph.arcTo.length);
    this.depth = new Int32Array(this.vertices);
    this.queue = new IndexedHeap(this.vertices);
    for (let e = 0; e < this.vertices; e++) {
      for (let a = graph.arcStart[e]!; a < graph.arcStart[e + 1]!; a++) {
        const to = graph.arcTo[a]!;
        const milliseconds = graph.edgeMilliseconds[e]! + graph.arcMilliseconds[a]!;
        if (to !== e) this.putArc(e, to, packWeight(milliseconds, graph.edgeDecimetres[e]!), -1);
      }
    }
    this.witness = new WitnessSearch(this.out, this.vertices);
  }

  /**
   * Contracts every vertex. Importance is recomputed when a vertex reaches the top of the queue: a lazy
   * update.
   */
  run(onProgress?: (share: number) => void): void {
    const { queue } = this;
    const step = Math.max(1, Math.ceil(this.vertices / 100));
    for (let v = 0; v < this.vertices; v++) queue.push(v, this.importance(v));
    for (let done = 0; done < this.vertices;) {
      const v = queue.pop();
      const importance = this.importance(v);
      if (importance > queue.minKey) {
        queue.push(v, importance);
        continue;
      }
      this.contractVertex(v);
      this.order[done++] = v;
      if (done % step === 0) onProgress?.(done / this.vertices);
    }
  }

  /** Shortcuts needed for each removed arc, plus depth: few shortcuts first, spread evenly over the map. */
  private importance(v: number): number {
    const arcs = this.out.count[v]! + this.in.count[v]!;
    if (arcs === 0) return this.depth[v]!;
    return this.depth[v]! + (SHORTCUT_SHARE * this.shortcuts(v, LOOK_LIMIT, false)) / arcs;
  }

  private contractVertex(v: number): void {
    this.shortcuts(v, CONTRACT_LIMIT, true);
    const { out, in: into, depth } = this;
    const higher = depth[v]! + 1;
    for (let a = out.start[v]!; a < out.start[v]! + out.count[v]!; a++) {
      const w = out.to[a]!;
      into.remove(w, v);
      if (depth[w]! < higher) depth[w] = higher;
    }
    for (let a = into.start[v]!; a < into.start[v]! + into.count[v]!; a++) {
      const u = into.to[a]!;
      out.remove(u, v);
      if (depth[u]! < higher) depth[u] = higher;
    }
  }

  /** Counts the shortcuts that contracting a vertex needs, and inserts them if `put`. */
  private shortcuts(v: number, limit: number, put: boolean): number {
    const { out, in: into } = this;
    let total = 0;
    for (let i = 0; i < into.count[v]!; i++) {
      const a = into.start[v]! + i;
      const u = into.to[a]!;
      const weight = into.weight[a]!;
      const count = this.witness.unmatched(u, v, weight, limit);
      total += count;
      if (!put) continue;
      for (let k = 0; k < count; k++) {
        const b = this.witness.needed[k]!;
        this.putArc(u, out.to[b]!, weight + out.weight[b]!, v);
      }
    }
    return total;
  }

  private putArc(from: number, to: number, weight: number, middle: number): void {
    this.out.put(from, to, weight, middle);
    this.in.put(to, from, weight, middle);
  }
}
