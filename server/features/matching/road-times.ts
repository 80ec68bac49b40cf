import { LRUCache } from 'lru-cache';
import type { RoadLabel, RoadNetwork, RoadPoint, Travel } from '#roads/graph/network.ts';
import type { Drives } from './rules/insertion.ts';
import type { Plan } from './rules/plan.ts';
import { guessedTravel, roundedTravel, type TravelBetween } from './rules/rounding.ts';
import { meetingSpot, type Spot, type Wish } from './rules/wish.ts';
import type { RegionRoads, SpotsNear } from './meeting-points.ts';

const mostLabels = 4_000;
const mostDrives = 100_000;

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
  /** The free drives of one ride and one request, each routed when first needed. */
  drivesOf(plan: Plan, wish: Wish): Drives;
  /** The same, estimated where no road leads. */
  drivesOrGuesses(plan: Plan, wish: Wish): Drives;
  /** Meeting points near a rounded place. */
  spotsOfRounded(at: At, walkMetres: number): readonly Spot[];
}

export function createRoadTimes({ network, pointAt }: RegionRoads, spotsNear: SpotsNear): RoadTimes {
  const between = keepDrives(network);
  const travel = (from: At, to: At): Travel | null => {
    const start = pointAt(from);
    const end = start === null ? null : pointAt(to);
    return start === null || end === null ? null : between(start, end);
  };
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
    drivesOf: (plan, wish) => drivesBetween(plan, wish, { pointAt, between, orElse: () => null }),
    drivesOrGuesses: (plan, wish) => drivesBetween(plan, wish, { pointAt, between, orElse: guessedTravel }),
    spotsOfRounded: (at, walkMetres) => spotsNear(at, walkMetres).map(meetingSpot),
  };
}

/** Maximum points with a number at a time: the numbers of two make one exact number. */
const mostNumbers = 2 ** 26;

/**
 * Drives between points, by the labels of both: an insertion asks for the drives of some points with each
 * other, and who asks, who accepts and what both are shown ask for the same ones again. On the same roads
 * they never change.
 */
function keepDrives(network: RoadNetwork): (from: RoadPoint, to: RoadPoint) => Travel | null {
  let numbers = new WeakMap<RoadPoint, number>();
  const drives = new LRUCache<number, { found: Travel | null }>({ max: mostDrives });
  let points = 0;
  const numberOf = (point: RoadPoint): number => {
    let number = numbers.get(point);
    if (number === undefined) numbers.set(point, (number = points++));
    return number;
  };
  const labelsOf = (direction: 'from' | 'to') =>
    new LRUCache<RoadPoint, RoadLabel>({
      max: mostLabels,
      memoMethod: (point) => network.label(point, direction),
    });
  const [labelsFrom, labelsTo] = [labelsOf('from'), labelsOf('to')];
  return (from, to) => {
    if (points > mostNumbers - 2) {
      [numbers, points] = [new WeakMap(), 0];
      drives.clear();
    }
    const pair = numberOf(from) * mostNumbers + numberOf(to);
    const known = drives.get(pair);
    if (known !== undefined) return known.found;
    const found = network.meet(labelsFrom.memo(from), labelsTo.memo(to));
    drives.set(pair, { found });
    return found;
  };
}

/** Where drives lead, and what one is taken to be that does not. */
interface Roads {
  pointAt: RoadTimes['pointAt'];
  between(from: RoadPoint, to: RoadPoint): Travel | null;
  orElse(from: At, to: At): Travel | null;
}

function drivesBetween({ stops }: Plan, { pickups, dropoffs }: Wish, roads: Roads): Drives {
  const [ofStops, ofPickups, ofDropoffs] = [
    placesOf(stops, roads),
    placesOf(pickups, roads),
    placesOf(dropoffs, roads),
  ];
  return {
    toPickup: timesBetween(ofStops, ofPickups, roads),
    fromPickup: timesBetween(ofPickups, ofStops, roads),
    toDropoff: timesBetween(ofStops, ofDropoffs, roads),
    fromDropoff: timesBetween(ofDropoffs, ofStops, roads),
    direct: timesBetween(ofPickups, ofDropoffs, roads),
  };
}

/** Places of a list, and their road points, each looked up when first asked for. */
interface Places {
  list: readonly At[];
  pointOf(index: number): RoadPoint | null;
}

function placesOf(list: readonly At[], { pointAt }: Roads): Places {
  const points: (RoadPoint | null | undefined)[] = Array.from(list, () => undefined);
  return {
    list,
    pointOf(index) {
      let point = points[index];
      if (point === undefined) points[index] = point = pointAt(list[index]!);
      return point;
    },
  };
}

/** The times from each place of one list to each of another, found when first asked for. */
function timesBetween(froms: Places, tos: Places, { between, orElse }: Roads) {
  const width = tos.list.length;
  const times = new Float64Array(froms.list.length * width).fill(-1);
  return (from: number, to: number): number => {
    const index = from * width + to;
    const known = times[index]!;
    if (known >= 0) return known;
    const [start, end] = [froms.pointOf(from), tos.pointOf(to)];
    const drive =
      (start === null || end === null ? null : between(start, end)) ??
      orElse(froms.list[from]!, tos.list[to]!);
    return (times[index] = drive?.milliseconds ?? Infinity);
  };
}
