import type { Edge } from './edges.ts';
import type { ViaWayRule } from './turns.ts';

interface RestrictedCopies {
  /** New edges, for the caller to append to its own. */
  edges: Edge[];
  /** The edge that a turn enters: the second edge itself, or its copy. */
  entered(from: number, to: number): number;
  /**
   * Whether a copy lets a car turn into a way, where it could drive into `choices`. True for all other edges.
   */
  allows(edge: number, way: number, choices: readonly number[]): boolean;
}

/**
 * A restriction over a way forbids a turn only to cars that came from a certain road. The graph holds a copy
 * of the way between for them: only that road leads into the copy, and the copy lacks the turn. Applies only
 * to ways of one piece, without a junction between their ends.
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
      // As at a node: a mandatory turn into an undrivable road is an error in the map.
      const commands = here.filter(({ must, to }) => must && choices.includes(to));
      if (commands.length > 0) return commands.some(({ to }) => to === way);
      return !here.some(({ must, to }) => !must && to === way);
    },
  };
}
