import type { Edge } from './edges.ts';
import type { ViaWayRule } from './turns.ts';

interface RestrictedCopies {
  /** To be appended to the edges. */
  edges: Edge[];
  /** The edge that a turn from one edge into another really enters: the other, or its copy. */
  entered(from: number, to: number): number;
  /**
   * Whether a copy lets a car turn into a way, where it could drive into `choices`. True for all other edges.
   */
  allows(edge: number, way: number, choices: readonly number[]): boolean;
}

/**
 * Restrictions over a way forbid a turn only to those who came from a certain road. The road between stands
 * in the graph once more for them: the copy is entered from that road alone, and lacks the turn. Only ways
 * that are one piece, without a junction between their ends, are taken.
 */
export function restrictedCopies(edges: readonly Edge[], rules: readonly ViaWayRule[]): RestrictedCopies {
  if (rules.length === 0) return { edges: [], entered: (_from, to) => to, allows: () => true };
  const named = new Set(rules.flatMap(({ from, via, to }) => [from, via, to]));
  const ofWay = Map.groupBy(
    [...edges.keys()].filter((e) => named.has(edges[e]!.segment.way)),
    (e) => edges[e]!.segment.way,
  );
  const edgesOf = (way: number) => ofWay.get(way) ?? [];
  const copies: { base: number; rules: ViaWayRule[] }[] = [];
  const copyOf = new Map<number, Map<number, number>>();
  for (const rule of rules) {
    const pieces = edgesOf(rule.via);
    if (new Set(pieces.map((e) => edges[e]!.index)).size !== 1) continue;
    for (const via of pieces) {
      const { tail, head } = edges[via]!;
      if (!edgesOf(rule.to).some((e) => edges[e]!.tail.id === head.id)) continue;
      for (const from of edgesOf(rule.from)) {
        if (edges[from]!.head.id !== tail.id || from === edges[via]!.reverse) continue;
        const targets = copyOf.get(from) ?? new Map<number, number>();
        copyOf.set(from, targets);
        const copy = targets.get(via) ?? copies.push({ base: via, rules: [] }) - 1;
        targets.set(via, copy);
        copies[copy]!.rules.push(rule);
      }
    }
  }
  const count = edges.length;
  return {
    edges: copies.map(({ base }) => edges[base]!),
    entered(from, to) {
      const copy = copyOf.get(copies[from - count]?.base ?? from)?.get(to);
      return copy === undefined ? to : count + copy;
    },
    allows(edge, way, choices) {
      const here = copies[edge - count]?.rules ?? [];
      // As at a node: a command to take a road that cannot be driven is a fault in the map.
      const commands = here.filter(({ must, to }) => must && choices.includes(to));
      if (commands.length > 0) return commands.some(({ to }) => to === way);
      return !here.some(({ must, to }) => !must && to === way);
    },
  };
}
