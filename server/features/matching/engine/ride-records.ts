import { shareCents } from '../rules/price.ts';
import type { Stored } from './stored.ts';

/** The columns of the stops of all rides. */
export const stopColumns = {
  kind: Uint8Array,
  stands: Uint32Array,
  toNext: Uint32Array,
  toNextMetres: Uint32Array,
  seatsTaken: Uint8Array,
  earliest: Float64Array,
  latest: Float64Array,
};

/** The index's record of a ride apart from its stops. Instants and lengths of time are milliseconds. */
export interface RideFields {
  driver: number;
  isPublic: boolean;
  isPerCar: boolean;
  seats: number;
  joinedSeats: number;
  costCents: number;
  departs: number;
  earliest: number;
  latest: number;
  traffic: number;
  alone: number;
  maxDetour: number;
  preferences: number;
  firstStop: number;
  stops: number;
  /** Where its ways are (`RideWays`). */
  firstWay: number;
}

/** The words of a ride: three instants of two words each, then these. */
const rideWords = 16;
const rideInstants = rideWords / 2;
const departsAt = 0;
const earliestAt = 1;
const latestAt = 2;
const driverAt = 6;
const costAt = 7;
const aloneAt = 8;
const detourAt = 9;
const firstStopAt = 10;
const trafficAt = 11;
/** Seats, seats joined and stops, 8 bits each. */
const countsAt = 12;
/** Preferences, 8 bits, then whether it is public and whether its price is the car's. */
const flagsAt = 13;
const firstWayAt = 14;

/**
 * Rides by slot in one flat array. All of a ride lies together, because a search reads many rides and much of
 * each: it waits for the memory once a ride.
 */
export class RideRecords {
  private words: Int32Array;
  /** Over the same memory. */
  private instants: Float64Array;
  private capacity = 256;
  private readonly slots: () => number;

  /** @param slots how many there are to be stored */
  constructor(slots: () => number) {
    this.slots = slots;
    [this.words, this.instants] = madeFor(this.capacity);
  }

  /** Bytes of the allocated rides. */
  get bytes(): number {
    return this.words.byteLength;
  }

  store(): Stored {
    return { words: this.words.slice(0, this.slots() * rideWords) };
  }

  restore(stored: Stored): void {
    this.ensure(this.slots());
    this.words.set(stored['words']!);
  }

  put(slot: number, ride: RideFields): void {
    this.ensure(slot + 1);
    const { words, instants } = this;
    const first = slot * rideWords;
    instants[slot * rideInstants + departsAt] = ride.departs;
    instants[slot * rideInstants + earliestAt] = ride.earliest;
    instants[slot * rideInstants + latestAt] = ride.latest;
    words[first + driverAt] = ride.driver;
    words[first + costAt] = ride.costCents;
    words[first + aloneAt] = ride.alone;
    words[first + detourAt] = ride.maxDetour;
    words[first + firstStopAt] = ride.firstStop;
    words[first + trafficAt] = ride.traffic;
    words[first + countsAt] = ride.seats | (ride.joinedSeats << 8) | (ride.stops << 16);
    words[first + firstWayAt] = ride.firstWay;
    words[first + flagsAt] = ride.preferences | (ride.isPublic ? 1 << 8 : 0) | (ride.isPerCar ? 1 << 9 : 0);
  }

  departs(slot: number): number {
    return this.instants[slot * rideInstants + departsAt]!;
  }

  earliest(slot: number): number {
    return this.instants[slot * rideInstants + earliestAt]!;
  }

  latest(slot: number): number {
    return this.instants[slot * rideInstants + latestAt]!;
  }

  driver(slot: number): number {
    return this.words[slot * rideWords + driverAt]!;
  }

  costCents(slot: number): number {
    return this.words[slot * rideWords + costAt]!;
  }

  alone(slot: number): number {
    return this.words[slot * rideWords + aloneAt]!;
  }

  maxDetour(slot: number): number {
    return this.words[slot * rideWords + detourAt]!;
  }

  firstStop(slot: number): number {
    return this.words[slot * rideWords + firstStopAt]!;
  }

  firstWay(slot: number): number {
    return this.words[slot * rideWords + firstWayAt]!;
  }

  traffic(slot: number): number {
    return this.words[slot * rideWords + trafficAt]!;
  }

  seats(slot: number): number {
    return this.words[slot * rideWords + countsAt]! & 0xff;
  }

  joinedSeats(slot: number): number {
    return (this.words[slot * rideWords + countsAt]! >>> 8) & 0xff;
  }

  stops(slot: number): number {
    return this.words[slot * rideWords + countsAt]! >>> 16;
  }

  preferences(slot: number): number {
    return this.words[slot * rideWords + flagsAt]! & 0xff;
  }

  isPublic(slot: number): boolean {
    return (this.words[slot * rideWords + flagsAt]! & (1 << 8)) !== 0;
  }

  isPerCar(slot: number): boolean {
    return (this.words[slot * rideWords + flagsAt]! & (1 << 9)) !== 0;
  }

  /**
   * Reads `count` rides ahead: no read waits for another, so that the memory answers them together. The
   * result has no meaning; it is returned so that the reads are not optimized away.
   */
  readAhead(slots: Uint32Array, count: number): number {
    let read = 0;
    for (let i = 0; i < count; i++) {
      const first = slots[i]! * rideWords;
      read ^= this.words[first]! ^ this.words[first + firstWayAt]!;
    }
    return read;
  }

  /** The fare of a booking of `seats` seats. */
  fareCents(slot: number, seats: number): number {
    const priceKind = this.isPerCar(slot) ? 'perCar' : 'perPerson';
    return shareCents({ priceKind, costCents: this.costCents(slot) }, seats, this.joinedSeats(slot));
  }

  private ensure(slots: number): void {
    if (slots <= this.capacity) return;
    const before = this.words;
    this.capacity = Math.max(slots, Math.ceil(this.capacity * 1.5));
    [this.words, this.instants] = madeFor(this.capacity);
    this.words.set(before);
  }
}

function madeFor(slots: number): [Int32Array, Float64Array] {
  const memory = new ArrayBuffer(slots * rideWords * 4);
  return [new Int32Array(memory), new Float64Array(memory)];
}
