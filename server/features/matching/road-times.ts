import type { RoadLabel, RoadPoint, Travel } from '#roads/graph/network.ts';
import { LatestKept } from '../../platform/latest-kept.ts';
import type { GeoService } from '../geo/service.ts';
import type { Drives } from './rules/insertion.ts';
import type { Plan } from './rules/plan.ts';
import { guessedTravel, roundedTravel, type TravelBetween } from './rules/rounding.ts';
import { meetingSpot, type Spot, type Wish } from './rules/wish.ts';
import { spotsNear } from './meeting-points.ts';

/** Of each the latest are kept, and as many of those before them. */
const pointsKept = 50_000;
const labelsKept = 2_000;
const drivesKept = 50_000;

interface At {
  lon: number;
  lat: number;
}

/** Free drives between places, routed one by one. */
export interface RoadTimes {
  /**
   * The road point of a place. Stored points snap onto themselves, so every time is a function of stored
   * data.
   */
  pointAt(at: At): RoadPoint | null;
  /** Null where no road leads. */
  travel(from: At, to: At): Travel | null;
  /** A drive that an insertion was computed with. @throws Error where there is none. */
  foundTravel(from: At, to: At): Travel;
  /** Estimates where no road leads. */
  travelOrGuess: TravelBetween;
  /** The drive between the rounded points of two places. */
  betweenRounded: TravelBetween;
  /** The free drives of one ride and one wish, each routed when first needed. */
  drivesOf(plan: Plan, wish: Wish): Drives;
  /** The same, estimated where no road leads. */
  drivesOrGuesses(plan: Plan, wish: Wish): Drives;
  /** Meeting points near a rounded place. */
  spotsOfRounded(at: At, walkMetres: number): readonly Spot[];
}

export function createRoadTimes(geo: GeoService): RoadTimes {
  const pointAt = keepPoints(geo);
  const between = keepDrives(geo);
  const travel = travelBy(pointAt, between);
  return {
    pointAt,
    travel,
    foundTravel(from, to) {
      const found = travel(from, to);
      if (found === null) throw new Error('an insertion leads over a drive that there is not');
      return found;
    },
    travelOrGuess: (from, to) => travel(from, to) ?? guessedTravel(from, to),
    betweenRounded: roundedTravel(travel),
    drivesOf: (plan, wish) => drivesBetween(plan, wish, travelBy(lookedUpOnce(pointAt), between)),
    drivesOrGuesses(plan, wish) {
      const found = travelBy(lookedUpOnce(pointAt), between);
      return drivesBetween(plan, wish, (from, to) => found(from, to) ?? guessedTravel(from, to));
    },
    spotsOfRounded: (at, walkMetres) => spotsNear(geo, at, walkMetres).map(meetingSpot),
  };
}

function keepPoints({ network }: GeoService): RoadTimes['pointAt'] {
  const points = new LatestKept<string, RoadPoint | null>(pointsKept);
  return (at) => points.get(`${at.lon},${at.lat}`, () => network.snap(at));
}

/** The drives between places, by their road points. */
const travelBy =
  (
    pointAt: RoadTimes['pointAt'],
    between: (from: RoadPoint, to: RoadPoint) => Travel | null,
  ): RoadTimes['travel'] =>
  (from, to) => {
    const [a, b] = [pointAt(from), pointAt(to)];
    return a === null || b === null ? null : between(a, b);
  };

/** The road points of a few places, each looked up once. */
function lookedUpOnce(pointAt: RoadTimes['pointAt']): RoadTimes['pointAt'] {
  const points = new Map<At, RoadPoint | null>();
  return (at) => {
    let point = points.get(at);
    if (point === undefined) points.set(at, (point = pointAt(at)));
    return point;
  };
}

/** So many points have a number at a time: the numbers of two make one exact number. */
const mostNumbers = 2 ** 26;

/**
 * Drives between points, by the labels of both: an insertion asks for the drives of some points with each
 * other, and who asks, who accepts and what both are shown ask for the same ones again. On the same roads
 * they never change.
 */
function keepDrives({ network }: GeoService): (from: RoadPoint, to: RoadPoint) => Travel | null {
  let numbers = new WeakMap<RoadPoint, number>();
  let drives = new LatestKept<number, Travel | null>(drivesKept);
  let points = 0;
  const numberOf = (point: RoadPoint): number => {
    let number = numbers.get(point);
    if (number === undefined) numbers.set(point, (number = points++));
    return number;
  };
  const labels = {
    from: new LatestKept<RoadPoint, RoadLabel>(labelsKept),
    to: new LatestKept<RoadPoint, RoadLabel>(labelsKept),
  };
  const labelOf = (point: RoadPoint, direction: 'from' | 'to'): RoadLabel =>
    labels[direction].get(point, () => network.label(point, direction));
  return (from, to) => {
    if (points > mostNumbers - 2) {
      [numbers, drives, points] = [new WeakMap(), new LatestKept(drivesKept), 0];
    }
    return drives.get(numberOf(from) * mostNumbers + numberOf(to), () =>
      network.meet(labelOf(from, 'from'), labelOf(to, 'to')),
    );
  };
}

function drivesBetween({ stops }: Plan, { pickups, dropoffs }: Wish, between: RoadTimes['travel']): Drives {
  /** The times from each place of one list to each of another, found when first asked for. */
  const timesBetween = (froms: readonly At[], tos: readonly At[]) => {
    const times = new Float64Array(froms.length * tos.length).fill(-1);
    return (from: number, to: number): number => {
      const index = from * tos.length + to;
      if (times[index]! < 0) times[index] = between(froms[from]!, tos[to]!)?.milliseconds ?? Infinity;
      return times[index]!;
    };
  };
  return {
    toPickup: timesBetween(stops, pickups),
    fromPickup: timesBetween(pickups, stops),
    toDropoff: timesBetween(stops, dropoffs),
    fromDropoff: timesBetween(dropoffs, stops),
    direct: timesBetween(pickups, dropoffs),
  };
}
