import { freePermille, inTraffic } from '#roads/graph/traffic.ts';
import { apart, type LaneSweep } from '#roads/search/lane-sweep.ts';
import { noTime } from '#roads/search/time-arcs.ts';
import type { LeastTimes, StopTimes } from '../rules/insertion-on-board.ts';
import { Shapes, type Place, type Places } from './places.ts';
import type { Points } from './points.ts';
import type { Question } from './question.ts';
import type { RideRecords } from './ride-records.ts';
import type { RideWays } from './ride-ways.ts';
import type { Ends } from './rides-together.ts';

/**
 * The drives in traffic between the stops of one ride after the other and the meeting points of a request
 * within the passenger's walk: bounds for the least of all meeting points, and the drives of each, computed
 * on first use.
 */
export class RideTimes implements LeastTimes, StopTimes {
  directs: Int32Array = new Int32Array();
  leastDirectMs = 0;
  /** As `Directs` has it. */
  leastSpotsScore = 0;
  private readonly points: Points;
  private readonly ways: RideWays;
  private readonly sweeps: Places['sweeps'];
  private question: Question | null = null;
  private pickups: Spots = { places: [], shapes: new Shapes([]) };
  private dropoffs: Spots = this.pickups;
  /** The row of the ride's first stop, how many it has, where its ways begin, and its traffic. */
  private firstStop = 0;
  private stops = 0;
  private firstWay = 0;
  private permille = 0;
  /** Goes up with each ride. */
  private turn = 0;
  private ends = unknownEnds;
  private readonly pickupsFrom = new Rows();
  private readonly pickupsTo = new Rows();
  private readonly dropoffsFrom = new Rows();
  private readonly dropoffsTo = new Rows();

  constructor({ places, points, ways }: { places: Places; points: Points; ways: RideWays }) {
    this.points = points;
    this.ways = ways;
    this.sweeps = places.sweeps;
  }

  /** Starts with another request. */
  start(question: Question): void {
    this.question = question;
    this.permille = 0;
    this.pickups = { places: question.pickups, shapes: question.pickupShapes };
    this.dropoffs = { places: question.dropoffs, shapes: question.dropoffShapes };
    this.pickupsFrom.start(question.pickupsWithin);
    this.pickupsTo.start(question.pickupsWithin);
    this.dropoffsFrom.start(question.dropoffsWithin);
    this.dropoffsTo.start(question.dropoffsWithin);
  }

  /**
   * Goes on with the next ride.
   * @param ends its least drives, where they are known.
   */
  open(rides: RideRecords, slot: number, ends: Ends = unknownEnds): void {
    this.ends = ends;
    this.firstStop = rides.firstStop(slot);
    this.stops = rides.stops(slot);
    this.firstWay = rides.firstWay(slot);
    this.turn++;
    const permille = rides.traffic(slot);
    if (permille === this.permille) return;
    this.permille = permille;
    const directs = this.question!.directsIn(permille);
    this.directs = directs.times;
    this.leastDirectMs = directs.leastMs;
    this.leastSpotsScore = directs.score;
  }

  leastToPickups(stop: number): number {
    if (stop === 0 && this.ends.toMs !== apart) return atLeast(this.ends.toMs, this.permille);
    return this.leastFrom(stop, this.sweeps.toFirst);
  }

  leastFromPickups(stop: number): number {
    return this.leastTo(stop, this.sweeps.fromFirst, this.pickups.shapes);
  }

  leastToDropoffs(stop: number): number {
    return this.leastFrom(stop, this.sweeps.toSecond);
  }

  leastFromDropoffs(stop: number): number {
    if (stop === this.stops - 1 && this.ends.fromMs !== apart)
      return atLeast(this.ends.fromMs, this.permille);
    return this.leastTo(stop, this.sweeps.fromSecond, this.dropoffs.shapes);
  }

  /** The pick-up with the least time from the start, where none is on the start's road. */
  nearestToPickup(): number {
    if (this.ends.toMs !== apart) return this.ends.toSpot;
    return this.points.nearestFrom(this.firstStop, this.sweeps.toFirst);
  }

  /** The drop-off with the least time to the end, likewise. */
  nearestFromDropoff(): number {
    if (this.ends.fromMs !== apart) return this.ends.fromSpot;
    return this.points.nearestTo(this.firstStop + this.stops - 1, this.sweeps.fromSecond);
  }

  toPickups(stop: number): Int32Array {
    return this.from(stop, this.pickupsTo, this.sweeps.toFirst, this.pickups);
  }

  fromPickups(stop: number): Int32Array {
    return this.to(stop, this.pickupsFrom, this.sweeps.fromFirst, this.pickups);
  }

  toDropoffs(stop: number): Int32Array {
    return this.from(stop, this.dropoffsTo, this.sweeps.toSecond, this.dropoffs);
  }

  fromDropoffs(stop: number): Int32Array {
    return this.to(stop, this.dropoffsFrom, this.sweeps.fromSecond, this.dropoffs);
  }

  private waysFrom(stop: number): number {
    return this.ways.from(this.firstWay, stop);
  }

  private waysTo(stop: number): number {
    return this.ways.to(this.firstWay, stop, this.stops);
  }

  private leastFrom(stop: number, sweep: LaneSweep): number {
    const { words } = this.ways;
    const at = this.waysFrom(stop);
    const least = sweep.goesOver(words, at)
      ? sweep.leastOver(words, at)
      : this.points.leastFrom(this.firstStop + stop, sweep);
    return atLeast(least, this.permille);
  }

  private leastTo(stop: number, sweep: LaneSweep, shapes: Shapes): number {
    const { words } = this.ways;
    const at = this.waysTo(stop);
    if (!sweep.goesOver(words, at))
      return atLeast(this.points.leastTo(this.firstStop + stop, sweep, shapes), this.permille);
    // A drive along one road passes no vertex (`Points.leastTo`).
    return shapes.has(this.ways.shapeOf(at)) ? 0 : atLeast(sweep.leastOver(words, at), this.permille);
  }

  private from(stop: number, rows: Rows, sweep: LaneSweep, spots: Spots): Int32Array {
    const row = rows.at(stop);
    if (!rows.take(stop, this.turn)) return row;
    const { points, ways, firstStop } = this;
    const at = this.waysFrom(stop);
    if (sweep.goesOver(ways.words, at)) {
      row.fill(noTime);
      sweep.lowerByWays(ways.words, at, row);
      if (spots.shapes.has(ways.shapeOf(at))) points.alongFrom(firstStop + stop, spots.places, row);
    } else points.timesFrom(firstStop + stop, sweep, spots.places, row);
    slow(row, this.permille);
    return row;
  }

  private to(stop: number, rows: Rows, sweep: LaneSweep, spots: Spots): Int32Array {
    const row = rows.at(stop);
    if (!rows.take(stop, this.turn)) return row;
    const { points, ways, firstStop } = this;
    const at = this.waysTo(stop);
    if (sweep.goesOver(ways.words, at)) {
      row.fill(noTime);
      sweep.lowerByWays(ways.words, at, row);
      if (spots.shapes.has(ways.shapeOf(at))) points.alongTo(firstStop + stop, spots.places, row);
    } else points.timesTo(firstStop + stop, sweep, spots.places, row);
    slow(row, this.permille);
    return row;
  }
}

const unknownEnds: Ends = { toMs: apart, toSpot: 0, fromMs: apart, fromSpot: 0 };

/** The meeting points of a request at one end, and the roads on which they lie. */
interface Spots {
  places: readonly Place[];
  shapes: Shapes;
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
