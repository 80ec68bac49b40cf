import { reachable, reversedRows, strongComponents, type Rows } from './components.ts';
import { NO_PART } from '../graph/graph.ts';

/**
 * A part of the roads in which everything reaches everything, with the stubs by which main roads leave and
 * enter it.
 */
interface Part {
  exits: number[];
  entries: number[];
}

interface Parts {
  parts: Part[];
  /** For each edge its part, stubs included; NO_PART for those that are dropped. */
  partOf: Uint16Array;
  /** For each edge 1 where it reaches everything in its part and is reached from everything there. */
  inCore: Uint8Array;
}

/**
 * Of each pack its largest part, which may be the same for packs that adjoin, and the stubs of main roads at
 * the borders. Keeps one-way roads from one part to another, too.
 * @param packsOf the packs that hold an edge.
 * @param exits edges that end where a main road leaves the data; `entries` those that start where one comes
 *   in.
 */
export function findParts(
  turns: Rows,
  {
    packCount,
    packsOf,
    exits,
    entries,
  }: {
    packCount: number;
    packsOf: (edge: number) => readonly number[];
    exits: readonly number[];
    entries: readonly number[];
  },
): Parts {
  const edgeCount = turns.start.length - 1;
  const { component, count } = strongComponents(turns);
  const sizes = Array.from({ length: packCount }, () => new Uint32Array(count));
  for (let e = 0; e < edgeCount; e++) for (const pack of packsOf(e)) sizes[pack]![component[e]!]!++;
  const largest = new Set(sizes.map(indexOfLargest).filter((index) => index >= 0));
  const back = reversedRows(turns);
  const toExit = reachable(back, exits);
  const fromEntry = reachable(turns, entries);
  const partOf = new Uint16Array(edgeCount).fill(NO_PART);
  const inCore = new Uint8Array(edgeCount);
  const reaches = [...largest].map((index, part) => {
    const core: number[] = [];
    for (let e = 0; e < edgeCount; e++) {
      if (component[e] !== index) continue;
      core.push(e);
      partOf[e] = part;
      inCore[e] = 1;
    }
    return { from: reachable(turns, core), to: reachable(back, core) };
  });
  for (let e = 0; e < edgeCount; e++) {
    if (inCore[e]) continue;
    const leaves = reaches.findIndex(({ from }) => from[e]);
    const enters = reaches.findIndex(({ to }) => to[e]);
    if (leaves >= 0 && (toExit[e] || enters >= 0)) partOf[e] = leaves;
    else if (enters >= 0 && fromEntry[e]) partOf[e] = enters;
  }
  return {
    parts: reaches.map(({ from, to }) => ({
      exits: exits.filter((e) => from[e]),
      entries: entries.filter((e) => to[e]),
    })),
    partOf,
    inCore,
  };
}

/** The first of the largest; -1 where all are 0. */
function indexOfLargest(sizes: Uint32Array): number {
  let best = -1;
  sizes.forEach((size, i) => {
    if (size > (sizes[best] ?? 0)) best = i;
  });
  return best;
}
