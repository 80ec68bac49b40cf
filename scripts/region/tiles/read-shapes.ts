import { readOsm, type OsmRelation, type Tags } from '../../../roads/build/osm.ts';
import type { Bounds } from '../../../roads/graph/geometry.ts';
import { NodePositions } from '../node-positions.ts';
import { areaLooks, areaLabelLooks, lineLooks, pointLooks } from './looks.ts';
import { assembleRings } from './rings.ts';
import {
  labelPoint,
  reversedPath,
  ringArea,
  squareMetres,
  worldPosition,
  type Path,
  type Shape,
} from './shape.ts';

/**
 * Everything in an extract that the map draws. Reads the file three times (relations; ways; nodes with the
 * ways after them), so that memory holds the positions of drawn nodes and the outlines of multipolygons, no
 * more. `bounds` is the rectangle of the extract.
 */
export async function* readShapes(pbfFile: string, bounds: Bounds): AsyncGenerator<Shape, void, undefined> {
  const [west, south, east, north] = bounds;
  const extract = [...worldPosition(west, north), ...worldPosition(east, south)] as const;
  const relations: OsmRelation[] = [];
  for await (const element of readOsm(pbfFile)) {
    if (element.type === 'relation' && isDrawnRelation(element)) relations.push(element);
  }
  const outlines = new Map<number, Path>();
  for (const { members } of relations)
    for (const { type, ref } of members) if (type === 'way') outlines.set(ref, []);
  const positions = new NodePositions();
  for await (const element of readOsm(pbfFile)) {
    if (element.type !== 'way' || !(outlines.has(element.id) || isDrawn(element.tags))) continue;
    for (const ref of element.refs) positions.want(ref);
  }
  for await (const element of readOsm(pbfFile)) {
    if (element.type === 'relation') break;
    if (element.type === 'node') {
      positions.set(element.id, element);
      if (element.tags) {
        const at = worldPosition(element.lon, element.lat);
        for (const look of pointLooks(element.tags)) yield { ...look, paths: [[...at]] };
      }
      continue;
    }
    const { id, tags, refs } = element;
    const isMember = outlines.has(id);
    if (!isMember && !isDrawn(tags)) continue;
    const path: Path = [];
    for (const ref of refs) {
      const at = positions.get(ref);
      if (at) path.push(...worldPosition(at.lon, at.lat));
    }
    if (isMember) outlines.set(id, path);
    if (tags && path.length > 2) yield* wayShapes(tags, path, refs.length > 3 && refs[0] === refs.at(-1));
  }
  for (const { tags = {}, members } of relations) {
    const lines = (isInner: boolean) =>
      members.flatMap(({ type, ref, role }) =>
        type === 'way' && (role === 'inner') === isInner ? [outlines.get(ref) ?? []] : [],
      );
    const rings = assembleRings(lines(false), lines(true), extract);
    if (rings.length > 0) yield* areaShapes(tags, rings);
  }
}

function isDrawnRelation({ tags = {} }: OsmRelation): boolean {
  const isArea =
    tags.type === 'multipolygon' || (tags.type === 'boundary' && tags.boundary !== 'administrative');
  return isArea && isDrawnArea(tags);
}

function isDrawn(tags: Tags | undefined): boolean {
  if (!tags) return false;
  return lineLooks(tags).length > 0 || isDrawnArea(tags);
}

/** Whether an area of any size is drawn or labeled. */
const isDrawnArea = (tags: Tags): boolean =>
  areaLooks(tags, Infinity).length > 0 || areaLabelLooks(tags, Infinity).length > 0;

function* wayShapes(tags: Tags, path: Path, isClosed: boolean): Generator<Shape> {
  for (const look of lineLooks(tags)) yield { ...look, paths: [path] };
  if (isClosed && ringIsWhole(path))
    yield* areaShapes(tags, [ringArea(path) < 0 ? reversedPath(path) : path]);
}

/** A ring that the extract cut open has lost the node at which it closed, or its shape. */
function ringIsWhole(path: Path): boolean {
  return path.length >= 8 && path[0] === path.at(-2) && path[1] === path.at(-1) && ringArea(path) !== 0;
}

function* areaShapes(tags: Tags, rings: Path[]): Generator<Shape> {
  const area = squareMetres(rings);
  for (const look of areaLooks(tags, area)) yield { ...look, paths: rings };
  const labels = areaLabelLooks(tags, area);
  if (labels.length === 0) return;
  const at = labelPoint(rings);
  for (const look of labels) yield { ...look, paths: [[...at]] };
}
