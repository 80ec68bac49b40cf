import { readOsm, type OsmNode, type OsmRelation, type OsmWay } from '../../roads/build/osm.ts';
import { drivableWay } from '../../roads/build/profile.ts';
import { writePbf } from '../../roads/build/write-pbf.ts';
import type { Bounds } from '../../roads/graph/geometry.ts';
import { isWalkable } from '../../roads/walk/walk-profile.ts';
import { NodePositions } from './node-positions.ts';

/**
 * Writes an extract of roads and paths: the ways that a car or a person on foot may use, with their nodes,
 * the turn restrictions, all of their tags and the bounding box of the header. The server builds the same
 * network from it as from the whole extract, which is about three times as large.
 */
export async function writeRoadExtract(wholeFile: string, roadFile: string): Promise<void> {
  let bounds: Bounds | undefined;
  const nodes = new NodePositions();
  for await (const element of readOsm(wholeFile, (stated) => (bounds = stated))) {
    if (element.type === 'way' && isRoadOrPath(element)) element.refs.forEach((ref) => nodes.want(ref));
  }
  await writePbf(roadFile, roadElements(wholeFile, nodes), bounds);
}

async function* roadElements(
  wholeFile: string,
  nodes: NodePositions,
): AsyncGenerator<OsmNode | OsmWay | OsmRelation, void, undefined> {
  for await (const element of readOsm(wholeFile)) {
    const isNeeded =
      element.type === 'node'
        ? nodes.isWanted(element.id)
        : element.type === 'way'
          ? isRoadOrPath(element)
          : element.tags?.type === 'restriction';
    if (isNeeded) yield element;
  }
}

function isRoadOrPath({ tags }: OsmWay): boolean {
  return tags !== undefined && (drivableWay(tags) !== null || isWalkable(tags));
}
