import { listHead, type TimeArcs, type TimeHierarchy } from './time-arcs.ts';

/**
 * A point's ways into the core, as words of a flat array: how many words of ways follow, the pieces below the
 * core in which its ends lie, then a vertex of the core and the milliseconds of the way in turn.
 */
export const waysHead = 1 + 2;
/** The ways of a point that has none in this form: its drives are asked for by its ends. */
export const noWays = -1;

/**
 * The ways of a point into the core. A vertex that is reached over another one as fast is left out: what
 * leads from one vertex of the core to the next is a sweep's part.
 * @param ends of the point's roads, with the milliseconds from each to the point; below 0 from the point.
 */
export function waysIntoCore(
  hierarchy: TimeHierarchy,
  towards: 'to' | 'from',
  ends: readonly { vertex: number; milliseconds: number }[],
): number[] {
  const { core, pieces } = hierarchy;
  const arcs = towards === 'to' ? hierarchy.up : hierarchy.down;
  const { start, lists } = towards === 'to' ? hierarchy.upIntoCore : hierarchy.downIntoCore;
  if (ends.length === 0 || ends.length > waysHead - 1) return [noWays, pieces, pieces];
  const ways = new Map<number, number>();
  const reach = (vertex: number, milliseconds: number): void => {
    ways.set(vertex, Math.min(ways.get(vertex) ?? Infinity, milliseconds));
  };
  const inPieces = [pieces, pieces];
  ends.forEach(({ vertex, milliseconds }, end) => {
    if (vertex >= core) return reach(vertex, milliseconds);
    const list = start[vertex]!;
    inPieces[end] = lists[list + 1]!;
    const first = list + listHead;
    for (let at = first; at < first + lists[list]!; at += 2) reach(lists[at]!, milliseconds + lists[at + 1]!);
  });
  const left = [...ways].filter(([vertex, milliseconds]) => !isReachedOver(ways, arcs, vertex, milliseconds));
  return [left.length * 2, ...inPieces, ...left.flat()];
}

/** Whether a vertex is reached over another one of some ways, and not later. */
function isReachedOver(
  ways: ReadonlyMap<number, number>,
  { start, arcs }: TimeArcs,
  vertex: number,
  milliseconds: number,
): boolean {
  for (const [lower, time] of ways) {
    if (lower >= vertex || time > milliseconds) continue;
    const end = start[lower + 1]! * 2;
    for (let arc = start[lower]! * 2; arc < end; arc += 2)
      if (arcs[arc] === vertex && time + arcs[arc + 1]! <= milliseconds) return true;
  }
  return false;
}
