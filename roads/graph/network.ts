/**
 * The road network: travel times, routes and nearest roads, exact on the loaded roads.
 *
 * How it works. An OpenStreetMap extract becomes an *edge-based* graph: its vertices are directed pieces of
 * road between junctions, its arcs the permitted turns with what they cost, so that forbidden turns, waits at
 * signals and U-turns are part of every answer. Times are whole milliseconds and lengths whole decimeters,
 * packed into one exact number (weight.ts), so that `travel`, `route`, `travelFrom` and `travelTo` agree to
 * the last digit whichever end they search from.
 *
 * Answers come from a contraction hierarchy over this graph (contraction.ts builds it, search.ts searches
 * it). It only makes answers faster: each equals a textbook Dijkstra's on the plain graph.
 *
 * Of each extract only the largest part in which everything reaches everything is used; a point snaps onto
 * the nearest road of it where a person may be picked up. On a two-way street it lies on both directed edges,
 * and the better one is used: a car that stops there may leave either way. So a drive with a stop can be
 * slightly quicker than the drive without it, which would have to turn around elsewhere: do not rely on the
 * triangle inequality.
 *
 * Beyond the region drives are estimated. Main roads that end at the border of the extract, or as the last
 * ones on their way out of it (build/outskirts.ts), are its gateways;
 * a point outside is reached through the best gateway, plus great circle × 1.35 from there (outside.ts). In
 * the search such a point is no special case: it is a list of entry and exit edges with offsets, as a point
 * inside is a list of one or two edges. Answers that use it are marked `estimated`. Trips between two points
 * inside use the region's roads alone; between two points outside the direct estimate competes with the drive
 * through the region.
 *
 * Several extracts make one graph. Parts that no road joins are joined by links (links.ts), edges with the
 * estimated drive from a gateway of one to a gateway of the other, where those lie within the same limit; a
 * drive from one part to another is marked `estimated`, too.
 */
import type { Bounds, LonLat } from './geometry.ts';
import type { LandPolygons, RoadGraph } from './graph.ts';
import type { Label } from '../search/label.ts';
import type { RoadPoint } from './point.ts';

export type { Bounds, LonLat } from './geometry.ts';
export type { RoadPoint } from './point.ts';

/** Driving time and length, both whole numbers. */
export interface Travel {
  milliseconds: number;
  metres: number;
  /** Whether part of it is estimated by distance, because no roads are known there. */
  estimated: boolean;
}

export interface Route extends Travel {
  line: [lon: number, lat: number][];
  /** The named streets in driving order, stretches of the same name joined. */
  streets: { name: string; metres: number }[];
}

/**
 * All that is needed of a point to compute its drives from (or to) any other: plain data that can be stored
 * or passed to another thread. Valid for the network that made it, as long as its roads do not change.
 */
export interface RoadLabel extends Label {
  direction: 'from' | 'to';
  point: RoadPoint;
}

/** Why a point cannot be used: no road within reach of it, or beyond 500 miles from the region. */
export type SnapRefusal = { refused: 'noRoadNear' | 'tooFar' };

export interface RoadNetwork {
  readonly bounds: Bounds;
  readonly nodeCount: number;
  readonly edgeCount: number;
  /**
   * The data from which another thread makes the same network, all in shared memory; null where no region is
   * loaded.
   */
  readonly shared: { graph: RoadGraph; lands: readonly LandPolygons[] } | null;
  /** The nearest road where a person can be picked up, or null when there is none within reach. */
  snap(at: LonLat): RoadPoint | null;
  /** As `snap`, with the reason instead of null. */
  snapOrReason(at: LonLat): RoadPoint | SnapRefusal;
  /** The quickest drive, or null when there is none. */
  travel(from: RoadPoint, to: RoadPoint): Travel | null;
  /** The quickest drive with its line and streets. */
  route(from: RoadPoint, to: RoadPoint): Route | null;
  /** One search for all targets; the returned function reads one from its result. */
  travelFrom(from: RoadPoint): (to: RoadPoint) => Travel | null;
  /** One search for all origins; the returned function reads one from its result. */
  travelTo(to: RoadPoint): (from: RoadPoint) => Travel | null;
  /** The label of a point as the start ('from') or the end ('to') of drives. */
  label(point: RoadPoint, direction: 'from' | 'to'): RoadLabel;
  /** As `travel`, from labels made earlier: no search, one pass over two short sorted arrays. */
  meet(from: RoadLabel, to: RoadLabel): Travel | null;
  /** The drives from one point to many, in the order of `to`. */
  oneToMany(from: RoadPoint, to: readonly RoadPoint[]): (Travel | null)[];
  /** The drives from many points to one, in the order of `from`. */
  manyToOne(from: readonly RoadPoint[], to: RoadPoint): (Travel | null)[];
  /** The drives from each point to each other one: a row for every `from`, in the order of `to`. */
  manyToMany(from: readonly RoadPoint[], to: readonly RoadPoint[]): (Travel | null)[][];
}
