import type { OsmNode } from './osm.ts';
import type { Segment } from './segments.ts';

/** A segment in one direction. */
export interface Edge {
  segment: Segment;
  index: number;
  against: boolean;
  tail: OsmNode;
  head: OsmNode;
  reverse: number;
}

/** Each piece of road once or twice, as its direction allows. */
export function directedEdges(segments: Segment[]): Edge[] {
  const edges: Edge[] = [];
  segments.forEach((segment, index) => {
    const { road, nodes } = segment;
    const first = nodes[0]!;
    const last = nodes.at(-1)!;
    const both = road.forward && road.backward;
    const next = edges.length;
    if (road.forward) {
      edges.push({ segment, index, against: false, tail: first, head: last, reverse: both ? next + 1 : -1 });
    }
    if (road.backward) {
      edges.push({ segment, index, against: true, tail: last, head: first, reverse: both ? next : -1 });
    }
  });
  return edges;
}
