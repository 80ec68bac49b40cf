import { apart, leastOver } from '#roads/search/lane-sweep.ts';
import type { Places } from './places.ts';
import type { Question } from './question.ts';
import type { RideRecords } from './ride-records.ts';
import type { RideWays } from './ride-ways.ts';

/** The rides and how to reach them. */
interface Records {
  places: Places;
  rides: RideRecords;
  ways: RideWays;
}

/**
 * The least free drives of a ride's first and last stops, or `apart`, and the meeting points that have them.
 */
export interface Ends {
  toMs: number;
  toSpot: number;
  fromMs: number;
  fromSpot: number;
}

/** Maximum rides processed together. */
const most = 1_024;

/**
 * A batch of the rides that the bounds between cells leave, and the least times between their ends and the
 * meeting points of a request. Each step is taken for all of them before the next, so that none waits for the
 * memory alone.
 */
export class RidesTogether {
  count = 0;
  readonly slots = new Uint32Array(most);
  /** Free drives from the starts to the pick-up that is nearest to each, and from drop-offs to the ends. */
  private readonly to = leastOver(most);
  private readonly from = leastOver(most);
  /** The maximum free drive to the pick-up and from the drop-off, and what of it is surely the latter. */
  private readonly mostMs = new Float64Array(most);
  private readonly homeMs = new Float64Array(most);
  /** Whether the end lies on the road of a drop-off. */
  private readonly areAlong = new Uint8Array(most);
  private readonly starts = new Uint32Array(most);
  private readonly records: Records;
  /**
   * A sum over the prefetched words, without meaning: its use prevents the prefetch from being optimized
   * away.
   */
  protected read = 0;

  constructor(records: Records) {
    this.records = records;
  }

  get isFull(): boolean {
    return this.count === most;
  }

  /**
   * @param mostMs the maximum free drive from the start to a pick-up and from a drop-off to the end. Infinity
   *   for a ride with stops between: a drive through them may be quicker than one without, because a car may
   *   turn round where it stops.
   * @param homeMs no free drive from a drop-off to the end is below.
   */
  add(slot: number, mostMs: number, homeMs: number): void {
    const at = this.count++;
    this.slots[at] = slot;
    this.mostMs[at] = mostMs;
    this.homeMs[at] = homeMs;
  }

  /**
   * Drops those that are not asked for, or have no time for the drives to the meeting points and from them.
   */
  narrow(question: Question, isAskedFor: (slot: number) => boolean): void {
    this.leaveAskedFor(isAskedFor);
    this.findTo();
    this.leaveNear();
    this.findFrom(question);
  }

  /** Whether a ride has time for the least drives of both ends. */
  hasTime(at: number): boolean {
    return Math.max(0, this.to.ms[at]!) + Math.max(0, this.from.ms[at]!) <= this.mostMs[at]!;
  }

  /** The least free drives of a ride's ends, and the meeting points that have them. */
  endsOf(at: number, ends: Ends): void {
    ends.toMs = this.to.ms[at]!;
    ends.toSpot = this.to.lanes[at]!;
    ends.fromMs = this.from.ms[at]!;
    ends.fromSpot = this.from.lanes[at]!;
  }

  private leaveAskedFor(isAskedFor: (slot: number) => boolean): void {
    const { slots, mostMs, homeMs, count } = this;
    this.read = this.records.rides.readAhead(slots, count);
    let left = 0;
    for (let at = 0; at < count; at++) {
      if (!isAskedFor(slots[at]!)) continue;
      slots[left] = slots[at]!;
      mostMs[left] = mostMs[at]!;
      homeMs[left++] = homeMs[at]!;
    }
    this.count = left;
  }

  private findTo(): void {
    const { rides, ways, places } = this.records;
    const { slots, starts, count } = this;
    for (let at = 0; at < count; at++) starts[at] = rides.firstWay(slots[at]!);
    this.read = ways.readAhead(starts, count);
    for (let at = 0; at < count; at++) starts[at] = ways.from(starts[at]!, 0);
    places.sweeps.toFirst.leastOfAll(ways.words, { starts, count }, this.to);
  }

  private leaveNear(): void {
    const { slots, mostMs, homeMs, to, count } = this;
    let left = 0;
    for (let at = 0; at < count; at++) {
      if (to.ms[at]! > mostMs[at]! - homeMs[at]!) continue;
      slots[left] = slots[at]!;
      mostMs[left] = mostMs[at]!;
      to.ms[left] = to.ms[at]!;
      to.lanes[left++] = to.lanes[at]!;
    }
    this.count = left;
  }

  private findFrom({ dropoffShapes }: Question): void {
    const { rides, ways, places } = this.records;
    const { slots, starts, areAlong, count, from } = this;
    for (let at = 0; at < count; at++) {
      const stops = rides.stops(slots[at]!);
      starts[at] = ways.to(rides.firstWay(slots[at]!), stops - 1, stops);
      areAlong[at] = dropoffShapes.has(ways.shapeOf(starts[at]!)) ? 1 : 0;
    }
    places.sweeps.fromSecond.leastOfAll(ways.words, { starts, count }, from);
    // A drive along one road passes no vertex (`Points.leastTo`).
    for (let at = 0; at < count; at++) if (areAlong[at] === 1 && from.ms[at] !== apart) from.ms[at] = 0;
  }
}
