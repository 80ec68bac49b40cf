import { spotsWithin, type Spot, type Wish } from '../rules/wish.ts';
import { merged, type Place, type Places, type TimeLabel } from './places.ts';

/** A wish with everything about it that is the same for all rides. */
export class Question {
  /** The wish with the spots that roads reach. */
  readonly wish: Wish;
  readonly pickups: readonly Place[];
  readonly dropoffs: readonly Place[];
  /** Milliseconds from each pick-up to each drop-off. */
  readonly direct: readonly Float64Array[];
  /** Bounds over the spots within the passenger's walk, and over those beyond it too. */
  readonly within: Bounds;
  readonly beyond: Bounds;
  /** Where the reached spots stand in the wish as it was asked. */
  private readonly pickupAt: readonly number[];
  private readonly dropoffAt: readonly number[];

  private constructor(places: Places, wish: Wish, pickup: Ends, dropoff: Ends) {
    this.wish = { ...wish, pickups: pickup.spots, dropoffs: dropoff.spots };
    this.pickups = pickup.places;
    this.dropoffs = dropoff.places;
    this.pickupAt = pickup.at;
    this.dropoffAt = dropoff.at;
    this.direct = pickup.places.map((from) =>
      Float64Array.from(dropoff.places, (to) => places.travelMs(from, to)),
    );
    this.within = new Bounds(places, this, wish.walkMetres);
    this.beyond = new Bounds(places, this, Infinity);
  }

  /** Null where no road reaches the door at either end. */
  static of(places: Places, wish: Wish): Question | null {
    const [pickup, dropoff] = [endsOf(places, wish.pickups), endsOf(places, wish.dropoffs)];
    return pickup === null || dropoff === null ? null : new Question(places, wish, pickup, dropoff);
  }

  /** A choice among the reached spots, told by the spots as they were asked. */
  asAsked<C extends { pickupSpot: number; dropoffSpot: number }>(choice: C): C {
    return {
      ...choice,
      pickupSpot: this.pickupAt[choice.pickupSpot]!,
      dropoffSpot: this.dropoffAt[choice.dropoffSpot]!,
    };
  }
}

/** The best that any of some spots could do: what no drive of theirs is below. */
export class Bounds {
  /** Seconds from each cell to the pick-up, and from the drop-off into each cell. */
  readonly intoPickup: Uint16Array;
  readonly fromDropoff: Uint16Array;
  /** Seconds from pick-up to drop-off by way of anything. */
  readonly between: number;
  /** Milliseconds from pick-up to drop-off without a stop between. */
  readonly directMs: number;
  /** The shapes on which the spots lie: drives along one of them pass no hub. */
  readonly shapes: ReadonlySet<number>;
  private readonly ins: readonly Place[];
  private readonly outs: readonly Place[];
  private toPickupLabel: TimeLabel | undefined;
  private afterDropoffLabel: TimeLabel | undefined;

  constructor(
    places: Places,
    question: Pick<Question, 'wish' | 'pickups' | 'dropoffs' | 'direct'>,
    walkMetres: number,
  ) {
    const { wish, direct } = question;
    this.ins = question.pickups.slice(0, spotsWithin(wish.pickups, walkMetres));
    this.outs = question.dropoffs.slice(0, spotsWithin(wish.dropoffs, walkMetres));
    const pickupCells = new Set(this.ins.map(({ cell }) => cell));
    const dropoffCells = new Set(this.outs.map(({ cell }) => cell));
    const between = places.secondsFrom(pickupCells);
    this.intoPickup = places.secondsTo(pickupCells);
    this.fromDropoff = places.secondsFrom(dropoffCells);
    this.between = Math.min(...Array.from(dropoffCells, (cell) => between[cell]!));
    this.directMs = Math.min(
      ...direct.slice(0, this.ins.length).map((row) => Math.min(...row.subarray(0, this.outs.length))),
    );
    this.shapes = new Set([...this.ins, ...this.outs].map(({ shape }) => shape));
  }

  /** The labels of all pick-ups as one, and of all drop-offs. */
  get toPickup(): TimeLabel {
    return (this.toPickupLabel ??= merged(this.ins.map((place) => place.to)));
  }

  get afterDropoff(): TimeLabel {
    return (this.afterDropoffLabel ??= merged(this.outs.map((place) => place.from)));
  }
}

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
