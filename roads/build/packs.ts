import type { RoadData } from './extract.ts';
import { boundsOf, type Bounds } from '../graph/geometry.ts';
import type { OsmRelation, OsmWay } from './osm.ts';

/** The roads of one extract, and the side of the road that traffic keeps to there. */
export interface PackRoads {
  data: RoadData;
  drivesOnLeft: boolean;
}

/** The roads of all packs as one. */
export interface MergedRoads extends Pick<RoadData, 'nodes' | 'ways' | 'restrictions'> {
  packs: { bounds: Bounds; drivesOnLeft: boolean; mapsSignals: boolean }[];
  /** The packs whose extracts hold a node, ascending. */
  packsOf(nodeId: number): readonly number[];
}

/**
 * Merges extracts by OpenStreetMap's ids: extracts of neighboring regions overlap, and an element in both is
 * used once, as in the first. Joins a way that was cut at both borders.
 */
export function mergeRoads(packs: readonly PackRoads[]): MergedRoads {
  const described = packs.map(({ data, drivesOnLeft }) => ({
    bounds: data.bounds ?? boundsOf(data.nodes),
    drivesOnLeft,
    mapsSignals: data.nodes.some(({ tags }) => tags?.highway === 'traffic_signals'),
  }));
  const alone = packs.map((_, pack) => [pack]);
  if (packs.length === 1) {
    const { nodes, ways, restrictions } = packs[0]!.data;
    return { nodes, ways, restrictions, packs: described, packsOf: () => alone[0]! };
  }
  const holders = new Map<number, readonly number[]>();
  const ways = new Map<number, OsmWay[]>();
  const restrictions = new Map<number, OsmRelation>();
  const nodes = packs.flatMap(({ data }, pack) =>
    data.nodes.filter(({ id }) => {
      const before = holders.get(id);
      holders.set(id, before ? [...before, pack] : alone[pack]!);
      return before === undefined;
    }),
  );
  for (const { data } of packs) {
    for (const way of data.ways) ways.set(way.id, withWay(ways.get(way.id) ?? [], way));
    for (const relation of data.restrictions) {
      const known = restrictions.get(relation.id);
      if (!known || known.members.length < relation.members.length) restrictions.set(relation.id, relation);
    }
  }
  return {
    nodes,
    ways: [...ways.values()].flat(),
    restrictions: [...restrictions.values()],
    packs: described,
    packsOf: (id) => holders.get(id) ?? [],
  };
}

/** The known pieces of a way plus one more: joined where they overlap, else listed separately. */
function withWay(pieces: readonly OsmWay[], way: OsmWay): OsmWay[] {
  for (const piece of pieces) {
    const refs = joinedRefs(piece.refs, way.refs);
    if (refs)
      return withWay(
        pieces.filter((other) => other !== piece),
        { ...piece, refs },
      );
  }
  return [...pieces, way];
}

/** Joins two runs along one way, or null where they share no node. */
function joinedRefs(a: readonly number[], b: readonly number[]): number[] | null {
  const [long, short] = a.length >= b.length ? [a, b] : [b, a];
  const known = new Set(long);
  if (short.every((ref) => known.has(ref))) return [...long];
  return joinedAtEnd(a, b) ?? joinedAtEnd(b, a);
}

function joinedAtEnd(a: readonly number[], b: readonly number[]): number[] | null {
  const from = a.lastIndexOf(b[0]!);
  if (from < 0) return null;
  const shared = a.length - from;
  return a.slice(from).every((ref, i) => ref === b[i]) ? [...a, ...b.slice(shared)] : null;
}
