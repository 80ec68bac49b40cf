import Flatbush from 'flatbush';
import { METRES_PER_DEGREE, metresPerDegreeLon, nearestOnLine, type LonLat } from '../graph/geometry.ts';
import { COORDINATE_DEGREES } from '../graph/graph.ts';
import type { WalkArrays } from './walk-graph.ts';

type Shapes = Pick<WalkArrays, 'shapeStart' | 'shapePoints'>;

/** The point where a place joins its nearest path. */
export interface PathPoint {
  piece: number;
  /** From the piece's first vertex. */
  decimetres: number;
  /** From the place to the path, in a straight line. */
  metresFromPath: number;
}

const SEARCH_RADII_METRES = [50, 250, 1_000];

/** Indexes the boxes of all pieces, in shared memory. */
export function boxPieces({ shapeStart, shapePoints }: Shapes): Uint8Array {
  const count = shapeStart.length - 1;
  if (count === 0) return new Uint8Array(new SharedArrayBuffer(0));
  const tree = new Flatbush(count, 16, Int32Array, SharedArrayBuffer);
  for (let p = 0; p < count; p++) {
    const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let i = 2 * shapeStart[p]!; i < 2 * shapeStart[p + 1]!; i += 2) {
      box[0] = Math.min(box[0], shapePoints[i]!);
      box[1] = Math.min(box[1], shapePoints[i + 1]!);
      box[2] = Math.max(box[2], shapePoints[i]!);
      box[3] = Math.max(box[3], shapePoints[i + 1]!);
    }
    tree.add(...box);
  }
  tree.finish();
  return new Uint8Array(tree.data);
}

/** Finds the nearest path. */
export class WalkIndex {
  private readonly graph: Shapes & Pick<WalkArrays, 'pieceDecimetres'>;
  private readonly tree: Flatbush | null;

  constructor(graph: Shapes & Pick<WalkArrays, 'pieceDecimetres' | 'pieceBoxes'>) {
    this.graph = graph;
    const { buffer, byteOffset, byteLength } = graph.pieceBoxes;
    this.tree = byteLength === 0 ? null : Flatbush.from(buffer, byteOffset);
  }

  /** The nearest path within a distance in meters, or null. */
  nearest(at: LonLat, limitMetres: number): PathPoint | null {
    const { shapeStart, shapePoints, pieceDecimetres } = this.graph;
    const radii = [...SEARCH_RADII_METRES.filter((radius) => radius < limitMetres), limitMetres];
    for (const radius of radii) {
      let best: PathPoint | null = null;
      for (const piece of this.piecesNear(at, radius)) {
        const [start, end] = [2 * shapeStart[piece]!, 2 * shapeStart[piece + 1]!];
        const line = { points: shapePoints, start, end, scale: COORDINATE_DEGREES };
        const { metres, fraction } = nearestOnLine(at, line);
        if (metres > radius) continue;
        if (best && (metres > best.metresFromPath || (metres === best.metresFromPath && piece > best.piece)))
          continue;
        best = {
          piece,
          decimetres: Math.round(pieceDecimetres[piece]! * fraction),
          metresFromPath: metres,
        };
      }
      if (best) return best;
    }
    return null;
  }

  private piecesNear({ lon, lat }: LonLat, metres: number): number[] {
    const dLat = metres / METRES_PER_DEGREE;
    const dLon = metres / Math.max(1, metresPerDegreeLon(lat));
    const unit = (degrees: number) => degrees / COORDINATE_DEGREES;
    return this.tree?.search(unit(lon - dLon), unit(lat - dLat), unit(lon + dLon), unit(lat + dLat)) ?? [];
  }
}
