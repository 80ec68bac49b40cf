import type { LaneSweep } from '#roads/search/lane-sweep.ts';
import { noTime } from '#roads/search/time-arcs.ts';
import { Columns } from './columns.ts';
import { noShape, type Place, type Places } from './places.ts';
import { Runs } from './runs.ts';
import { joined, partOf, type Stored } from './stored.ts';

/**
 * Points on the roads by row: where they lie in the hierarchy, from which the drives of any question follow.
 * Some 40 bytes each; their labels would take a kilobyte.
 */
export class Points {
  private readonly places: Places;
  private readonly columns = new Columns({
    lon: Float64Array,
    lat: Float64Array,
    shape: Int32Array,
    /** The point's ends: where drives to it end, then, beyond the region, where drives from it begin. */
    firstEnd: Uint32Array,
    arrivals: Uint16Array,
    departures: Uint16Array,
  });
  private readonly runs = new Runs();
  private readonly ends = new Columns({ vertex: Uint32Array, milliseconds: Int32Array });

  constructor(places: Places) {
    this.places = places;
  }

  /** Bytes in use. */
  get bytes(): number {
    return this.columns.bytes + this.ends.bytes;
  }

  /** @param rows how many rows of points there are. */
  store(rows: number): Stored {
    const { columns, runs, ends } = this;
    return joined({ columns: columns.store(rows), runs: runs.store(), ends: ends.store(runs.end) });
  }

  restore(stored: Stored, rows: number): void {
    this.runs.restore(partOf(stored, 'runs'));
    this.columns.restore(partOf(stored, 'columns'), rows);
    this.ends.restore(partOf(stored, 'ends'), this.runs.end);
  }

  /** @param at as stored, which may be beside the road. */
  put(row: number, at: { lon: number; lat: number }, place: Place): void {
    this.columns.ensure(row + 1);
    // On a road a drive from the point begins on the same edges, at the time that is left of them.
    const departures = place.shape === noShape ? place.departures : [];
    const ends = [...place.arrivals, ...departures];
    const first = this.runs.take(ends.length);
    this.ends.ensure(this.runs.end);
    ends.forEach(({ vertex, milliseconds }, i) => {
      this.ends.at.vertex[first + i] = vertex;
      this.ends.at.milliseconds[first + i] = milliseconds;
    });
    const columns = this.columns.at;
    columns.lon[row] = at.lon;
    columns.lat[row] = at.lat;
    columns.shape[row] = place.shape;
    columns.firstEnd[row] = first;
    columns.arrivals[row] = place.arrivals.length;
    columns.departures[row] = departures.length;
  }

  drop(row: number): void {
    const { firstEnd, arrivals, departures } = this.columns.at;
    this.runs.give(firstEnd[row]!, arrivals[row]! + departures[row]!);
  }

  at(row: number): { lon: number; lat: number } {
    const { lon, lat } = this.columns.at;
    return { lon: lon[row]!, lat: lat[row]! };
  }

  shapeOf(row: number): number {
    return this.columns.at.shape[row]!;
  }

  /**
   * A lower bound of the times from a point to those of a sweep: the least of them, or less where one of them
   * is on the point's own road; `noTime` where no road leads. Of a point beyond the region nothing is known
   * before its drives to others beyond it are estimated one by one: 0.
   */
  leastFrom(row: number, to: LaneSweep): number {
    const { firstEnd, arrivals, shape } = this.columns.at;
    const { vertex, milliseconds } = this.ends.at;
    if (shape[row] === noShape) return 0;
    const first = firstEnd[row]!;
    const last = first + arrivals[row]!;
    let least = noTime;
    for (let end = first; end < last; end++) {
      const there = to.least(vertex[end]!);
      if (there < noTime) least = Math.min(least, there - milliseconds[end]!);
    }
    return least;
  }

  /** The same from those of a sweep to a point. */
  leastTo(row: number, from: LaneSweep): number {
    const { firstEnd, arrivals, shape } = this.columns.at;
    const { vertex, milliseconds } = this.ends.at;
    if (shape[row] === noShape) return 0;
    const first = firstEnd[row]!;
    const last = first + arrivals[row]!;
    let least = noTime;
    for (let end = first; end < last; end++) {
      const time = from.least(vertex[end]!) + milliseconds[end]!;
      if (time < least) least = time;
    }
    return least;
  }

  /**
   * The times from a point to each point of a sweep; `noTime` where no road leads.
   * @param lanes the places of the sweep.
   * @param times is filled with them.
   */
  timesFrom(row: number, to: LaneSweep, lanes: readonly Place[], times: Int32Array): void {
    const { firstEnd, arrivals, departures, shape } = this.columns.at;
    const { vertex, milliseconds } = this.ends.at;
    times.fill(noTime);
    const first = firstEnd[row]!;
    const last = first + arrivals[row]!;
    if (shape[row] === noShape) {
      for (let end = last; end < last + departures[row]!; end++)
        to.lower(vertex[end]!, milliseconds[end]!, times);
    } else for (let end = first; end < last; end++) to.lower(vertex[end]!, -milliseconds[end]!, times);
    for (let lane = 0; lane < lanes.length; lane++)
      if (lanes[lane]!.shape === shape[row])
        times[lane] = this.places.alongShapeMs(this.placeOf(row), lanes[lane]!);
  }

  /** The times from each point of a sweep to a point, likewise. */
  timesTo(row: number, from: LaneSweep, lanes: readonly Place[], times: Int32Array): void {
    const { firstEnd, arrivals, shape } = this.columns.at;
    const { vertex, milliseconds } = this.ends.at;
    times.fill(noTime);
    const first = firstEnd[row]!;
    for (let end = first; end < first + arrivals[row]!; end++)
      from.lower(vertex[end]!, milliseconds[end]!, times);
    for (let lane = 0; lane < lanes.length; lane++)
      if (lanes[lane]!.shape === shape[row])
        times[lane] = this.places.alongShapeMs(lanes[lane]!, this.placeOf(row));
  }

  private placeOf(row: number): Place {
    return this.places.at(this.at(row))!;
  }
}
