import {
  endedRequestStates,
  endedRideStates,
  isAgreed,
  openAskStates,
  seatedStates,
  type BookingState,
} from '#contract/rides/moves.ts';
import { minimumPriceCents } from '#contract/units.ts';
import { dayMs } from '../../base/clock.ts';
import { nameOf } from './moves.ts';
import type { Stage } from './stage.ts';
import { readLedger, type Booking, type World } from './world.ts';

const endedBookingStates: readonly BookingState[] = ['missed', 'finished', 'rejected', 'cancel', 'expired'];
const kept = 'waiting for passenger acceptance';

/** What has been seen of a history so far. */
export interface Seen {
  /** The last line of the ledger before it began. */
  ledgerBefore: number;
  /** The most a booking was ever said to cost. */
  highestFare: Map<string, number>;
}

/** Notes what bookings cost now. */
export function see(world: World, { highestFare }: Seen): void {
  for (const { id, fareCents } of world.bookings)
    highestFare.set(id, Math.max(fareCents, highestFare.get(id) ?? 0));
}

/**
 * What is wrong with a world, in words; nothing when all is well. Called between steps.
 * @param isHeard whether everything that was told has been delivered.
 */
export async function wrongs(
  stage: Stage,
  world: World,
  seen: Seen,
  { isHeard }: { isHeard: boolean },
): Promise<string[]> {
  return [
    ...wrongSeats(world, isHeard),
    ...wrongStates(world),
    ...wrongHolds(world, seen),
    ...wrongDates(stage, world),
    ...wrongCars(world),
    ...(await wrongShares(stage, world)),
    ...(await wrongLedger(stage, world, seen)),
  ];
}

/** Seats per leg lie between none and all, and are those of the people on it. */
function wrongSeats(world: World, isHeard: boolean): string[] {
  const found: string[] = [];
  for (const ride of world.rides) {
    const stops = world.stops.filter(({ rideId }) => rideId === ride.id);
    const isOver = endedRideStates.includes(ride.state);
    const name = nameOf(world, ride.id);
    for (const stop of stops) {
      if (stop.seatsTaken < 0 || stop.seatsTaken > stop.seats || stop.seats !== ride.seats)
        found.push(`${name} has ${stop.seatsTaken} of ${stop.seats} seats taken at stop ${stop.position}`);
      if (isOver || stop.kind === 'end') continue;
      const aboard = world.bookings.filter(({ id }) => {
        const own = stops.filter(({ bookingId }) => bookingId === id);
        return own.length === 2 && own[0]!.position <= stop.position && own[1]!.position > stop.position;
      });
      const seats = aboard.reduce((sum, booking) => sum + booking.seats, 0);
      if (seats !== stop.seatsTaken)
        found.push(
          `${name} has ${stop.seatsTaken} seats taken at stop ${stop.position}, its bookings have ${seats}`,
        );
    }
    if (isOver) continue;
    for (const booking of world.bookings.filter(({ rideId }) => rideId === ride.id)) {
      const onRoute = stops.filter(({ bookingId }) => bookingId === booking.id).length;
      const takesSeat = [...seatedStates, kept, 'finished'].includes(booking.state);
      // A kept seat of a ride that was not at hand is freed when the news is heard; it may have been joined, until its hold
      // failed.
      const wasKept =
        booking.joinedAt === null || booking.state === 'rejected' || booking.state === 'expired';
      if (takesSeat ? onRoute !== 2 : onRoute !== 0 && (isHeard || !wasKept))
        found.push(`${nameOf(world, booking.id)} is ${booking.state} and has ${onRoute} stops on ${name}`);
    }
  }
  return found;
}

/** Rides and requests stand in states that follow from their bookings. */
function wrongStates(world: World): string[] {
  const found: string[] = [];
  const isOpen = ({ state }: Booking) => !endedBookingStates.includes(state);
  for (const ride of world.rides) {
    const of = world.bookings.filter(({ rideId }) => rideId === ride.id);
    const name = `${nameOf(world, ride.id)} (${ride.state})`;
    const some = (...states: BookingState[]) => of.some(({ state }) => states.includes(state));
    if (endedRideStates.includes(ride.state) && of.some(isOpen))
      found.push(`${name} has ended with an open booking`);
    const legs = world.stops.filter(({ rideId, toNextMs }) => rideId === ride.id && toNextMs > 0);
    const isFull = legs.every(({ seatsTaken, seats }) => seatsTaken >= seats);
    if (ride.state === 'full' && !isFull) found.push(`${name} has room`);
    if (ride.state === 'matching' && isFull) found.push(`${name} has no room`);
    if (ride.state === 'full' && some('requesting', 'inviting')) found.push(`${name} has open asks`);
    if (
      ['matching', 'full'].includes(ride.state) &&
      some('waiting', 'driver reached', 'picking', 'picked', 'missed', 'finished')
    )
      found.push(`${name} has a booking of the day`);
    if (['waiting', 'driver reached'].includes(ride.state) && some('joined'))
      found.push(`${name} has joined passengers who do not wait`);
    if (['departed', 'picking', 'ongoing'].includes(ride.state) && some(...openAskStates, 'joined'))
      found.push(`${name} is under way with an open ask`);
    if (ride.state === 'ongoing' && some('waiting', 'driver reached', 'picking'))
      found.push(`${name} still has somebody to pick up`);
    const span = world.spans.some(({ orderId }) => orderId === ride.id);
    if (span === endedRideStates.includes(ride.state))
      found.push(`${name} ${span ? 'takes' : 'has no'} time`);
  }
  for (const request of world.requests) {
    const of = world.bookings.filter(({ requestId }) => requestId === request.id);
    const name = `${nameOf(world, request.id)} (${request.state})`;
    const some = (...states: readonly BookingState[]) => of.some(({ state }) => states.includes(state));
    const expected = endedRequestStates.includes(request.state)
      ? some('finished') && request.state !== 'finished'
        ? ['finished']
        : [request.state]
      : some(...seatedStates)
        ? ['joined']
        : some('inviting', kept)
          ? ['inviting']
          : some('requesting')
            ? ['requesting']
            : ['matching'];
    if (!expected.includes(request.state)) found.push(`${name} should be ${expected.join(' or ')}`);
    if (endedRequestStates.includes(request.state) && of.some(isOpen))
      found.push(`${name} has ended with an open booking`);
    if (of.filter(({ state }) => seatedStates.includes(state)).length > 1)
      found.push(`${name} has two seats`);
    const span = world.spans.some(({ orderId }) => orderId === request.id);
    if (span === endedRequestStates.includes(request.state))
      found.push(`${name} ${span ? 'takes' : 'has no'} time`);
  }
  for (const { rideId, requestId } of world.waiting) {
    const ride = world.rides.find(({ id }) => id === rideId)!;
    const request = world.requests.find(({ id }) => id === requestId);
    const isOver = ['departed', 'picking', 'ongoing', ...endedRideStates].includes(ride.state);
    if (isOver || request === undefined || ['joined', ...endedRequestStates].includes(request.state))
      found.push(`somebody waits for ${nameOf(world, rideId)} in vain (${nameOf(world, requestId)})`);
  }
  return found;
}

/** What is held and taken is never more than what is owed at most; for the driver's fault nobody pays. */
function wrongHolds(world: World, { highestFare }: Seen): string[] {
  const found: string[] = [];
  for (const booking of world.bookings) {
    const of = world.holds.filter(({ bookingId }) => bookingId === booking.id);
    const name = `${nameOf(world, booking.id)} (${booking.state})`;
    const most = highestFare.get(booking.id) ?? 0;
    for (const hold of of) {
      if (hold.amountCents > most)
        found.push(`${name} costs ${most} ¢ at most, ${hold.amountCents} are asked for`);
      if (hold.heldCents > hold.amountCents)
        found.push(`${name} has ${hold.heldCents} ¢ held for ${hold.amountCents}`);
    }
    const taken = of.reduce((sum, hold) => sum + hold.takenCents, 0);
    const heldNow = of.filter(({ isCurrent }) => isCurrent).reduce((sum, hold) => sum + hold.heldCents, 0);
    if (taken + heldNow > most)
      found.push(`${name} costs ${most} ¢ at most, ${taken} + ${heldNow} are taken and held`);
    const isFree =
      booking.fault === 'driver' ||
      ['rejected', 'expired'].includes(booking.state) ||
      (booking.state === 'cancel' && booking.fault === null);
    // What a passenger's report of the driver, or a ride in an outage, leaves in doubt stays held until it is decided.
    const isInDoubt = (hold: (typeof of)[number]) =>
      hold.kind === 'contested' || (booking.state === 'missed' && hold.goal === 'hold');
    const wanted = of.filter((hold) => hold.isCurrent && hold.goal !== 'release' && !isInDoubt(hold));
    // Whoever was on board of a ride that ended on the way pays what was ridden: `wrongShares`.
    const isPartWay = booking.state === 'cancel' && of.some(({ kind }) => kind === 'partWay');
    if (isFree && !isPartWay && (taken > 0 || wanted.length > 0))
      found.push(`${name} is nobody's debt and is charged for`);
  }
  return found;
}

/**
 * A hold is for the time at which its ride leaves, and is planned as many days before as the installation says; one that
 * stands reaches as far as the ride. Whoever has joined is secured so, or the payment says what it needs.
 */
function wrongDates({ house }: Stage, world: World): string[] {
  const found: string[] = [];
  for (const hold of world.holds) {
    const booking = world.bookings.find(({ id }) => id === hold.bookingId)!;
    const ride = world.rides.find(({ id }) => id === hold.rideId)!;
    if (!hold.isCurrent || hold.goal !== 'hold' || !isAgreed(booking)) continue;
    const name = `${nameOf(world, booking.id)} (${booking.state})`;
    const [rideMs, departsMs] = [hold.rideAt.getTime(), ride.departsAt.getTime()];
    if (rideMs !== departsMs)
      found.push(`${name} is paid for at ${hold.rideAt.toISOString()}, its ride leaves at another time`);
    const dueMs = departsMs - house.base.env.HOLD_DAYS * dayMs;
    const isPlanned = !hold.isAsked && hold.cardId !== null && hold.nextAt !== null;
    if (isPlanned && hold.nextAt!.getTime() > Math.max(dueMs, hold.updatedAt.getTime()))
      found.push(`${name} is held at ${hold.nextAt!.toISOString()} only`);
    if (hold.state === 'requires_capture' && hold.holdEndsAt !== null && hold.holdEndsAt <= ride.departsAt)
      found.push(`${name} has a hold that ends before the ride`);
  }
  return found;
}

/** Of a car's price nobody is charged more than once: shares and fees together are never above it. */
function wrongCars(world: World): string[] {
  return world.rides.flatMap((ride) => {
    if (ride.priceKind !== 'perCar' || !endedRideStates.includes(ride.state)) return [];
    const of = world.bookings.filter(({ rideId }) => rideId === ride.id);
    const due = of.reduce(
      (sum, { state, fareCents, lateFeeCents }) =>
        sum + (state === 'finished' ? fareCents : (lateFeeCents ?? 0)),
      0,
    );
    return due <= ride.costCents
      ? []
      : [`${nameOf(world, ride.id)} costs ${ride.costCents} ¢ and brings ${due} ¢`];
  });
}

/** Of a ride that ended on the way nobody pays more than the part of their share that was ridden. */
async function wrongShares({ house }: Stage, world: World): Promise<string[]> {
  const partWay = world.bookings.flatMap((booking) => {
    const of = world.holds.filter(({ bookingId, kind }) => bookingId === booking.id && kind === 'partWay');
    return of.length === 0 ? [] : [{ booking, of }];
  });
  if (partWay.length === 0) return [];
  const rows = await house.rooms.rides.broken.bookingsOf(partWay.map(({ booking }) => booking.rideId));
  return partWay.flatMap(({ booking, of }) => {
    const row = rows.find(({ bookingId }) => bookingId === booking.id);
    const name = nameOf(world, booking.id);
    if (row === undefined) return [`${name} is charged for a part of a way that nobody has measured`];
    const most = Math.floor((booking.fareCents * row.riddenMetres) / Math.max(1, row.wayMetres));
    const due = row.decidedCents ?? row.shareCents;
    const wanted = of.flatMap(({ isCurrent, goal, takeCents }) =>
      isCurrent && goal === 'take' ? [takeCents] : [],
    );
    const net = of.reduce((sum, hold) => sum + hold.takenCents - hold.refundedCents, 0);
    return [
      ...(row.shareCents > most ? [`${name} has ridden ${most} ¢ and owes ${row.shareCents}`] : []),
      ...wanted
        .filter((cents) => cents > due)
        .map((cents) => `${name} owes ${due} ¢, ${cents} are to be taken`),
      ...(net > row.shareCents ? [`${name} owes ${row.shareCents} ¢, ${net} are taken`] : []),
    ];
  });
}

/** Every entry sums to zero, and the ledger says what the holds say. */
async function wrongLedger(stage: Stage, world: World, { ledgerBefore }: Seen): Promise<string[]> {
  const { unbalanced, sum, heldCents, takenCents } = await readLedger(stage, ledgerBefore);
  const held = world.holds.reduce((cents, hold) => cents + hold.heldCents, 0);
  const taken = world.holds.reduce((cents, hold) => cents + hold.takenCents - hold.refundedCents, 0);
  return [
    ...unbalanced.map((entry) => `the entry ${entry} does not sum to zero`),
    ...(sum === 0 ? [] : [`the ledger sums to ${sum} ¢`]),
    ...(heldCents === held ? [] : [`the ledger holds ${heldCents} ¢, the holds ${held} ¢`]),
    ...(takenCents === taken ? [] : [`the ledger took ${takenCents} ¢, the holds ${taken} ¢`]),
  ];
}

/** What is left of a history that should be over: nothing is stuck, and everybody has paid what they owed. */
export function leftovers(world: World): string[] {
  const found: string[] = [];
  for (const ride of world.rides)
    if (!endedRideStates.includes(ride.state)) found.push(`${nameOf(world, ride.id)} is still ${ride.state}`);
  for (const request of world.requests)
    if (!endedRequestStates.includes(request.state))
      found.push(`${nameOf(world, request.id)} is still ${request.state}`);
  for (const booking of world.bookings) {
    const name = `${nameOf(world, booking.id)} (${booking.state})`;
    if (!endedBookingStates.includes(booking.state)) found.push(`${name} is still open`);
    const of = world.holds.filter(({ bookingId }) => bookingId === booking.id);
    for (const { id, heldCents, nextAt, state, goal } of of)
      if (heldCents > 0 || nextAt !== null || !['succeeded', 'canceled'].includes(state))
        found.push(
          `${name} has ${heldCents} ¢ held; ${goal} of ${id} is ${state}, next ${String(nextAt?.toISOString())}`,
        );
    const net = of.reduce((sum, hold) => sum + hold.takenCents - hold.refundedCents, 0);
    const back = world.disputes.find(({ bookingId }) => bookingId === booking.id)?.refundCents ?? 0;
    const share =
      booking.state === 'finished'
        ? booking.fareCents
        : booking.fault === 'passenger'
          ? (booking.lateFeeCents ?? 0)
          : null;
    // What no card provider takes is waived.
    const owed = share === null || share >= minimumPriceCents ? share : 0;
    if (owed !== null && net !== owed - back && owed - back >= minimumPriceCents)
      found.push(`${name} should bring ${owed} - ${back} ¢ and brings ${net} ¢`);
  }
  if (world.waiting.length > 0) found.push(`${world.waiting.length} still wait for a seat`);
  if (world.changes.some(({ state }) => state === 'open')) found.push('a proposed change is still open');
  if (world.spans.length > 0) found.push(`${world.spans.length} spans are still taken`);
  return found;
}
