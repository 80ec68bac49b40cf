import Flatbush from 'flatbush';
import {
  METRES_PER_DEGREE,
  metresPerDegreeLon,
  nearestOnLine,
  type LonLat,
  type NearestOnLine,
} from '../graph/geometry.ts';
import { COORDINATE_DEGREES, PICK_UP, round7, type RoadGraph } from '../graph/graph.ts';
import type { Arrival, Departure } from '../graph/point.ts';
import { partialWeight } from '../graph/weight.ts';

/** A position on a road, as the search needs it. */
interface Snapped {
  lon: number;
  lat: number;
  metresFromRoad: number;
  streetName: string | null;
  arrivals: Arrival[];
  departures: Departure[];
}

/** Searches small boxes before large ones: most points lie next to a road. */
const SEARCH_RADII_METRES = [60, 250];

/** Finds the nearest road where pick-up is possible. */
export class RoadIndex {
  private readonly graph: RoadGraph;
  /** Shapes with an edge where pick-up is possible, in the order of the index. */
  private readonly shapes: number[] = [];
  /** The first edge of shape s that can be used: forward at 2s, against at 2s + 1; -1 when there is none. */
  private readonly shapeEdges: Int32Array;
  /** Further edges at the same place: a road that a turn restriction leads over has several edges. */
  private readonly moreEdges = new Map<number, number[]>();
  private readonly tree: Flatbush | null;

  constructor(graph: RoadGraph) {
    this.graph = graph;
    this.shapeEdges = new Int32Array((graph.shapeStart.length - 1) * 2).fill(-1);
    for (let e = 0; e < graph.edgeCount; e++) {
      if (!(graph.edgeFlags[e]! & PICK_UP)) continue;
      const place = graph.edgeShape[e]!;
      if (this.shapeEdges[place]! < 0) this.shapeEdges[place] = e;
      else this.moreEdges.set(place, [...(this.moreEdges.get(place) ?? []), e]);
    }
    for (let s = 0; s < graph.shapeStart.length - 1; s++) {
      if (this.shapeEdges[2 * s]! >= 0 || this.shapeEdges[2 * s + 1]! >= 0) this.shapes.push(s);
    }
    this.tree = this.shapes.length === 0 ? null : new Flatbush(this.shapes.length);
    for (const s of this.shapes) this.tree?.add(...this.box(s));
    this.tree?.finish();
  }

  /** The nearest road within a distance in meters, or null. */
  nearest(at: LonLat, limitMetres: number): Snapped | null {
    const radii = [...SEARCH_RADII_METRES.filter((radius) => radius < limitMetres), limitMetres];
    for (const radius of radii) {
      let best: NearestOnLine | null = null;
      let bestShape = -1;
      for (const s of this.shapesNear(at, radius)) {
        const { shapeStart, shapePoints } = this.graph;
        const near = nearestOnLine(at, {
          points: shapePoints,
          start: shapeStart[s]! * 2,
          end: shapeStart[s + 1]! * 2,
          scale: COORDINATE_DEGREES,
        });
        if (near.metres > radius) continue;
        if (best && (near.metres > best.metres || (near.metres === best.metres && s > bestShape))) continue;
        best = near;
        bestShape = s;
      }
      if (best) return this.onShape(bestShape, best);
    }
    return null;
  }

  private onShape(shape: number, near: NearestOnLine): Snapped {
    const { graph } = this;
    const arrivals: Arrival[] = [];
    const departures: Departure[] = [];
    for (const place of [2 * shape, 2 * shape + 1]) {
      const first = this.shapeEdges[place]!;
      if (first < 0) continue;
      const fraction = place & 1 ? 1 - near.fraction : near.fraction;
      for (const edge of [first, ...(this.moreEdges.get(place) ?? [])]) {
        const before = partialWeight(graph.edgeMilliseconds[edge]!, graph.edgeDecimetres[edge]!, fraction);
        const after = graph.edgeWeight[edge]! - before;
        arrivals.push({ edge, weight: before, fraction });
        for (let a = graph.arcStart[edge]!; a < graph.arcStart[edge + 1]!; a++) {
          departures.push({ edge: graph.arcTo[a]!, weight: after + graph.arcWeight[a]!, from: edge });
        }
      }
    }
    const name = graph.edgeName[arrivals[0]!.edge]!;
    return {
      lon: round7(near.lon),
      lat: round7(near.lat),
      metresFromRoad: near.metres,
      streetName: name < 0 ? null : graph.names[name]!,
      arrivals,
      departures,
    };
  }

  private shapesNear(at: LonLat, metres: number): number[] {
    const dLat = metres / METRES_PER_DEGREE;
    const dLon = metres / Math.max(1, metresPerDegreeLon(at.lat));
    const found = this.tree?.search(at.lon - dLon, at.lat - dLat, at.lon + dLon, at.lat + dLat) ?? [];
    return found.map((i) => this.shapes[i]!);
  }

  private box(shape: number): [number, number, number, number] {
    const { shapeStart, shapePoints } = this.graph;
    const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let i = shapeStart[shape]!; i < shapeStart[shape + 1]!; i++) {
      const lon = shapePoints[2 * i]! * COORDINATE_DEGREES;
      const lat = shapePoints[2 * i + 1]! * COORDINATE_DEGREES;
      box[0] = Math.min(box[0], lon);
      box[1] = Math.min(box[1], lat);
      box[2] = Math.max(box[2], lon);
      box[3] = Math.max(box[3], lat);
    }
    return box;
  }
}
