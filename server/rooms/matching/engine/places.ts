import { LaneTable, noTime, type TimeLabel } from './lanes.ts';
import { cellOf, type RoadCells } from '#roads/cells.ts';
import type { RoadGraph } from '#roads/graph.ts';
import type { RoadNetwork, RoadPoint } from '#roads/network.ts';
import { weightMilliseconds } from '#roads/weight.ts';

/** Stands for "on no road of the region" where a shape is asked for. */
export const noShape = -1;

/** What the index needs of the roads: places, their labels, and the bounds between cells. */
export class Places {
  readonly network: RoadNetwork;
  readonly cellCount: number;
  /** Tables on which whoever asks lays out the labels of the question at hand; one question at a time. */
  readonly tables: Record<'toPickups' | 'fromPickups' | 'toDropoffs' | 'fromDropoffs', LaneTable>;
  private readonly graph: RoadGraph | null;
  private readonly cells: RoadCells | null;
  /** The bounds column by column. */
  private readonly secondsInto: Uint16Array;

  /** @param graph null where no region is loaded: then all points lie in one cell, and nothing is bounded. */
  constructor(network: RoadNetwork, graph: RoadGraph | null, cells: RoadCells | null) {
    this.network = network;
    const table = () => new LaneTable(network.edgeCount);
    this.tables = { toPickups: table(), fromPickups: table(), toDropoffs: table(), fromDropoffs: table() };
    this.graph = graph;
    this.cells = cells;
    this.cellCount = cells?.count ?? 1;
    this.secondsInto = cells === null ? new Uint16Array(1) : transposed(cells.seconds, cells.count);
  }

  /** The place of a position on the roads; null where none is near. */
  at(position: { lon: number; lat: number }): Place | null {
    const point = this.network.snap(position);
    if (point === null) return null;
    const isOnRoad = this.graph !== null && !point.estimated;
    return new Place(
      this.network,
      point,
      this.graph === null || this.cells === null ? 0 : cellOf(this.cells, this.graph, point),
      isOnRoad ? this.graph.edgeShape[point.arrivals[0]!.edge]! >> 1 : noShape,
    );
  }

  /** Whether a cell lies beyond the region, where there is more than one. */
  isOutside(cell: number): boolean {
    return cell === this.cellCount - 1;
  }

  /**
   * The drive between two places on one shape, which may pass no hub; between two beyond the region likewise. Rounded
   * down to a time that fits beside `noTime`.
   */
  alongShapeMs(from: Place, to: Place): number {
    return Math.min(this.network.travel(from.point, to.point)?.milliseconds ?? noTime, noTime);
  }

  /** The least seconds from one of some cells into each cell. */
  secondsFrom(cells: ReadonlySet<number>): Uint16Array {
    return least(this.cells?.seconds ?? this.secondsInto, this.cellCount, cells);
  }

  /** The least seconds from each cell into one of some cells. */
  secondsTo(cells: ReadonlySet<number>): Uint16Array {
    return least(this.secondsInto, this.cellCount, cells);
  }
}

/** A position on the roads with what is known of the drives from and to it, made when first asked for. */
export class Place {
  readonly point: RoadPoint;
  readonly cell: number;
  /** Two places on one shape may be joined without passing any hub. */
  readonly shape: number;
  private readonly network: RoadNetwork;
  private fromLabel: TimeLabel | undefined;
  private toLabel: TimeLabel | undefined;

  constructor(network: RoadNetwork, point: RoadPoint, cell: number, shape: number) {
    this.network = network;
    this.point = point;
    this.cell = cell;
    this.shape = shape;
  }

  get from(): TimeLabel {
    return (this.fromLabel ??= timesOf(this.network.label(this.point, 'from')));
  }

  get to(): TimeLabel {
    return (this.toLabel ??= timesOf(this.network.label(this.point, 'to')));
  }
}

function timesOf({ hubs, weights }: { hubs: Uint32Array; weights: Float64Array }): TimeLabel {
  const milliseconds = new Uint32Array(weights.length);
  for (let i = 0; i < weights.length; i++) milliseconds[i] = weightMilliseconds(weights[i]!);
  return { hubs, milliseconds };
}

function least(rows: Uint16Array, count: number, cells: ReadonlySet<number>): Uint16Array {
  const [first, ...others] = cells;
  const found = rows.slice(first! * count, (first! + 1) * count);
  for (const cell of others) {
    const row = cell * count;
    for (let i = 0; i < count; i++) if (rows[row + i]! < found[i]!) found[i] = rows[row + i]!;
  }
  return found;
}

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
