import { boundsOf, insidePolygon, type LonLat } from '../graph/geometry.ts';
import { readOsm, type OsmNode, type OsmRelation, type OsmWay } from '../build/osm.ts';
import { writePbf } from '../build/write-pbf.ts';

/**
 * Cuts an extract along a ring as countries are cut: every way that has a node inside stays whole, and the
 * header tells the rectangle around the ring.
 */
export async function cutExtract(
  from: string,
  to: string,
  ring: readonly LonLat[],
  changeWay: (way: OsmWay) => OsmWay = (way) => way,
): Promise<void> {
  const nodes = new Map<number, OsmNode>();
  const ways: OsmWay[] = [];
  const relations: OsmRelation[] = [];
  const corners = ring.map(({ lon, lat }): [number, number] => [lon, lat]);
  const isInside = (id: number) => insidePolygon(nodes.get(id)!, [corners]);
  for await (const element of readOsm(from)) {
    if (element.type === 'node') nodes.set(element.id, element);
    else if (element.type === 'relation') relations.push(element);
    else if (element.refs.some((id) => nodes.has(id) && isInside(id))) ways.push(changeWay(element));
  }
  const used = new Set(ways.flatMap(({ refs }) => refs));
  const kept = [...nodes.values()].filter(({ id }) => used.has(id));
  const wayIds = new Set(ways.map(({ id }) => id));
  const around = relations.filter(({ members }) => members.some(({ ref }) => wayIds.has(ref)));
  await writePbf(to, [...kept, ...ways, ...around], boundsOf(ring));
}
