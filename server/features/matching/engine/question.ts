import { inTraffic } from '#roads/graph/traffic.ts';
import { noTime } from '#roads/search/time-arcs.ts';
import { spotsScore } from '../rules/ranking.ts';
import { flatWish, type FlatWish } from '../rules/flat-insertion.ts';
import { spotsWithin, type Spot, type Wish } from '../rules/wish.ts';
import { Shapes, type Place, type Places } from './places.ts';

/**
 * A request with everything about it that is the same for all rides. The sweeps of its places answer for the
 * latest one.
 */
export class Question {
  /** The request with the meeting points that roads reach. */
  readonly wish: Wish;
  readonly pickups: readonly Place[];
  readonly dropoffs: readonly Place[];
  readonly pickupShapes: Shapes;
  readonly dropoffShapes: Shapes;
  /** How many pick-ups and drop-offs are within the passenger's walk, the door first. */
  readonly pickupsWithin: number;
  readonly dropoffsWithin: number;
  /** Milliseconds from each pick-up to each drop-off, row by row; `noTime` where no road leads. */
  readonly directs: Int32Array;
  /** The request with the meeting points within the passenger's walk. */
  readonly flat: FlatWish;
  /** The middle of the window of the pick-up. */
  readonly middleMs: number;
  /** Bounds over the meeting points within the passenger's walk. */
  readonly within: Bounds;
  /** The positions of the reached meeting points in the original request. */
  private readonly pickupAt: readonly number[];
  private readonly dropoffAt: readonly number[];

  private readonly places: Places;
  private beyondBounds: Bounds | undefined;
  private readonly directsBy = new Map<number, Directs>();

  private constructor(places: Places, wish: Wish, pickup: Ends, dropoff: Ends) {
    this.places = places;
    this.wish = { ...wish, pickups: pickup.spots, dropoffs: dropoff.spots };
    this.flat = flatWish(this.wish);
    this.middleMs = (wish.earliestMs + wish.latestMs) / 2;
    this.pickups = pickup.places;
    this.dropoffs = dropoff.places;
    this.pickupShapes = new Shapes(pickup.places);
    this.dropoffShapes = new Shapes(dropoff.places);
    this.pickupAt = pickup.at;
    this.dropoffAt = dropoff.at;
    this.pickupsWithin = spotsWithin(pickup.spots, wish.walkMetres);
    this.dropoffsWithin = spotsWithin(dropoff.spots, wish.walkMetres);
    const { toFirst, fromFirst, toSecond, fromSecond } = places.sweeps;
    toFirst.start(arrivalsOf(pickup.places), this.pickupsWithin);
    fromFirst.start(departuresOf(pickup.places), this.pickupsWithin);
    toSecond.start(arrivalsOf(dropoff.places), this.dropoffsWithin);
    fromSecond.start(departuresOf(dropoff.places), this.dropoffsWithin);
    this.directs = places.directs(pickup.places, dropoff.places, fromFirst);
    this.within = new Bounds(places, this, this.pickupsWithin, this.dropoffsWithin);
  }

  /** Bounds over all meeting points, including those beyond the walk. */
  get beyond(): Bounds {
    const { places, pickups, dropoffs } = this;
    return (this.beyondBounds ??= new Bounds(places, this, pickups.length, dropoffs.length));
  }

  /** Milliseconds from a pick-up to a drop-off; Infinity where no road leads. */
  direct(pickup: number, dropoff: number): number {
    const ms = this.directs[pickup * this.dropoffs.length + dropoff]!;
    return ms >= noTime ? Infinity : ms;
  }

  /** The drives from pick-ups to drop-offs within the passenger's walk, in a ride's traffic. */
  directsIn(permille: number): Directs {
    const known = this.directsBy.get(permille);
    if (known !== undefined) return known;
    const { pickupsWithin, dropoffsWithin, wish } = this;
    const made = {
      times: new Int32Array(pickupsWithin * dropoffsWithin),
      leastMs: Infinity,
      score: Infinity,
    };
    for (let p = 0; p < pickupsWithin; p++)
      for (let d = 0; d < dropoffsWithin; d++) {
        const ms = inTraffic(this.directs[p * this.dropoffs.length + d]!, permille);
        made.times[p * dropoffsWithin + d] = ms;
        if (ms >= noTime) continue;
        made.leastMs = Math.min(made.leastMs, ms);
        const walkMetres = wish.pickups[p]!.walkMetres + wish.dropoffs[d]!.walkMetres;
        made.score = Math.min(made.score, spotsScore(ms, walkMetres));
      }
    this.directsBy.set(permille, made);
    return made;
  }

  /** Null where no road reaches the door at either end. */
  static of(places: Places, wish: Wish): Question | null {
    const [pickup, dropoff] = [endsOf(places, wish.pickups), endsOf(places, wish.dropoffs)];
    return pickup === null || dropoff === null ? null : new Question(places, wish, pickup, dropoff);
  }

  /** A choice among the reached meeting points, with positions in the original request. */
  asAsked<C extends { pickupSpot: number; dropoffSpot: number }>(choice: C): C {
    return {
      ...choice,
      pickupSpot: this.pickupAt[choice.pickupSpot]!,
      dropoffSpot: this.dropoffAt[choice.dropoffSpot]!,
    };
  }
}

/** The drives from pick-ups to drop-offs without a stop between, in some traffic. */
export interface Directs {
  /** Milliseconds, row by row; `noTime` or more where no road leads. */
  times: Int32Array;
  leastMs: number;
  /** The least of what such a drive and the walks to and from it add to a score. */
  score: number;
}

/** Lower bounds over some meeting points: no drive of theirs is below. */
export class Bounds {
  /** Seconds from each cell to the pick-up, and from the drop-off into each cell. */
  readonly intoPickup: Int32Array;
  readonly fromDropoff: Int32Array;
  /** The other way round. */
  readonly fromPickup: Int32Array;
  readonly intoDropoff: Int32Array;
  /** Seconds from pick-up to drop-off by any route. */
  readonly between: number;
  /** Milliseconds from pick-up to drop-off without a stop between. */
  readonly directMs: number;

  constructor(places: Places, question: Question, pickups: number, dropoffs: number) {
    const ins = question.pickups.slice(0, pickups);
    const outs = question.dropoffs.slice(0, dropoffs);
    const between = places.secondsFrom(ins);
    this.fromPickup = between;
    this.intoDropoff = places.secondsTo(outs);
    this.intoPickup = places.secondsTo(ins);
    this.fromDropoff = places.secondsFrom(outs);
    this.between = Math.min(...outs.map(({ cell, entering }) => Math.max(0, between[cell]! + entering)));
    let directMs = Infinity;
    for (let p = 0; p < pickups; p++)
      for (let d = 0; d < dropoffs; d++) directMs = Math.min(directMs, question.direct(p, d));
    this.directMs = directMs;
  }
}

const arrivalsOf = (places: readonly Place[]) => places.map(({ arrivals }) => arrivals);
const departuresOf = (places: readonly Place[]) => places.map(({ departures }) => departures);

interface Ends {
  spots: Spot[];
  places: Place[];
  at: number[];
}

function endsOf(places: Places, spots: readonly Spot[]): Ends | null {
  const ends: Ends = { spots: [], places: [], at: [] };
  for (const [index, spot] of spots.entries()) {
    const place = places.at(spot);
    if (place === null) {
      if (index === 0) return null;
      continue;
    }
    ends.spots.push(spot);
    ends.places.push(place);
    ends.at.push(index);
  }
  return ends;
}
