import type { RideEntry } from '../../server/features/matching/engine/entries.ts';
import {
  bestInsertion,
  measured,
  withBooking,
  type Insertion,
} from '../../server/features/matching/rules/insertion.ts';
import type { Wish } from '../../server/features/matching/rules/wish.ts';
import type { Roads } from '../region-roads.ts';

/** One trip of a passenger who needs a ride. */
export interface Wanted {
  id: string;
  person: number;
  /** The passenger's own drive, which is not made if a driver takes them along. */
  driveMetres: number;
  /** At the door alone, and with the meeting points within the walk. */
  atDoor: Wish;
  walking: Wish;
}

/** A way of finding rides. */
export interface Method {
  name: string;
  /** Whether driver and passenger may agree on a meeting point; otherwise the car comes to the door. */
  walks: boolean;
  /** Sees all rides when the day begins. */
  open(rides: readonly RideEntry[]): Finder;
}

export interface Finder {
  /** Ids of the rides that a passenger is shown, in the order of the method. */
  propose(wanted: Wanted): string[];
  /** Called with every ride that a passenger has joined, with its new plan. */
  changed(ride: RideEntry): void;
}

export interface Booking {
  wanted: Wanted;
  rideId: string;
  insertion: Insertion;
  /** How many drivers were asked, the one who took them among them. */
  asks: number;
}

export interface Outcome {
  bookings: Booking[];
  /** As they stand in the end. */
  rides: ReadonlyMap<string, RideEntry>;
  requests: number;
  /**
   * Rides shown to passengers, and how many of them could not have taken the passenger when they were shown.
   */
  proposals: number;
  broken: number;
  /** Passengers who were shown any ride, and those of them whose first one could not have taken them. */
  shown: number;
  firstBroken: number;
}

/**
 * One day, played by the same rules whichever way rides are found. All rides are published before anyone
 * asks. The passengers come one after another in the order in which they publish. Each is shown what the
 * method finds among the rides with their current plans, and asks the drivers one by one in the method's
 * order, `mostAsks` of them. A driver drives the real roads: the first who can take the passenger within
 * their detour limit and everyone's windows does, on the best way to do it, and the ride's plan is changed
 * for all who come later. A driver who cannot says no. No one cancels, no one changes their mind, no one is
 * asked about prices.
 */
export function play(
  rides: readonly RideEntry[],
  requests: readonly Wanted[],
  method: Method,
  { roads, mostAsks = Infinity }: { roads: Roads; mostAsks?: number },
): Outcome {
  const standing = new Map(rides.map((ride) => [ride.id, ride]));
  const finder = method.open(rides);
  const outcome: Outcome = {
    bookings: [],
    rides: standing,
    requests: requests.length,
    proposals: 0,
    broken: 0,
    shown: 0,
    firstBroken: 0,
  };
  for (const wanted of requests) {
    const wish = method.walks ? wanted.walking : wanted.atDoor;
    const proposed = finder.propose(wanted);
    let booking: Booking | null = null;
    for (const [index, rideId] of proposed.entries()) {
      const { plan } = standing.get(rideId)!;
      const choice = bestInsertion(plan, wish, roads.drives(plan, wish));
      if (choice === null) {
        outcome.broken++;
        if (index === 0) outcome.firstBroken++;
      } else if (index < mostAsks) {
        booking ??= {
          wanted,
          rideId,
          insertion: measured(plan, wish, choice, (from, to) => roads.travel(from, to)),
          asks: index + 1,
        };
      }
    }
    outcome.proposals += proposed.length;
    if (proposed.length > 0) outcome.shown++;
    if (booking === null) continue;
    outcome.bookings.push(booking);
    const ride = standing.get(booking.rideId)!;
    const changed = {
      ...ride,
      plan: withBooking(ride.plan, wish, booking.insertion, wanted.id),
      joinedSeats: ride.joinedSeats + wish.seats,
    };
    standing.set(ride.id, changed);
    finder.changed(changed);
  }
  return outcome;
}
