import {
  boundsOf,
  greatCircleMetres,
  insidePolygon,
  isOnEarth,
  withinBounds,
  type Bounds,
  type LonLat,
} from './geometry.ts';
import { edgeLine, type LandPolygons, type RoadGraph } from './graph.ts';
import { bestMeeting } from '../search/label.ts';
import { BucketTable } from '../search/many-to-many.ts';
import type { RoadLabel, RoadNetwork, RoadPoint, Route, SnapRefusal, Travel } from './network.ts';
import { OUTSIDE_LIMIT_METRES, outsideWeight } from './outside.ts';
import { drawRoute } from '../search/route.ts';
import { directWeight } from './point.ts';
import { Search } from '../search/search.ts';
import { RoadIndex } from '../search/snap.ts';
import type { Sweep } from '../search/sweep.ts';
import { weightMetres, weightMilliseconds, type Weight } from './weight.ts';

interface RoadNetworkOptions {
  /**
   * Polygons of dry land, for each region that has a coast: a point in the box around one of them but on no
   * land is refused.
   */
  lands?: readonly LandPolygons[];
}

/** How far from a road a point inside the region may lie. */
const SNAP_LIMIT_METRES = 1_000;
/** A point at most this far beyond the border still snaps to a road. */
const BORDER_SNAP_METRES = 250;

/** The network over a built graph. One object serves one thread; several may share the graph's memory. */
export function createRoadNetwork(graph: RoadGraph, options: RoadNetworkOptions = {}): RoadNetwork {
  return new GraphNetwork(graph, options.lands ?? []);
}

class GraphNetwork implements RoadNetwork {
  readonly bounds: Bounds;
  readonly nodeCount: number;
  readonly edgeCount: number;
  readonly shared: RoadNetwork['shared'];
  private readonly graph: RoadGraph;
  private readonly index: RoadIndex;
  private readonly search: Search;
  private sweep: Sweep | undefined;
  private sweepBack: Sweep | undefined;
  private buckets: BucketTable | undefined;
  private readonly land: LandPolygons;
  private readonly landBounds: Bounds[];
  private readonly exits: { edge: number; at: LonLat }[];
  private readonly entries: { edge: number; at: LonLat }[];

  constructor(graph: RoadGraph, lands: readonly LandPolygons[]) {
    this.graph = graph;
    this.shared = { graph, lands };
    this.bounds = graph.bounds;
    this.nodeCount = graph.nodeCount;
    this.edgeCount = graph.edgeCount;
    this.index = new RoadIndex(graph);
    this.search = new Search(graph.hierarchy);
    this.land = lands.flat();
    this.landBounds = lands.map(boundsOfLand);
    this.exits = Array.from(graph.exitEdges, (edge) => ({
      edge,
      at: position(edgeLine(graph, edge).at(-1)!),
    }));
    this.entries = Array.from(graph.entryEdges, (edge) => ({
      edge,
      at: position(edgeLine(graph, edge)[0]!),
    }));
  }

  snap(at: LonLat): RoadPoint | null {
    const point = this.snapOrReason(at);
    return 'refused' in point ? null : point;
  }

  snapOrReason(at: LonLat): RoadPoint | SnapRefusal {
    if (!isOnEarth(at)) return { refused: 'noRoadNear' };
    const inside = this.graph.packBounds.some((bounds) => withinBounds(at, bounds));
    const snapped = this.index.nearest(at, inside ? SNAP_LIMIT_METRES : BORDER_SNAP_METRES);
    if (snapped) return { ...snapped, estimated: false };
    return inside || this.isAtSea(at) ? { refused: 'noRoadNear' } : this.outsidePoint(at);
  }

  travel(from: RoadPoint, to: RoadPoint): Travel | null {
    return this.travelOf(this.search.weight(from.departures, to.arrivals, directWeight(from, to)), from, to);
  }

  route(from: RoadPoint, to: RoadPoint): Route | null {
    const direct = directWeight(from, to);
    const path = this.search.path(from.departures, to.arrivals, direct);
    const travel = this.travelOf(path?.weight ?? direct, from, to);
    return travel && { ...travel, ...drawRoute(this.graph, from, to, path?.edges ?? null) };
  }

  travelFrom(from: RoadPoint): (to: RoadPoint) => Travel | null {
    const sweep = this.search.from(from.departures);
    return (to) => this.travelOf(this.sweptTo(sweep, from, to), from, to);
  }

  travelTo(to: RoadPoint): (from: RoadPoint) => Travel | null {
    const sweep = this.search.to(to.arrivals);
    return (from) => this.travelOf(this.sweptFrom(sweep, from, to), from, to);
  }

  label(point: RoadPoint, direction: 'from' | 'to'): RoadLabel {
    const label =
      direction === 'from' ? this.search.labelFrom(point.departures) : this.search.labelTo(point.arrivals);
    return { direction, point, ...label };
  }

  meet(from: RoadLabel, to: RoadLabel): Travel | null {
    return this.travelOf(bestMeeting(from, to, directWeight(from.point, to.point)), from.point, to.point);
  }

  oneToMany(from: RoadPoint, to: readonly RoadPoint[]): (Travel | null)[] {
    this.sweep = this.search.from(from.departures, this.sweep);
    const { sweep } = this;
    return to.map((point) => this.travelOf(this.sweptTo(sweep, from, point), from, point));
  }

  manyToOne(from: readonly RoadPoint[], to: RoadPoint): (Travel | null)[] {
    this.sweepBack = this.search.to(to.arrivals, this.sweepBack);
    const { sweepBack } = this;
    return from.map((point) => this.travelOf(this.sweptFrom(sweepBack, point, to), point, to));
  }

  manyToMany(from: readonly RoadPoint[], to: readonly RoadPoint[]): (Travel | null)[][] {
    this.buckets ??= new BucketTable(this.edgeCount);
    to.forEach((point, column) => this.buckets!.add(this.search.labelTo(point.arrivals), column));
    const rows = from.map((start) => {
      const row = Float64Array.from(to, (end) => directWeight(start, end));
      this.buckets!.lower(this.search.labelFrom(start.departures), row);
      return to.map((end, column) => this.travelOf(row[column]!, start, end));
    });
    this.buckets.clear();
    return rows;
  }

  private travelOf(weight: Weight, from: RoadPoint, to: RoadPoint): Travel | null {
    if (weight === Infinity) return null;
    return {
      milliseconds: weightMilliseconds(weight),
      metres: weightMetres(weight),
      estimated: from.estimated || to.estimated || this.partOf(from) !== this.partOf(to),
    };
  }

  /**
   * The part of the roads on which a point lies, read from one edge: all of a point's edges share the part.
   */
  private partOf({ arrivals }: RoadPoint): number {
    return this.graph.edgePart[arrivals[0]!.edge]!;
  }

  private sweptTo(sweep: Sweep, from: RoadPoint, to: RoadPoint): Weight {
    let best = directWeight(from, to);
    for (const { edge, weight } of to.arrivals)
      best = Math.min(best, sweep.at(this.graph.hierarchy.rankOf[edge]!) + weight);
    return best;
  }

  private sweptFrom(sweep: Sweep, from: RoadPoint, to: RoadPoint): Weight {
    let best = directWeight(from, to);
    for (const { edge, weight } of from.departures)
      best = Math.min(best, weight + sweep.at(this.graph.hierarchy.rankOf[edge]!));
    return best;
  }

  private isAtSea(at: LonLat): boolean {
    if (!this.landBounds.some((bounds) => withinBounds(at, bounds))) return false;
    return !this.land.some((rings) => insidePolygon(at, rings));
  }

  /** A point beyond the region as offsets to the gateways. */
  private outsidePoint(at: LonLat): RoadPoint | SnapRefusal {
    const near = (gateway: { at: LonLat }) => greatCircleMetres(at, gateway.at) <= OUTSIDE_LIMIT_METRES;
    const exits = this.exits.filter(near);
    const entries = this.entries.filter(near);
    if (exits.length === 0 || entries.length === 0) return { refused: 'tooFar' };
    return {
      lon: at.lon,
      lat: at.lat,
      metresFromRoad: 0,
      streetName: null,
      estimated: true,
      arrivals: exits.map(({ edge, at: gateway }) => ({
        edge,
        weight: this.graph.edgeWeight[edge]! + outsideWeight(gateway, at),
        fraction: 1,
      })),
      departures: entries.map(({ edge, at: gateway }) => ({
        edge,
        weight: outsideWeight(at, gateway),
        from: -1,
      })),
    };
  }
}

function position([lon, lat]: [number, number]): LonLat {
  return { lon, lat };
}

function boundsOfLand(land: LandPolygons): Bounds {
  return boundsOf(land.flat(2).map(position));
}
