import type { Climb, ClimbingArcs } from './climb.ts';
import type { Weight } from '../graph/weight.ts';

/**
 * The part of a point's upward search that can matter (I. Abraham, D. Delling, A. Goldberg, R. Werneck: A
 * Hub-Based Labeling Algorithm for Shortest Paths in Road Networks, 2011): the best drive between any two
 * points leads over a hub that is in both labels.
 */
export interface Label {
  /** Ranks in the hierarchy, ascending. */
  hubs: Uint32Array;
  /** The weight between the point and each hub. */
  weights: Float64Array;
}

/**
 * Makes a label of a finished upward search. A hub is left out when a drive over a higher hub is as good: it
 * is then the highest vertex of no best drive.
 * @param descending the arcs that lead to a vertex from higher ones.
 */
export function labelOf(climb: Climb, descending: ClimbingArcs): Label {
  const { label } = climb;
  const { start, to, weight } = descending;
  const ranks = climb.vertices.subarray(0, climb.reached).toSorted();
  let kept = ranks.length;
  for (let i = ranks.length - 1; i >= 0; i--) {
    const hub = ranks[i]!;
    let fromAbove = Infinity;
    const end = start[hub + 1]!;
    for (let a = start[hub]!; a < end; a++) {
      const total = label[to[a]!]! + weight[a]!;
      if (total < fromAbove) fromAbove = total;
    }
    if (fromAbove <= label[hub]!) label[hub] = fromAbove;
    else ranks[--kept] = hub;
  }
  const hubs = ranks.slice(kept);
  return { hubs, weights: Float64Array.from(hubs, (hub) => label[hub]!) };
}

/** The least weight over a hub of both labels if it is less than `bound`, else `bound`. */
export function bestMeeting(from: Label, to: Label, bound: Weight): Weight {
  const { hubs: a, weights: aWeights } = from;
  const { hubs: b, weights: bWeights } = to;
  let best = bound;
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const hubA = a[i]!;
    const hubB = b[j]!;
    if (hubA < hubB) i++;
    else if (hubA > hubB) j++;
    else {
      const total = aWeights[i++]! + bWeights[j++]!;
      if (total < best) best = total;
    }
  }
  return best;
}
