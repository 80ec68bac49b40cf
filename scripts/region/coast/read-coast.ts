import type { Bounds } from '../../../roads/graph/geometry.ts';
import { readOsm } from '../../../roads/build/osm.ts';
import { NodePositions } from '../node-positions.ts';
import { surfacesOf, type Surfaces } from './areas.ts';
import { clippedCoast, joinedRuns, type Point, type Run } from './lines.ts';

/**
 * Land and sea of an extract; `none` where it holds no coast, `broken` where its coast does not part one from
 * the other.
 */
export type Coast = Surfaces | 'none' | 'broken';

/**
 * Reads the coast (`natural=coastline`) of an extract. Reads the file twice, so that only the coast's nodes
 * are in memory.
 */
export async function readCoast(pbfFile: string, bounds: Bounds): Promise<Coast> {
  const ways: number[][] = [];
  const positions = new NodePositions();
  for await (const element of readOsm(pbfFile)) {
    if (element.type !== 'way' || element.tags?.natural !== 'coastline') continue;
    ways.push(element.refs);
    for (const ref of element.refs) positions.want(ref);
  }
  if (ways.length === 0) return 'none';
  for await (const element of readOsm(pbfFile)) {
    if (element.type !== 'node') break;
    positions.set(element.id, element);
  }
  const joined = joinedRuns(ways.flatMap((refs) => knownRuns(refs, positions)));
  const clipped = joined && clippedCoast(joined, bounds);
  if (!clipped) return 'broken';
  // A coast that only passes by outside says nothing of what is inside.
  if (clipped.pieces.length === 0 && clipped.rings.length === 0) return 'none';
  return surfacesOf(clipped, bounds) ?? 'broken';
}

/** The parts of a way whose nodes the extract holds. */
function knownRuns(refs: readonly number[], positions: NodePositions): Run[] {
  const runs: { ids: number[]; points: Point[] }[] = [];
  let isOpen = false;
  for (const ref of refs) {
    const at = positions.get(ref);
    if (!at) {
      isOpen = false;
      continue;
    }
    if (!isOpen) runs.push({ ids: [], points: [] });
    isOpen = true;
    const run = runs.at(-1)!;
    if (run.ids.at(-1) === ref) continue;
    run.ids.push(ref);
    run.points.push([at.lon, at.lat]);
  }
  return runs.filter(({ ids }) => ids.length > 1);
}
