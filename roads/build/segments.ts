import { greatCircleMetres, type Bounds } from '../graph/geometry.ts';
import { outskirtsOf } from './outskirts.ts';
import type { MergedRoads } from './packs.ts';
import type { OsmNode } from './osm.ts';
import { blocksCars, drivableWay, GATEWAY_RANK, ROAD_CLASSES, type DrivableWay } from './profile.ts';
import { delayDirection, nodeDelay } from './turns.ts';

/** A piece of road between two junctions. */
export interface Segment {
  way: number;
  road: DrivableWay;
  nodes: OsmNode[];
  metres: number;
  /** Delays at nodes along it (a crossing, a stop line), by direction of travel. */
  forwardDelay: number;
  backwardDelay: number;
}

/** A road that goes on beyond the extract may end this far inside its border. */
const BORDER_METRES = 300;
/** A motorway that ends this near the border, as a share of the region's size, was cut off by it. */
const BORDER_SHARE = 0.04;
const TRUNK_LINK_RANK = ROAD_CLASSES.indexOf('trunk_link');
const PRIMARY_RANK = ROAD_CLASSES.indexOf('primary');
const MAIN_RANK = ROAD_CLASSES.indexOf('tertiary_link');
/** The use count of a node where one piece ends and no other begins. */
const DEAD_END_USES = 2;

/** Cuts ways at junctions and at barriers. Ways that leave the data are cut where it ends. */
export function cutSegments(data: MergedRoads): { segments: Segment[]; borderNodes: Set<number> } {
  const nodes = new Map(data.nodes.map((node) => [node.id, node]));
  const pieces: { way: number; road: DrivableWay; nodes: OsmNode[] }[] = [];
  const borderNodes = new Set<number>();
  for (const way of data.ways) {
    const allowed = drivableWay(way.tags ?? {});
    if (!allowed) continue;
    const road = allowed.crossingMs === null ? allowed : atCrossingSpeed(allowed, way.refs, nodes);
    let run: OsmNode[] = [];
    for (const ref of way.refs) {
      const node = nodes.get(ref);
      if (!node) {
        const last = run.at(-1);
        if (last && road.rank <= GATEWAY_RANK) borderNodes.add(last.id);
        if (run.length > 1) pieces.push({ way: way.id, road, nodes: run });
        run = [];
      } else if (node.id !== run.at(-1)?.id) {
        run.push(node);
      }
    }
    if (run.length > 1) pieces.push({ way: way.id, road, nodes: run });
    const first = pieces.at(-1)?.nodes[0];
    if (first && first.id !== way.refs[0] && !nodes.has(way.refs[0]!) && road.rank <= GATEWAY_RANK) {
      borderNodes.add(first.id);
    }
  }
  const uses = countUses(pieces);
  const mainUses = countUses(pieces.filter(({ road }) => road.rank <= MAIN_RANK));
  const isLastOnItsWay = outskirtsOf(pieces.flatMap((piece) => piece.nodes));
  const segments: Segment[] = [];
  for (const piece of pieces) {
    for (const [end, before] of [
      [piece.nodes[0]!, piece.nodes[1]!],
      [piece.nodes.at(-1)!, piece.nodes.at(-2)!],
    ] as const) {
      // A highway whose next piece is missing may still meet a lane where it was cut.
      const endsHere = (piece.road.rank <= PRIMARY_RANK ? mainUses : uses).get(end.id) === DEAD_END_USES;
      // A road that ends at the border of one extract but inside another really ends there.
      if (!endsHere || piece.road.rank > GATEWAY_RANK || borderNodes.has(end.id)) continue;
      const leaves = data
        .packsOf(end.id)
        .every((pack) => endsAtBorder(end, piece.road.rank, data.packs[pack]!.bounds));
      // An extract that was cut along a border of its own, with its ways whole, ends where its roads do.
      if (leaves || isLastOnItsWay(before, end)) borderNodes.add(end.id);
    }
    let start = 0;
    for (let i = 1; i < piece.nodes.length; i++) {
      const node = piece.nodes[i]!;
      const isEnd = i === piece.nodes.length - 1;
      if (!isEnd && uses.get(node.id)! < 2 && !(node.tags && blocksCars(node.tags))) continue;
      segments.push(segment(piece.way, piece.road, piece.nodes.slice(start, i + 1)));
      start = i;
    }
  }
  return { segments, borderNodes };
}

/**
 * A ferry at the speed that its duration and its whole length make; unchanged where a part of it is unknown.
 */
function atCrossingSpeed(
  road: DrivableWay,
  refs: readonly number[],
  nodes: ReadonlyMap<number, OsmNode>,
): DrivableWay {
  let metres = 0;
  for (let i = 1; i < refs.length; i++) {
    const [a, b] = [nodes.get(refs[i - 1]!), nodes.get(refs[i]!)];
    if (!a || !b) return road;
    metres += greatCircleMetres(a, b);
  }
  const kmh = (metres * 3600) / road.crossingMs!;
  return kmh > 0 ? { ...road, forwardKmh: kmh, backwardKmh: kmh } : road;
}

/** How often pieces touch each node: once along a piece, twice at its end. Two and more make a junction. */
function countUses(pieces: { nodes: OsmNode[] }[]): Map<number, number> {
  const uses = new Map<number, number>();
  for (const { nodes } of pieces) {
    for (const { id } of [...nodes, nodes[0]!, nodes.at(-1)!]) uses.set(id, (uses.get(id) ?? 0) + 1);
  }
  return uses;
}

function segment(way: number, road: DrivableWay, nodes: OsmNode[]): Segment {
  let metres = 0;
  for (let i = 1; i < nodes.length; i++) metres += greatCircleMetres(nodes[i - 1]!, nodes[i]!);
  let forwardDelay = 0;
  let backwardDelay = 0;
  for (const { tags } of nodes.slice(1, -1)) {
    if (!tags) continue;
    const direction = delayDirection(tags);
    if (direction !== 'backward') forwardDelay += nodeDelay(tags);
    if (direction !== 'forward') backwardDelay += nodeDelay(tags);
  }
  return { way, road, nodes, metres, forwardDelay, backwardDelay };
}

function endsAtBorder(node: OsmNode, rank: number, [west, south, east, north]: Bounds): boolean {
  const width = greatCircleMetres({ lon: west, lat: node.lat }, { lon: east, lat: node.lat });
  const height = greatCircleMetres({ lon: node.lon, lat: south }, { lon: node.lon, lat: north });
  const reach =
    rank <= TRUNK_LINK_RANK ? Math.max(BORDER_METRES, Math.max(width, height) * BORDER_SHARE) : BORDER_METRES;
  return (
    [west, east].some((lon) => greatCircleMetres(node, { lon, lat: node.lat }) < reach) ||
    [south, north].some((lat) => greatCircleMetres(node, { lon: node.lon, lat }) < reach)
  );
}
