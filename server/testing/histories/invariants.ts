import {
  endedRequestStates,
  endedRideStates,
  openAskStates,
  seatedStates,
  type BookingState,
} from '#contract/rides/moves.ts';
import { minimumPriceCents } from '#contract/rides/lowest-prices.ts';
import { overlooked } from '../due-oracle.ts';
import { nameOf } from './deeds.ts';
import { wrongFares } from './fare-invariants.ts';
import { wrongIndex } from './index-invariants.ts';
import { wrongMoney, wrongSums } from './money-invariants.ts';
import { wrongAsks, wrongLeaving } from './people-moves.ts';
import type { Seen } from './seen.ts';
import type { HistoryContext } from './history-context.ts';
import { wrongConclusions, wrongSuspensions } from './upset-invariants.ts';
import { isAtRest, type Booking, type World } from './world.ts';

const endedBookingStates: readonly BookingState[] = ['missed', 'finished', 'rejected', 'cancel', 'expired'];
const kept = 'waiting for passenger acceptance';

/**
 * Sentences about what is wrong with a world; empty when all is well. Called between steps.
 * @param isHeard whether all signals have been delivered.
 */
export async function wrongs(
  context: HistoryContext,
  world: World,
  seen: Seen,
  { isHeard }: { isHeard: boolean },
): Promise<string[]> {
  return [
    ...seen.wrong,
    ...wrongSeats(world, seen, isHeard),
    ...wrongStates(world),
    ...(await wrongIndex(context.apps)),
    ...(isHeard ? wrongSuspensions(context, world) : []),
    ...(await wrongMoney(context, world, seen)),
    ...(context.trouble.is === 'none' && (await isAtRest(context)) ? await wrongSums(context) : []),
    ...wrongFares(context, world),
    ...(isHeard ? [...wrongLeaving(context, world), ...wrongAsks(context, world)] : []),
    ...(await wrongConclusions(context, world)),
    ...(await overlookedByClock(context, world)),
  ];
}

/** Everything that is due by the rules is found by its `next_at`. */
async function overlookedByClock({ app }: HistoryContext, world: World): Promise<string[]> {
  const { rides, changes } = await overlooked(app.platform.db, world.now);
  return [
    ...rides.map((id) => `${nameOf(world, id)} is due, and the clock does not look at it`),
    ...changes.map((id) => `a change of ${nameOf(world, id)} is due, and the clock does not look at it`),
  ];
}

/** Seats per leg lie between none and all, and are those of the people on it. */
function wrongSeats(world: World, seen: Seen, isHeard: boolean): string[] {
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
      // A reserved seat of a ride that was not locked is freed by a listener; the booking may have been
      // joined, until its authorization failed.
      const wasKept =
        booking.joinedAt === null ||
        ['rejected', 'expired'].includes(booking.state) ||
        seen.kept.has(booking.id);
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

/**
 * Findings after a history that should be over: nothing is stuck, and every person has paid what they owed.
 */
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
    for (const { id, authorizedCents, nextAt, state, goal } of of)
      if (authorizedCents > 0 || nextAt !== null || !['succeeded', 'canceled'].includes(state))
        found.push(
          `${name} has ${authorizedCents} ¢ held; ${goal} of ${id} is ${state}, next ${String(nextAt?.toISOString())}`,
        );
    const net = of.reduce((sum, hold) => sum + hold.capturedCents - hold.refundedCents, 0);
    // A boarding ends the decision about a miss; the last decision is about the current state.
    const back = world.disputes.findLast(({ bookingId }) => bookingId === booking.id)?.refundCents ?? 0;
    const share =
      booking.state === 'finished'
        ? booking.fareCents
        : booking.fault === 'passenger'
          ? (booking.lateFeeCents ?? 0)
          : null;
    // Amounts too small for a card provider are waived.
    const owed = share === null || share >= minimumPriceCents ? share : 0;
    // Of what a bank has taken back for good nothing is given back on top.
    const isLost = of.some(({ isChargedBack }) => isChargedBack);
    if (owed !== null && net !== owed - back && owed - back >= minimumPriceCents && !isLost)
      found.push(`${name} should bring ${owed} - ${back} ¢ and brings ${net} ¢`);
  }
  for (const { id, state, transfer } of world.chargebacks) {
    const expected = { won: ['none', 'sentAgain'], lost: ['takenBack'] }[state as string] ?? [];
    if (!expected.includes(transfer))
      found.push(`the chargeback ${id} is ${state}, the driver's part ${transfer}`);
  }
  for (const { bookingId, closedAt } of world.questions)
    if (closedAt === null) found.push(`both are still asked about ${nameOf(world, bookingId)}`);
  if (world.waiting.length > 0) found.push(`${world.waiting.length} still wait for a seat`);
  if (world.changes.some(({ state }) => state === 'open')) found.push('a proposed change is still open');
  if (world.spans.length > 0) found.push(`${world.spans.length} spans are still taken`);
  return found;
}
