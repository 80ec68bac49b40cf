import { readOsm, type OsmNode, type OsmWay } from '../build/osm.ts';
import { ROAD_CLASSES } from '../build/profile.ts';
import { blocksWalkers, isWalkable } from './walk-profile.ts';

/** The rank of a walkable way that is not a road for cars. */
export const PATH_RANK = ROAD_CLASSES.length;

/**
 * The walkable ways of one or several extracts, gathered in flat arrays: first the ways, then their nodes.
 * Ways that two extracts share are added once.
 */
export class WalkWays {
  /**
   * Nodes of way w, by their position in `nodeIds`: `refs[starts[w] … starts[w + 1] - 1]` once the nodes are
   * read.
   */
  readonly starts: number[] = [0];
  readonly ranks: number[] = [];
  nodeIds = new Float64Array();
  /** Lon then lat in degrees, NaN where the extract lacks the node. */
  positions = new Float64Array();
  blocked = new Uint8Array();
  private readonly refs: number[] = [];
  private readonly ways = new Set<number>();

  addWay({ id, refs, tags }: OsmWay): void {
    if (!tags || !isWalkable(tags) || this.ways.has(id)) return;
    this.ways.add(id);
    for (const ref of refs) this.refs.push(ref);
    this.starts.push(this.refs.length);
    const rank = (ROAD_CLASSES as readonly string[]).indexOf(tags.highway!);
    this.ranks.push(rank < 0 ? PATH_RANK : rank);
  }

  /** Call after the last way and before the first node. */
  closeWays(): void {
    const sorted = Float64Array.from(this.refs).toSorted();
    let count = 0;
    for (let i = 0; i < sorted.length; i++) {
      if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[count++] = sorted[i]!;
    }
    this.nodeIds = sorted.slice(0, count);
    this.positions = new Float64Array(count * 2).fill(NaN);
    this.blocked = new Uint8Array(count);
  }

  addNode({ id, lon, lat, tags }: OsmNode): void {
    const i = this.indexOf(id);
    if (i < 0) return;
    this.positions[2 * i] = lon;
    this.positions[2 * i + 1] = lat;
    if (tags && blocksWalkers(tags)) this.blocked[i] = 1;
  }

  /** The nodes of a way, as indices into `nodeIds`. */
  nodesOf(way: number): number[] {
    return this.refs.slice(this.starts[way], this.starts[way + 1]).map((ref) => this.indexOf(ref));
  }

  private indexOf(id: number): number {
    const { nodeIds } = this;
    let low = 0;
    let high = nodeIds.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      if (nodeIds[middle]! < id) low = middle + 1;
      else if (nodeIds[middle]! > id) high = middle - 1;
      else return middle;
    }
    return -1;
  }
}

/**
 * Reads the walkable ways of extracts. Each file is read twice, ways before nodes, so that only nodes of
 * walkable ways are in memory.
 * @throws when a file is missing or not OSM PBF.
 */
export async function readWalkWays(pbfFiles: readonly string[]): Promise<WalkWays> {
  const ways = new WalkWays();
  for (const file of pbfFiles) {
    for await (const element of readOsm(file)) if (element.type === 'way') ways.addWay(element);
  }
  ways.closeWays();
  for (const file of pbfFiles) {
    for await (const element of readOsm(file)) {
      if (element.type !== 'node') break;
      ways.addNode(element);
    }
  }
  return ways;
}

/** As `readWalkWays`, from elements in memory. */
export function walkWaysOf({
  ways,
  nodes,
}: {
  ways: readonly OsmWay[];
  nodes: readonly OsmNode[];
}): WalkWays {
  const walk = new WalkWays();
  for (const way of ways) walk.addWay(way);
  walk.closeWays();
  for (const node of nodes) walk.addNode(node);
  return walk;
}
