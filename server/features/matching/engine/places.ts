import { cellOf, enteringSeconds, leavingSeconds, type RoadCells } from '#roads/graph/cells.ts';
import type { RoadGraph } from '#roads/graph/graph.ts';
import type { RoadNetwork, RoadPoint, Travel } from '#roads/graph/network.ts';
import { weightMilliseconds } from '#roads/graph/weight.ts';
import { waysIntoCore } from '#roads/search/core-ways.ts';
import { LaneSweep, type Seed } from '#roads/search/lane-sweep.ts';
import { noTime, type TimeHierarchy } from '#roads/search/time-arcs.ts';

/** The shape of a point beyond the roads of the region. */
export const noShape = -1;

/** The roads of a loaded region, as the index needs them. */
export interface PlaceRoads {
  graph: RoadGraph;
  cells: RoadCells;
  times: TimeHierarchy;
}

/** The roads as the index needs them: places, the drives of a question, and the bounds between cells. */
export class Places {
  readonly network: RoadNetwork;
  readonly cellCount: number;
  /**
   * The drives from and to both sets of points of the current question, one question at a time. Of a request:
   * its pick-ups and its drop-offs; of a ride: its stops, and none.
   */
  readonly sweeps: Record<'toFirst' | 'fromFirst' | 'toSecond' | 'fromSecond', LaneSweep>;
  private readonly graph: RoadGraph | null;
  private readonly cells: RoadCells | null;
  private readonly times: TimeHierarchy;
  /** The bounds column by column. */
  private readonly secondsInto: Uint16Array;

  /** @param roads null where no region is loaded: then all points are in one cell, and nothing is bounded. */
  constructor(network: RoadNetwork, roads: PlaceRoads | null) {
    this.network = network;
    const times = roads?.times ?? noTimes;
    const [to, from] = [() => new LaneSweep(times, 'to'), () => new LaneSweep(times, 'from')];
    this.sweeps = { toFirst: to(), fromFirst: from(), toSecond: to(), fromSecond: from() };
    this.times = times;
    const cells = roads?.cells ?? null;
    this.graph = roads?.graph ?? null;
    this.cells = cells;
    this.cellCount = cells?.count ?? 1;
    this.secondsInto = cells === null ? new Uint16Array(1) : transposed(cells.seconds, cells.count);
  }

  /** The place of a position on the roads; null where none is near. */
  at(position: { lon: number; lat: number }): Place | null {
    const point = this.network.snap(position);
    if (point === null) return null;
    const isOnRoad = this.graph !== null && !point.estimated;
    const { graph, cells } = this;
    const inCell =
      graph === null || cells === null
        ? { cell: 0, leaving: 0, entering: 0 }
        : {
            cell: cellOf(cells, graph, point),
            leaving: leavingSeconds(cells, graph, point),
            entering: enteringSeconds(cells, point),
          };
    const shape = isOnRoad ? this.graph.edgeShape[point.arrivals[0]!.edge]! >> 1 : noShape;
    return {
      point,
      ...inCell,
      shape,
      arrivals: this.seeds(point.arrivals),
      departures: this.seeds(point.departures),
    };
  }

  private seeds(ends: readonly { edge: number; weight: number }[]): Seed[] {
    return ends.map(({ edge, weight }) => ({
      vertex: this.times.vertexOf[edge]!,
      milliseconds: weightMilliseconds(weight),
    }));
  }

  /** The ways into the core of drives from a place; none where it is beyond the region. */
  waysFrom({ shape, arrivals }: Place): number[] {
    // The time from the start of an edge, less the part before the place.
    const ends = arrivals.map(({ vertex, milliseconds }) => ({ vertex, milliseconds: -milliseconds }));
    return waysIntoCore(this.times, 'to', shape === noShape ? [] : ends);
  }

  /** The same of drives to a place. */
  waysTo({ shape, arrivals }: Place): number[] {
    return waysIntoCore(this.times, 'from', shape === noShape ? [] : arrivals);
  }

  /** The drive between two positions, null where no road leads. */
  travel(from: { lon: number; lat: number }, to: { lon: number; lat: number }): Travel | null {
    const [a, b] = [this.network.snap(from), this.network.snap(to)];
    return a === null || b === null ? null : this.network.travel(a, b);
  }

  /** The cell of a road. */
  cellOfShape(shape: number): number {
    return this.cells === null ? 0 : this.cells.cellOfShape[shape]!;
  }

  /** Whether a cell is beyond the region, where there is more than one. */
  isOutside(cell: number): boolean {
    return cell === this.cellCount - 1;
  }

  /**
   * The drive between two places on one shape, which may pass no hub; the same for two beyond the region.
   * Rounded down to a time less than `noTime`.
   */
  alongShapeMs(from: Place, to: Place): number {
    return Math.min(this.network.travel(from.point, to.point)?.milliseconds ?? noTime, noTime);
  }

  /**
   * Milliseconds from each of some places to each of others, row by row; `noTime` where no road leads.
   * @param fromAll a sweep from the first.
   */
  directs(from: readonly Place[], to: readonly Place[], fromAll: LaneSweep): Int32Array {
    const directs = new Int32Array(from.length * to.length);
    const times = new Int32Array(from.length);
    to.forEach((end, d) => {
      times.fill(noTime);
      for (const { vertex, milliseconds } of end.arrivals) fromAll.lower(vertex, milliseconds, times);
      from.forEach((start, p) => {
        directs[p * to.length + d] = start.shape === end.shape ? this.alongShapeMs(start, end) : times[p]!;
      });
    });
    return directs;
  }

  /**
   * The least seconds from any of some places into each cell, without the seconds inside that cell. For the
   * places' own cells a number so low that adding those never makes it positive.
   */
  secondsFrom(places: readonly Place[]): Int32Array {
    return this.least(this.cells?.seconds ?? this.secondsInto, places, ({ leaving }) => leaving);
  }

  /** The least seconds from each cell to any of some places, likewise. */
  secondsTo(places: readonly Place[]): Int32Array {
    return this.least(this.secondsInto, places, ({ entering }) => entering);
  }

  private least(rows: Uint16Array, places: readonly Place[], own: (place: Place) => number): Int32Array {
    const count = this.cellCount;
    const inCell = new Map<number, number>();
    for (const place of places)
      inCell.set(place.cell, Math.min(inCell.get(place.cell) ?? Infinity, own(place)));
    const found = new Int32Array(count).fill(2 ** 30);
    for (const [cell, seconds] of inCell) {
      const row = cell * count;
      for (let i = 0; i < count; i++) {
        const total = rows[row + i]! + seconds;
        if (total < found[i]!) found[i] = total;
      }
    }
    for (const cell of inCell.keys()) found[cell] = sameCell;
    return found;
  }
}

/** Below minus every time that could be added. */
const sameCell = -(2 ** 20);

/** The roads on which some places lie. */
export class Shapes {
  private readonly shapes: readonly number[];
  /** One bit for all shapes that have the same lowest bits: most questions are answered by it. */
  private bits = 0;

  constructor(places: readonly Place[]) {
    this.shapes = places.map(({ shape }) => shape);
    for (const shape of this.shapes) this.bits |= 1 << (shape & 31);
  }

  has(shape: number): boolean {
    return ((this.bits >>> (shape & 31)) & 1) === 1 && this.shapes.includes(shape);
  }
}

/** A position on the roads. */
export interface Place {
  readonly point: RoadPoint;
  readonly cell: number;
  /** Seconds until the cell can be left, and from where it can be entered. */
  readonly leaving: number;
  readonly entering: number;
  /** The drive between two places on one shape may pass no vertex of the hierarchy. */
  readonly shape: number;
  /** Where drives to the place end, and where drives from it begin. */
  readonly arrivals: readonly Seed[];
  readonly departures: readonly Seed[];
}

const noArcs = { start: new Uint32Array(1), arcs: new Int32Array() };
const noLists = { start: new Uint32Array(), lists: new Int32Array() };
const noTimes: TimeHierarchy = {
  vertexOf: new Uint32Array(),
  up: noArcs,
  down: noArcs,
  core: 0,
  upIntoCore: noLists,
  downIntoCore: noLists,
  pieces: 0,
};

function transposed(rows: Uint16Array, count: number): Uint16Array {
  const columns = new Uint16Array(rows.length);
  const block = 64;
  for (let top = 0; top < count; top += block) {
    for (let left = 0; left < count; left += block) {
      for (let row = top; row < Math.min(count, top + block); row++) {
        for (let column = left; column < Math.min(count, left + block); column++)
          columns[column * count + row] = rows[row * count + column]!;
      }
    }
  }
  return columns;
}
