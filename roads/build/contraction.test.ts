import { beforeAll, expect, test } from 'vitest';
import { buildRoadGraph } from './build.ts';
import { contract } from './contraction.ts';
import { readRoadData } from './extract.ts';
import type { RoadGraphData } from '../graph/graph.ts';
import type { Hierarchy } from '../graph/hierarchy.ts';
import { unpack } from '../graph/hierarchy.ts';
import { packWeight } from '../graph/weight.ts';

let graph: RoadGraphData;
let hierarchy: Hierarchy;
const shares: number[] = [];

beforeAll(async () => {
  graph = buildRoadGraph(await readRoadData('regions/santa-cruz/roads.osm.pbf'));
  hierarchy = contract(graph, (share) => shares.push(share));
}, 60_000);

test('tells how far it is, from little to all', () => {
  expect(shares.length).toBeGreaterThan(50);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(shares.at(-1)).toBeLessThanOrEqual(1);
});

test('the same graph gives the same hierarchy, byte for byte', () => {
  expect(contract(graph)).toEqual(hierarchy);
});

test('every arc climbs, and ranks are a renumbering of the edges', () => {
  const { rankOf, edgeAt, upStart, upTo, downStart, downFrom } = hierarchy;
  expect(edgeAt.every((edge, rank) => rankOf[edge] === rank)).toBe(true);
  for (let rank = 0; rank < edgeAt.length; rank++) {
    expect(upTo.subarray(upStart[rank], upStart[rank + 1]).every((higher) => higher > rank)).toBe(true);
    expect(downFrom.subarray(downStart[rank], downStart[rank + 1]).every((higher) => higher > rank)).toBe(
      true,
    );
  }
});

test('every shortcut stands for turns of the graph that weigh as much as it does', () => {
  const { upStart, upTo, upWeight, upMiddle, edgeAt } = hierarchy;
  for (let rank = 0; rank < edgeAt.length; rank++) {
    for (let a = upStart[rank]!; a < upStart[rank + 1]!; a++) {
      const edges: number[] = [];
      unpack(hierarchy, [rank, upTo[a]!, upMiddle[a]!], edges);
      edges.push(edgeAt[upTo[a]!]!);
      let weight = 0;
      for (let i = 1; i < edges.length; i++) weight += turnWeight(edges[i - 1]!, edges[i]!);
      if (weight !== upWeight[a])
        throw new Error(`a shortcut out of ${rank} weighs ${upWeight[a]}, its turns ${weight}`);
    }
  }
});

/** Driving one edge and turning into the next; Infinity where that turn is not permitted. */
function turnWeight(from: number, to: number): number {
  let best = Infinity;
  for (let a = graph.arcStart[from]!; a < graph.arcStart[from + 1]!; a++) {
    if (graph.arcTo[a] !== to) continue;
    const milliseconds = graph.edgeMilliseconds[from]! + graph.arcMilliseconds[a]!;
    best = Math.min(best, packWeight(milliseconds, graph.edgeDecimetres[from]!));
  }
  return best;
}
