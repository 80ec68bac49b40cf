import type { LaneSweep } from '#roads/search/lane-sweep.ts';
import { noTime } from '#roads/search/time-arcs.ts';
import { Columns } from './columns.ts';
import { noShape, type Place, type Places, type Shapes } from './places.ts';
import { Runs } from './runs.ts';
import { partsOf, type Part } from './stored.ts';

/** The words of a point: its shape, and how many ends it has where drives arrive and where they begin. */
const pointWords = 6;
const shapeAt = 0;
/** Arrivals, and departures in the upper half. */
const countsAt = 1;
/** Vertex and milliseconds of its ends where there are at most two, else where they begin among the ends. */
const endsAt = 2;
const mostInside = 2;

/**
 * Points on the roads by row: where they lie in the hierarchy, from which the drives of any question follow.
 * Some 40 bytes each; their labels would take a kilobyte. What a search reads of one lies together, so that
 * it waits for the memory once.
 */
export class Points {
  private readonly places: Places;
  private readonly positions;
  private readonly points;
  private readonly runs = new Runs();
  /**
   * The ends of points with more than two, in pairs of words: where drives to it end, then, beyond the
   * region, where drives from it begin.
   */
  private readonly ends = new Columns({ words: Int32Array }, () => this.runs.end * 2);
  readonly part: Part;

  /** @param rows how many rows of points there are */
  constructor(places: Places, rows: () => number) {
    this.places = places;
    this.positions = new Columns({ lon: Float64Array, lat: Float64Array }, rows);
    this.points = new Columns({ words: Int32Array }, () => rows() * pointWords, 256 * pointWords);
    const { positions, points, runs, ends } = this;
    this.part = partsOf({ runs, positions, points, ends });
  }

  /** @param at as stored, which may be off the road. */
  put(row: number, at: { lon: number; lat: number }, place: Place): void {
    this.positions.ensure(row + 1);
    this.positions.at.lon[row] = at.lon;
    this.positions.at.lat[row] = at.lat;
    this.points.ensure((row + 1) * pointWords);
    const { words } = this.points.at;
    // On a road a drive from the point begins on the same edges, at the time that is left of them.
    const departures = place.shape === noShape ? place.departures : [];
    const ends = [...place.arrivals, ...departures];
    const point = row * pointWords;
    words[point + shapeAt] = place.shape;
    words[point + countsAt] = place.arrivals.length | (departures.length << 16);
    let into = words;
    let first = point + endsAt;
    if (ends.length > mostInside) {
      const run = this.runs.take(ends.length);
      words[first] = run;
      this.ends.ensure(this.runs.end * 2);
      into = this.ends.at.words;
      first = run * 2;
    }
    ends.forEach(({ vertex, milliseconds }, i) => {
      into[first + i * 2] = vertex;
      into[first + i * 2 + 1] = milliseconds;
    });
  }

  drop(row: number): void {
    const { words } = this.points.at;
    const count = this.arrivalsOf(row) + this.departuresOf(row);
    if (count > mostInside) this.runs.give(words[row * pointWords + endsAt]!, count);
  }

  at(row: number): { lon: number; lat: number } {
    const { lon, lat } = this.positions.at;
    return { lon: lon[row]!, lat: lat[row]! };
  }

  shapeOf(row: number): number {
    return this.points.at.words[row * pointWords + shapeAt]!;
  }

  private arrivalsOf(row: number): number {
    return this.points.at.words[row * pointWords + countsAt]! & 0xff_ff;
  }

  private departuresOf(row: number): number {
    return this.points.at.words[row * pointWords + countsAt]! >>> 16;
  }

  /** Where the ends of a point are: the array, and where in it they begin. */
  private endsOf(row: number): Int32Array {
    return this.isInside(row) ? this.points.at.words : this.ends.at.words;
  }

  private firstEndOf(row: number): number {
    const first = row * pointWords + endsAt;
    return this.isInside(row) ? first : this.points.at.words[first]! * 2;
  }

  private isInside(row: number): boolean {
    return this.arrivalsOf(row) + this.departuresOf(row) <= mostInside;
  }

  /**
   * A lower bound of the times from a point to those of a sweep: the least of them, or less where one of them
   * is on the point's own road; `noTime` where no road leads. Of a point beyond the region nothing is known
   * before its drives to others beyond it are estimated one by one: 0.
   */
  leastFrom(row: number, to: LaneSweep): number {
    if (this.shapeOf(row) === noShape) return 0;
    // On the roads a point has arrivals alone.
    const count = this.arrivalsOf(row);
    const isInside = count <= mostInside;
    const ends = isInside ? this.points.at.words : this.ends.at.words;
    const first = isInside ? row * pointWords + endsAt : this.firstEndOf(row);
    const last = first + count * 2;
    let least = noTime;
    for (let end = first; end < last; end += 2) {
      const there = to.least(ends[end]!);
      if (there < noTime && there - ends[end + 1]! < least) least = there - ends[end + 1]!;
    }
    return least;
  }

  /**
   * The same from those of a sweep to a point. A drive that goes on along the road on which it begins passes
   * no vertex: 0 where one of them is on the point's own road.
   * @param shapes the roads of those of the sweep.
   */
  leastTo(row: number, from: LaneSweep, shapes: Shapes): number {
    const shape = this.shapeOf(row);
    if (shape === noShape || shapes.has(shape)) return 0;
    const count = this.arrivalsOf(row);
    const isInside = count <= mostInside;
    const ends = isInside ? this.points.at.words : this.ends.at.words;
    const first = isInside ? row * pointWords + endsAt : this.firstEndOf(row);
    const last = first + count * 2;
    let least = noTime;
    for (let end = first; end < last; end += 2) {
      const time = from.least(ends[end]!) + ends[end + 1]!;
      if (time < least) least = time;
    }
    return least;
  }

  /** Which of those of a sweep has the least time from a point; none of them may be on its own road. */
  nearestFrom(row: number, to: LaneSweep): number {
    const ends = this.endsOf(row);
    const first = this.firstEndOf(row);
    const last = first + this.arrivalsOf(row) * 2;
    let nearest = first;
    for (let end = first + 2; end < last; end += 2)
      if (to.least(ends[end]!) - ends[end + 1]! < to.least(ends[nearest]!) - ends[nearest + 1]!)
        nearest = end;
    return to.nearest(ends[nearest]!);
  }

  /** The same from those of a sweep to a point. */
  nearestTo(row: number, from: LaneSweep): number {
    const ends = this.endsOf(row);
    const first = this.firstEndOf(row);
    const last = first + this.arrivalsOf(row) * 2;
    let nearest = first;
    for (let end = first + 2; end < last; end += 2)
      if (from.least(ends[end]!) + ends[end + 1]! < from.least(ends[nearest]!) + ends[nearest + 1]!)
        nearest = end;
    return from.nearest(ends[nearest]!);
  }

  /**
   * The times from a point to each point of a sweep, or to the first ones; `noTime` where no road leads.
   * @param lanes the places of the sweep.
   * @param times is filled with them, as far as it goes.
   */
  timesFrom(row: number, to: LaneSweep, lanes: readonly Place[], times: Int32Array): void {
    times.fill(noTime);
    const shape = this.shapeOf(row);
    const ends = this.endsOf(row);
    const first = this.firstEndOf(row);
    const last = first + this.arrivalsOf(row) * 2;
    if (shape === noShape) {
      for (let end = last; end < last + this.departuresOf(row) * 2; end += 2)
        to.lower(ends[end]!, ends[end + 1]!, times);
    } else for (let end = first; end < last; end += 2) to.lower(ends[end]!, -ends[end + 1]!, times);
    this.alongFrom(row, lanes, times);
  }

  /** The times from each point of a sweep to a point, likewise. */
  timesTo(row: number, from: LaneSweep, lanes: readonly Place[], times: Int32Array): void {
    times.fill(noTime);
    const ends = this.endsOf(row);
    const first = this.firstEndOf(row);
    for (let end = first; end < first + this.arrivalsOf(row) * 2; end += 2)
      from.lower(ends[end]!, ends[end + 1]!, times);
    this.alongTo(row, lanes, times);
  }

  /** Replaces the times from a point to those on its own road, where a drive may pass no vertex. */
  alongFrom(row: number, lanes: readonly Place[], times: Int32Array): void {
    const shape = this.shapeOf(row);
    for (let lane = 0; lane < times.length; lane++)
      if (lanes[lane]!.shape === shape)
        times[lane] = this.places.alongShapeMs(this.placeOf(row), lanes[lane]!);
  }

  /** Replaces the times to a point likewise. */
  alongTo(row: number, lanes: readonly Place[], times: Int32Array): void {
    const shape = this.shapeOf(row);
    for (let lane = 0; lane < times.length; lane++)
      if (lanes[lane]!.shape === shape)
        times[lane] = this.places.alongShapeMs(lanes[lane]!, this.placeOf(row));
  }

  private placeOf(row: number): Place {
    return this.places.at(this.at(row))!;
  }
}

/** Rows of times, each computed on first use. @param find fills a row of `count` times */
export function timesOnUse(
  count: number,
  find: (row: number, times: Int32Array) => void,
): (row: number) => Int32Array {
  const rows: Int32Array[] = [];
  return (row) => {
    const known = rows[row];
    if (known !== undefined) return known;
    const times = new Int32Array(count);
    find(row, times);
    rows[row] = times;
    return times;
  };
}

/** A stored time as a rule takes it. */
export const msOrNever = (ms: number): number => (ms >= noTime ? Infinity : ms);
