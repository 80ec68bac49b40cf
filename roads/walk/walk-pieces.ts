import { greatCircleMetres } from '../graph/geometry.ts';
import type { WalkWays } from './walk-extract.ts';

/** A walkable way between two junctions. */
export interface Piece {
  /** Junctions are numbered from 0; a barrier has one for each side. */
  from: number;
  to: number;
  decimetres: number;
  /** Lon, lat, lon, lat … in degrees. */
  points: number[];
  /** Class of the way: see `WalkWays`. */
  rank: number;
}

/** Cuts ways where they meet, where a barrier stops people, and where the extract ends. */
export function cutPieces(ways: WalkWays): { pieces: Piece[]; junctions: number } {
  const runs: { rank: number; nodes: number[] }[] = [];
  ways.ranks.forEach((rank, way) => {
    for (const nodes of runsOf(ways, way)) runs.push({ rank, nodes });
  });
  const uses = new Uint32Array(ways.nodeIds.length);
  for (const { nodes } of runs) {
    for (const node of nodes) uses[node]!++;
    uses[nodes[0]!]!++;
    uses[nodes.at(-1)!]!++;
  }
  const junctionOf = new Int32Array(ways.nodeIds.length).fill(-1);
  let junctions = 0;
  const junctionAt = (node: number): number => {
    if (ways.blocked[node]) return junctions++;
    if (junctionOf[node]! < 0) junctionOf[node] = junctions++;
    return junctionOf[node]!;
  };
  const pieces: Piece[] = [];
  for (const { rank, nodes } of runs) {
    let start = 0;
    for (let i = 1; i < nodes.length; i++) {
      if (uses[nodes[i]!]! < 2 && !ways.blocked[nodes[i]!]) continue;
      pieces.push(pieceOf(ways, rank, nodes.slice(start, i + 1), junctionAt));
      start = i;
    }
  }
  return { pieces, junctions };
}

/** The stretches of a way whose nodes the extract holds. */
function runsOf(ways: WalkWays, way: number): number[][] {
  const runs: number[][] = [];
  let run: number[] = [];
  for (const node of [...ways.nodesOf(way), -1]) {
    if (node >= 0 && !Number.isNaN(ways.positions[2 * node])) {
      if (node !== run.at(-1)) run.push(node);
      continue;
    }
    if (run.length > 1) runs.push(run);
    run = [];
  }
  return runs;
}

function pieceOf(
  { positions }: WalkWays,
  rank: number,
  nodes: number[],
  junctionAt: (node: number) => number,
): Piece {
  const points = nodes.flatMap((node) => [positions[2 * node]!, positions[2 * node + 1]!]);
  let metres = 0;
  for (let i = 2; i < points.length; i += 2) {
    metres += greatCircleMetres(
      { lon: points[i - 2]!, lat: points[i - 1]! },
      { lon: points[i]!, lat: points[i + 1]! },
    );
  }
  const [from, to] = [junctionAt(nodes[0]!), junctionAt(nodes.at(-1)!)];
  return { from, to, decimetres: Math.max(1, Math.round(metres * 10)), points, rank };
}
