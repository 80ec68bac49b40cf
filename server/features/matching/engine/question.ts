import { noTime } from '#roads/search/time-arcs.ts';
import { spotsWithin, type Spot, type Wish } from '../rules/wish.ts';
import type { Place, Places } from './places.ts';

/**
 * A wish with everything about it that is the same for all rides. The sweeps of its places answer for the
 * latest one.
 */
export class Question {
  /** The wish with the spots that roads reach. */
  readonly wish: Wish;
  readonly pickups: readonly Place[];
  readonly dropoffs: readonly Place[];
  /** How many pick-ups and drop-offs are within the passenger's walk, the door first. */
  readonly pickupsWithin: number;
  readonly dropoffsWithin: number;
  /** Milliseconds from each pick-up to each drop-off, row by row; `noTime` where no road leads. */
  readonly directs: Int32Array;
  /** The middle of the window of the pick-up. */
  readonly middleMs: number;
  /** Bounds over the spots within the passenger's walk. */
  readonly within: Bounds;
  /** The longest walk to one of these pick-ups, and from one of these drop-offs. */
  readonly mostWalkMs: number;
  readonly mostWalkAfterMs: number;
  /** The positions of the reached spots in the original wish. */
  private readonly pickupAt: readonly number[];
  private readonly dropoffAt: readonly number[];

  private readonly places: Places;
  private beyondBounds: Bounds | undefined;

  private constructor(places: Places, wish: Wish, pickup: Ends, dropoff: Ends) {
    this.places = places;
    this.wish = { ...wish, pickups: pickup.spots, dropoffs: dropoff.spots };
    this.middleMs = (wish.earliestMs + wish.latestMs) / 2;
    this.pickups = pickup.places;
    this.dropoffs = dropoff.places;
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
    const mostWalk = (spots: readonly Spot[]) =>
      spots.reduce((most, { walkMs }) => Math.max(most, walkMs), 0);
    this.mostWalkMs = mostWalk(pickup.spots.slice(0, this.pickupsWithin));
    this.mostWalkAfterMs = mostWalk(dropoff.spots.slice(0, this.dropoffsWithin));
  }

  /** Bounds over all spots, including those beyond the walk. */
  get beyond(): Bounds {
    const { places, pickups, dropoffs } = this;
    return (this.beyondBounds ??= new Bounds(places, this, pickups.length, dropoffs.length));
  }

  /** Milliseconds from a pick-up to a drop-off; Infinity where no road leads. */
  direct(pickup: number, dropoff: number): number {
    const ms = this.directs[pickup * this.dropoffs.length + dropoff]!;
    return ms >= noTime ? Infinity : ms;
  }

  /** Null where no road reaches the door at either end. */
  static of(places: Places, wish: Wish): Question | null {
    const [pickup, dropoff] = [endsOf(places, wish.pickups), endsOf(places, wish.dropoffs)];
    return pickup === null || dropoff === null ? null : new Question(places, wish, pickup, dropoff);
  }

  /** A choice among the reached spots, with positions in the original wish. */
  asAsked<C extends { pickupSpot: number; dropoffSpot: number }>(choice: C): C {
    return {
      ...choice,
      pickupSpot: this.pickupAt[choice.pickupSpot]!,
      dropoffSpot: this.dropoffAt[choice.dropoffSpot]!,
    };
  }
}

/** Lower bounds over some spots: no drive of theirs is below. */
export class Bounds {
  /** Seconds from each cell to the pick-up, and from the drop-off into each cell. */
  readonly intoPickup: Int32Array;
  readonly fromDropoff: Int32Array;
  /** Seconds from pick-up to drop-off by any route. */
  readonly between: number;
  /** Milliseconds from pick-up to drop-off without a stop between. */
  readonly directMs: number;
  /** The longest of these drives; Infinity where one of them has no road. */
  readonly mostDirectMs: number;

  constructor(places: Places, question: Question, pickups: number, dropoffs: number) {
    const ins = question.pickups.slice(0, pickups);
    const outs = question.dropoffs.slice(0, dropoffs);
    const between = places.secondsFrom(ins);
    this.intoPickup = places.secondsTo(ins);
    this.fromDropoff = places.secondsFrom(outs);
    this.between = Math.min(...outs.map(({ cell, entering }) => Math.max(0, between[cell]! + entering)));
    let directMs = Infinity;
    let mostDirectMs = 0;
    for (let p = 0; p < pickups; p++)
      for (let d = 0; d < dropoffs; d++) {
        directMs = Math.min(directMs, question.direct(p, d));
        mostDirectMs = Math.max(mostDirectMs, question.direct(p, d));
      }
    this.directMs = directMs;
    this.mostDirectMs = mostDirectMs;
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
