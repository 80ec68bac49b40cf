import { Climb, type ClimbingArcs } from './climb.ts';
import { unpack, type Hierarchy } from '../graph/hierarchy.ts';
import { labelOf, type Label } from './label.ts';
import type { Arrival, Departure } from '../graph/point.ts';
import { Sweep } from './sweep.ts';
import type { Weight } from '../graph/weight.ts';

/** A best drive: its weight and the edges driven whole or in part, the last being the arrival's. */
export interface Path {
  weight: Weight;
  edges: number[];
}

/**
 * Searches in a contraction hierarchy. The label of a vertex is the weight up to the *start* of its edge, or
 * from the start of its edge to the target. One object serves one thread and reuses its buffers.
 */
export class Search {
  private readonly hierarchy: Hierarchy;
  private readonly up: ClimbingArcs;
  private readonly down: ClimbingArcs;
  private readonly forward: Climb;
  private readonly backward: Climb;

  constructor(hierarchy: Hierarchy) {
    const { upStart, upTo, upWeight, downStart, downFrom, downWeight } = hierarchy;
    this.hierarchy = hierarchy;
    this.up = { start: upStart, to: upTo, weight: upWeight };
    this.down = { start: downStart, to: downFrom, weight: downWeight };
    this.forward = new Climb(this.up, this.down);
    this.backward = new Climb(this.down, this.up);
  }

  /** The least weight from the departures to the arrivals if it is less than `bound`, else `bound`. */
  weight(departures: readonly Departure[], arrivals: readonly Arrival[], bound: Weight): Weight {
    const { best } = this.meet(departures, arrivals, bound);
    this.clear();
    return best;
  }

  /** The best drive from the departures to the arrivals if it is better than `bound`; null otherwise. */
  path(departures: readonly Departure[], arrivals: readonly Arrival[], bound: Weight): Path | null {
    const { best, meeting } = this.meet(departures, arrivals, bound);
    const edges = meeting < 0 ? [] : this.edgesOver(meeting);
    this.clear();
    return meeting < 0 ? null : { weight: best, edges };
  }

  /**
   * A sweep from the departures, which gives the weight to the start of an edge.
   * @param reused a sweep to restart instead of a new one.
   */
  from(departures: readonly Departure[], reused?: Sweep): Sweep {
    const sweep = reused ?? new Sweep(this.down);
    sweep.start(this.climb(departures));
    this.clear();
    return sweep;
  }

  /**
   * A sweep to the arrivals, which gives the weight from the start of an edge.
   * @param reused a sweep to restart instead of a new one.
   */
  to(arrivals: readonly Arrival[], reused?: Sweep): Sweep {
    const sweep = reused ?? new Sweep(this.up);
    sweep.start(this.climbBack(arrivals));
    this.clear();
    return sweep;
  }

  /** The label of a point with these departures. */
  labelFrom(departures: readonly Departure[]): Label {
    const label = labelOf(this.climb(departures), this.down);
    this.clear();
    return label;
  }

  /** The label of a point with these arrivals. */
  labelTo(arrivals: readonly Arrival[]): Label {
    const label = labelOf(this.climbBack(arrivals), this.up);
    this.clear();
    return label;
  }

  /** A finished climb from the departures. */
  private climb(departures: readonly Departure[]): Climb {
    const { forward } = this;
    for (const { edge, weight } of departures) forward.seed(this.hierarchy.rankOf[edge]!, weight);
    while (forward.heap.size > 0) forward.settle();
    return forward;
  }

  /** A finished climb backward from the arrivals. */
  private climbBack(arrivals: readonly Arrival[]): Climb {
    const { backward } = this;
    for (const { edge, weight } of arrivals) backward.seed(this.hierarchy.rankOf[edge]!, weight);
    while (backward.heap.size > 0) backward.settle();
    return backward;
  }

  /**
   * Climbs from both ends at once until neither can find better; `meeting` is -1 where nothing is below
   * `bound`.
   */
  private meet(departures: readonly Departure[], arrivals: readonly Arrival[], bound: Weight) {
    const { forward, backward } = this;
    const { rankOf } = this.hierarchy;
    for (const { edge, weight } of departures) forward.seed(rankOf[edge]!, weight);
    for (const { edge, weight } of arrivals) backward.seed(rankOf[edge]!, weight);
    let best = bound;
    let meeting = -1;
    for (;;) {
      const ahead = forward.heap.minKey;
      const behind = backward.heap.minKey;
      if (ahead >= best && behind >= best) return { best, meeting };
      const [here, there] = ahead <= behind ? [forward, backward] : [backward, forward];
      const vertex = here.settle();
      const total = here.label[vertex]! + there.label[vertex]!;
      if (total < best) {
        best = total;
        meeting = vertex;
      }
    }
  }

  private edgesOver(meeting: number): number[] {
    const { hierarchy, forward, backward } = this;
    const edges: number[] = [];
    const climbed: number[] = [];
    for (let v = meeting; forward.arc[v]! >= 0; v = forward.previous[v]!) climbed.push(v);
    for (const v of climbed.toReversed())
      unpack(hierarchy, [forward.previous[v]!, v, hierarchy.upMiddle[forward.arc[v]!]!], edges);
    let last = meeting;
    for (; backward.arc[last]! >= 0; last = backward.previous[last]!)
      unpack(hierarchy, [last, backward.previous[last]!, hierarchy.downMiddle[backward.arc[last]!]!], edges);
    edges.push(hierarchy.edgeAt[last]!);
    return edges;
  }

  private clear(): void {
    this.forward.clear();
    this.backward.clear();
  }
}
