import type { Bounds } from '../graph/geometry.ts';
import { readOsm, type OsmNode, type OsmRelation, type OsmWay } from './osm.ts';
import { drivableWay } from './profile.ts';

/** The input of the road graph: plain data, so that a test can write a small town by hand. */
export interface RoadData {
  nodes: OsmNode[];
  ways: OsmWay[];
  restrictions: OsmRelation[];
  /** The rectangle the extract was cut to; null means the rectangle around its roads. */
  bounds: Bounds | null;
}

/**
 * Reads the drivable ways of an extract, their nodes and the turn restrictions. Reads the file twice, ways
 * before nodes, so that only nodes of drivable ways are in memory.
 * @throws when the file is missing or not OSM PBF.
 */
export async function readRoadData(pbfFile: string): Promise<RoadData> {
  const ways: OsmWay[] = [];
  const restrictions: OsmRelation[] = [];
  const needed = new Set<number>();
  let bounds: Bounds | null = null;
  for await (const element of readOsm(pbfFile, (stated) => (bounds = stated))) {
    if (element.type === 'way' && element.tags && drivableWay(element.tags)) {
      ways.push(element);
      for (const ref of element.refs) needed.add(ref);
    } else if (element.type === 'relation' && element.tags?.type === 'restriction') {
      restrictions.push(element);
    }
  }
  const nodes: OsmNode[] = [];
  for await (const element of readOsm(pbfFile)) {
    if (element.type !== 'node') break;
    if (needed.has(element.id)) nodes.push(element);
  }
  return { nodes, ways, restrictions, bounds };
}
