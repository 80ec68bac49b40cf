import { freePermille, inTraffic } from '#roads/graph/traffic.ts';
import type { LaneSweep } from '#roads/search/lane-sweep.ts';
import { noTime } from '#roads/search/time-arcs.ts';
import type { LeastTimes, StopTimes } from '../rules/insertion-on-board.ts';
import type { Place, Places } from './places.ts';
import type { Points } from './points.ts';
import type { Question } from './question.ts';

/**
 * The drives in traffic between the stops of one ride after the other and the spots of a wish within the
 * passenger's walk: bounds for the least of all spots, and the drives of each, computed on first use.
 */
export class RideTimes implements LeastTimes, StopTimes {
  directs: Int32Array = new Int32Array();
  leastDirectMs = 0;
  /** As `Directs` has it. */
  leastSpotsScore = 0;
  private readonly points: Points;
  private readonly sweeps: Places['sweeps'];
  private question: Question | null = null;
  /** The row of the ride's first stop, and its traffic. */
  private first = 0;
  private permille = 0;
  /** Goes up with each ride. */
  private turn = 0;
  private readonly pickupsFrom = new Rows();
  private readonly pickupsTo = new Rows();
  private readonly dropoffsFrom = new Rows();
  private readonly dropoffsTo = new Rows();

  constructor(places: Places, points: Points) {
    this.points = points;
    this.sweeps = places.sweeps;
  }

  /** Starts with another wish. */
  start(question: Question): void {
    this.question = question;
    this.permille = 0;
    this.pickupsFrom.start(question.pickupsWithin);
    this.pickupsTo.start(question.pickupsWithin);
    this.dropoffsFrom.start(question.dropoffsWithin);
    this.dropoffsTo.start(question.dropoffsWithin);
  }

  /** Goes on with the ride of which the stops begin at a row. */
  open(first: number, permille: number): void {
    this.first = first;
    this.turn++;
    if (permille === this.permille) return;
    this.permille = permille;
    const directs = this.question!.directsIn(permille);
    this.directs = directs.times;
    this.leastDirectMs = directs.leastMs;
    this.leastSpotsScore = directs.score;
  }

  leastToPickups(stop: number): number {
    return atLeast(this.points.leastFrom(this.first + stop, this.sweeps.toFirst), this.permille);
  }

  leastFromPickups(stop: number): number {
    const { pickupShapes } = this.question!;
    return atLeast(
      this.points.leastTo(this.first + stop, this.sweeps.fromFirst, pickupShapes),
      this.permille,
    );
  }

  leastToDropoffs(stop: number): number {
    return atLeast(this.points.leastFrom(this.first + stop, this.sweeps.toSecond), this.permille);
  }

  leastFromDropoffs(stop: number): number {
    const { dropoffShapes } = this.question!;
    return atLeast(
      this.points.leastTo(this.first + stop, this.sweeps.fromSecond, dropoffShapes),
      this.permille,
    );
  }

  /** The pick-up with the least time from a stop, where none is on the stop's road. */
  nearestToPickup(stop: number): number {
    return this.points.nearestFrom(this.first + stop, this.sweeps.toFirst);
  }

  /** The drop-off with the least time to a stop, likewise. */
  nearestFromDropoff(stop: number): number {
    return this.points.nearestTo(this.first + stop, this.sweeps.fromSecond);
  }

  toPickups(stop: number): Int32Array {
    return this.from(stop, this.pickupsTo, this.sweeps.toFirst, this.question!.pickups);
  }

  fromPickups(stop: number): Int32Array {
    return this.to(stop, this.pickupsFrom, this.sweeps.fromFirst, this.question!.pickups);
  }

  toDropoffs(stop: number): Int32Array {
    return this.from(stop, this.dropoffsTo, this.sweeps.toSecond, this.question!.dropoffs);
  }

  fromDropoffs(stop: number): Int32Array {
    return this.to(stop, this.dropoffsFrom, this.sweeps.fromSecond, this.question!.dropoffs);
  }

  private from(stop: number, rows: Rows, sweep: LaneSweep, lanes: readonly Place[]): Int32Array {
    const row = rows.at(stop);
    if (rows.take(stop, this.turn)) {
      this.points.timesFrom(this.first + stop, sweep, lanes, row);
      slow(row, this.permille);
    }
    return row;
  }

  private to(stop: number, rows: Rows, sweep: LaneSweep, lanes: readonly Place[]): Int32Array {
    const row = rows.at(stop);
    if (rows.take(stop, this.turn)) {
      this.points.timesTo(this.first + stop, sweep, lanes, row);
      slow(row, this.permille);
    }
    return row;
  }
}

/** A row of times for each stop of a ride, and for which ride each was computed. */
class Rows {
  private spots = 0;
  private rows: Int32Array[] = [];
  private readonly turns: number[] = [];

  start(spots: number): void {
    if (spots !== this.spots) this.rows = [];
    this.spots = spots;
  }

  at(stop: number): Int32Array {
    return (this.rows[stop] ??= new Int32Array(this.spots));
  }

  /** Whether the row of a stop has to be computed in this turn, which it is from now on. */
  take(stop: number, turn: number): boolean {
    if (this.turns[stop] === turn) return false;
    this.turns[stop] = turn;
    return true;
  }
}

/** Converts free drives to those in traffic. */
function slow(row: Int32Array, permille: number): void {
  if (permille === freePermille) return;
  for (let i = 0; i < row.length; i++) row[i] = inTraffic(row[i]!, permille);
}

/** A least time in traffic. On the point's own road it may be below 0, which no drive is. */
const atLeast = (ms: number, permille: number): number =>
  ms >= noTime ? Infinity : inTraffic(Math.max(0, ms), permille);
