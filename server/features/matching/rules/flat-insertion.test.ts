import { expect, test } from 'vitest';
import { freePermille, inTraffic, mostPermille } from '#roads/graph/traffic.ts';
import { noTime } from '#roads/search/time-arcs.ts';
import { randomFrom } from '../../../testing/random.ts';
import { bestAlone, fitsAlone, flatWish } from './flat-insertion.ts';
import { bestInsertion, type Drives } from './insertion.ts';
import { OnBoard, type LeastTimes, type PositionBounds, type StopTimes } from './insertion-on-board.ts';
import { offsetsOf, type Plan, type PlanStop } from './plan.ts';
import { door, meetingSpot, spotsWithin, type Wish } from './wish.ts';

const minute = 60_000;
const start = 1_000 * minute;
const random = randomFrom(20_261_126);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
const minutes = (most: number): number => Math.floor(random() * most * minute);

test('the quicker way for a driver alone gives the same answer, whatever the draw', () => {
  let fitting = 0;
  for (let draw = 0; draw < 20_000; draw++) {
    const [plan, wish] = [planWith(2), drawnWish()];
    const times = new DrawnTimes(plan, wish);
    const slow = bestInsertion(plan, wish, times.drives);
    const alone = {
      toPickups: times.toPickups(0),
      directs: times.directs,
      fromDropoffs: times.fromDropoffs(1),
      leastDirectMs: times.leastDirectMs,
    };
    expect(bestAlone(plan, flatWish(wish), alone)).toEqual(slow);
    expect(fitsAlone(plan, flatWish(wish), alone)).toBe(slow !== null);
    if (slow !== null) fitting++;
  }
  expect(fitting).toBeGreaterThan(1000);
});

test('the quicker way among the stops of a ride gives the same answer, and its bounds hold', () => {
  const onBoard = new OnBoard();
  const fitting = new Map<string, number>();
  for (let draw = 0; draw < 15_000; draw++) {
    const [plan, wish] = [planWith(pick([2, 3, 4, 4, 6, 8])), drawnWish()];
    const times = new DrawnTimes(plan, wish);
    const slow = bestInsertion(plan, wish, times.drives);
    fill(onBoard, plan);
    const bounds = new Map<string, PositionBounds>();
    onBoard.open(flatWish(wish), times, (each) => bounds.set(`${each.detourMs}`, each));
    expect(onBoard.fits(times)).toBe(slow !== null);
    expect(onBoard.choose(times)).toEqual(slow);
    if (slow === null) continue;
    const around = [...bounds.values()].filter(
      ({ detourMs, aboardMs, earliestMs, latestMs }) =>
        detourMs <= slow.detourMs &&
        aboardMs <= slow.dropoffMs - slow.pickupMs &&
        earliestMs <= slow.pickupMs &&
        latestMs >= slow.pickupMs,
    );
    expect(around).not.toEqual([]);
    const kind = slow.pickupAfter === slow.dropoffAfter ? 'one leg' : 'several legs';
    fitting.set(kind, (fitting.get(kind) ?? 0) + 1);
  }
  // A test over nothing would prove nothing.
  expect(fitting.get('one leg')).toBeGreaterThan(1000);
  expect(fitting.get('several legs')).toBeGreaterThan(1000);
});

/** A ride with `count` stops, some of which must be reached in time. */
function planWith(count: number): Plan {
  const windows = random() < 0.7;
  let offset = 0;
  const stops = Array.from({ length: count }, (_, i): PlanStop => {
    const isInner = i > 0 && i < count - 1;
    const minds = windows && isInner && random() < 0.6;
    const reachedMs = start + offset;
    const [standsMs, toNextMs] = [isInner ? minute + minutes(1) : 0, i === count - 1 ? 0 : minutes(15)];
    offset += standsMs + toNextMs;
    return {
      kind: i === 0 ? 'start' : isInner ? 'via' : 'end',
      bookingId: null,
      lon: i,
      lat: 0,
      standsMs,
      toNextMs,
      toNextMetres: 0,
      seatsTaken: isInner ? pick([0, 1, 1, 2]) : 0,
      earliestMs: minds ? reachedMs - minutes(20) : -Infinity,
      latestMs: minds ? reachedMs + minutes(40) : Infinity,
    };
  });
  const durationMs = offsetsOf(stops).at(-1)!;
  return {
    stops,
    seats: pick([2, 3, 4]),
    departsMs: start,
    earliestDepartsMs: start,
    latestDepartsMs: start + pick([0, 10, 60]) * minute,
    trafficPermille: pick([freePermille, 1137, mostPermille]),
    // With no stop on the way the driver is alone.
    aloneMs: count === 2 ? durationMs : Math.floor(durationMs * (0.7 + random() * 0.3)),
    maxDetourMs: minutes(50),
    preferences: 0,
  };
}

function drawnWish(): Wish {
  const spots = () => [
    door({ lon: 0, lat: 0 }),
    ...[200, 500, 900]
      .filter(() => random() < 0.6)
      .map((walkMetres) => meetingSpot({ lon: 0, lat: 0, walkMetres, name: '' })),
  ];
  const earliestMs = start + Math.floor((random() - 0.3) * 60 * minute);
  const latestMs = earliestMs + pick([0, 15, 45]) * minute;
  return {
    seats: pick([1, 1, 2, 3]),
    pickups: spots(),
    dropoffs: spots(),
    walkMetres: pick([0, 300, 600, 1000]),
    earliestMs,
    latestMs,
    arriveByMs: latestMs + minutes(50),
    preferences: 0,
  };
}

/** Drives that keep no rule: not even a way over a third place is longer. Now and then there is no road. */
class DrawnTimes implements StopTimes, LeastTimes {
  readonly drives: Drives;
  readonly directs: Int32Array;
  readonly leastDirectMs: number;
  private readonly rows = new Map<string, Int32Array>();
  private readonly within: { pickups: number; dropoffs: number };
  private readonly permille: number;

  constructor({ stops, trafficPermille }: Plan, { pickups, dropoffs, walkMetres }: Wish) {
    this.permille = trafficPermille;
    this.within = { pickups: spotsWithin(pickups, walkMetres), dropoffs: spotsWithin(dropoffs, walkMetres) };
    const drawn = (count: number) =>
      Int32Array.from({ length: count }, () => (random() < 0.02 ? noTime : minutes(9)));
    for (const kind of ['toPickups', 'fromPickups', 'toDropoffs', 'fromDropoffs'])
      for (let stop = 0; stop < stops.length; stop++)
        this.rows.set(`${kind} ${stop}`, drawn(kind.endsWith('Pickups') ? pickups.length : dropoffs.length));
    const directs = drawn(pickups.length * dropoffs.length);
    const free = (kind: string, stop: number, spot: number) =>
      msOrNever(this.rows.get(`${kind} ${stop}`)![spot]!);
    this.drives = {
      toPickup: (stop, spot) => free('toPickups', stop, spot),
      fromPickup: (spot, stop) => free('fromPickups', stop, spot),
      toDropoff: (stop, spot) => free('toDropoffs', stop, spot),
      fromDropoff: (spot, stop) => free('fromDropoffs', stop, spot),
      direct: (p, d) => msOrNever(directs[p * dropoffs.length + d]!),
    };
    this.directs = Int32Array.from({ length: this.within.pickups * this.within.dropoffs }, (_, i) => {
      const p = Math.floor(i / this.within.dropoffs);
      return inTraffic(directs[p * dropoffs.length + (i % this.within.dropoffs)]!, trafficPermille);
    });
    this.leastDirectMs = this.least(this.directs);
  }

  toPickups = (stop: number) => this.row('toPickups', stop, this.within.pickups);
  fromPickups = (stop: number) => this.row('fromPickups', stop, this.within.pickups);
  toDropoffs = (stop: number) => this.row('toDropoffs', stop, this.within.dropoffs);
  fromDropoffs = (stop: number) => this.row('fromDropoffs', stop, this.within.dropoffs);
  leastToPickups = (stop: number) => this.least(this.toPickups(stop));
  leastFromPickups = (stop: number) => this.least(this.fromPickups(stop));
  leastToDropoffs = (stop: number) => this.least(this.toDropoffs(stop));
  leastFromDropoffs = (stop: number) => this.least(this.fromDropoffs(stop));

  private row(kind: string, stop: number, spots: number): Int32Array {
    return this.rows
      .get(`${kind} ${stop}`)!
      .slice(0, spots)
      .map((ms) => inTraffic(ms, this.permille));
  }

  /** A bound need not be reached. */
  private least(row: Int32Array): number {
    const least = Math.min(...row);
    return least >= noTime ? Infinity : Math.max(0, least - pick([0, 0, minute]));
  }
}

const msOrNever = (ms: number): number => (ms >= noTime ? Infinity : ms);

function fill(onBoard: OnBoard, { stops, ...ride }: Plan): void {
  const { seats, departsMs, earliestDepartsMs, latestDepartsMs, aloneMs, maxDetourMs } = ride;
  Object.assign(onBoard.ride, { seats, departsMs, earliestDepartsMs, latestDepartsMs, aloneMs, maxDetourMs });
  onBoard.reserve(stops.length);
  for (const name of ['standsMs', 'toNextMs', 'seatsTaken', 'earliestMs', 'latestMs'] as const)
    stops.forEach((stop, i) => (onBoard.stops[name][i] = stop[name]));
}
