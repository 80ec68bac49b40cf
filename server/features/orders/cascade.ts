import { isAgreed, openAskStates } from '#contract/rides/moves.ts';
import { estimateTravel } from '#roads/graph/estimate.ts';
import type { App } from '../../app-type.ts';
import type { Clock } from '../../platform/clock.ts';
import { withoutBooking, travelBetween } from '../matching/service.ts';
import { followRide } from '../payments/service.ts';
import { lockedPlan } from './aggregate/fit.ts';
import type { LockedOrders } from './aggregate/locked-orders.ts';
import { bySystem } from './move-log.ts';
import type { Moves } from './moves.ts';
import { createOfferSeat } from './offer-seat.ts';
import { nextRequestMove, nextRideMove } from './rules/cascade.ts';
import { nextDeparture } from './rules/next-departure.ts';
import { rescueWindow } from './rules/rebooking.ts';
import { followPlan, followRequest, takeTime } from './spans/store.ts';
import * as store from './store.ts';

const isOpenAsk = (booking: store.BookingRow) => openAskStates.includes(booking.state);

export type Cascade = ReturnType<typeof createCascade>;

/** The latest booking that the driver canceled or did not come for; null where there is none. */
export const lostBooking = (bookings: readonly store.BookingRow[]): store.BookingRow | null =>
  bookings
    .filter(({ joinedAt, fault, endedAt }) => joinedAt !== null && fault === 'driver' && endedAt !== null)
    .toSorted((a, b) => b.endedAt!.getTime() - a.endedAt!.getTime())[0] ?? null;

interface CascadeContext {
  clock: Clock;
  moves: Moves;
  platform: App;
  /** Offers a free seat to the first person on the waitlist whom it fits; returns their request, or null. */
  offerSeat: ReturnType<typeof createOfferSeat>;
}

/**
 * What follows from a move: the states of related orders and bookings, the route, the shares. Called under
 * the lock on the ride.
 */
export function createCascade(platform: App, moves: Moves) {
  const offerSeat = createOfferSeat(platform, moves);
  const context: CascadeContext = { platform, clock: platform.clock, moves, offerSeat };
  return {
    closeAsks: closeAsks.bind(null, context),
    ride: settleRide.bind(null, context),
    request: settleRequest.bind(null, context),
    requests: settleRequests.bind(null, context),
    booking: settleBooking.bind(null, context),
    followClock: followClock.bind(null, context),
    leaveRoute: leaveRoute.bind(null, context),
  };
}

/** Ends asks and invitations that can no longer be answered; free for both sides. */
function closeAsks(
  context: CascadeContext,
  locked: LockedOrders,
  bookings: readonly store.BookingRow[],
  { how, reason }: { how: 'expire' | 'withdraw'; reason: string },
): void {
  const now = context.clock.now();
  for (const booking of bookings.filter(isOpenAsk)) {
    const move =
      how === 'expire' ? 'expire' : booking.state === 'requesting' ? 'withdraw' : 'withdrawInvitation';
    context.moves.moveBooking(locked, booking, {
      move,
      by: bySystem,
      set: { endedAt: now, reason },
      note: reason,
    });
  }
}

/**
 * Reopens a request whose driver let its passenger down, for a pick-up a while later, unless the passenger
 * has another order then.
 */
function reopen(
  context: CascadeContext,
  locked: LockedOrders,
  request: store.RequestRow,
  bookings: readonly store.BookingRow[],
): Partial<store.RequestRow> {
  const lost = lostBooking(bookings);
  if (lost === null) return {};
  const open = rescueWindow(request, lost.pickupAt, context.clock.now());
  const { id, passengerId, earliestAt } = request;
  return takeTime(locked, { id, personId: passengerId, from: earliestAt, to: open.arriveBy }) ? open : {};
}

function settleRequest(context: CascadeContext, locked: LockedOrders, requestId: string): void {
  let request = locked.lockedRequest(requestId);
  let bookings = locked.bookingsOfRequest(requestId);
  for (;;) {
    const next = nextRequestMove(request.state, bookings);
    // A suspended person's request is not open again.
    const move = next === 'rematch' && locked.isSuspended(request.passengerId) ? 'cancel' : next;
    if (move === null || move === 'publish') return;
    const ends = ['finish', 'miss', 'cancel', 'expire'].includes(move);
    const set = ends
      ? { endedAt: context.clock.now() }
      : move === 'rematch'
        ? reopen(context, locked, request, bookings)
        : {};
    request = context.moves.moveRequest(locked, request, { move, by: bySystem, set });
    if (move === 'rematch' && Object.keys(set).length === 0) followRequest(locked, requestId);
    if ((move === 'join' || ends) && bookings.some(isOpenAsk)) {
      closeAsks(context, locked, bookings, { how: 'withdraw', reason: '' });
      bookings = locked.bookingsOfRequest(requestId);
    }
    if (ends) locked.spans.free(requestId);
  }
}

function settleRide(context: CascadeContext, locked: LockedOrders, rideId: string): void {
  for (;;) {
    const ride = locked.lockedRide(rideId);
    const open = locked.openBookings(rideId);
    // Between two stops at the same place there is no drive: a seat that is free only there is of no use.
    const seatsTaken = locked.stops(rideId).flatMap((stop) => (stop.toNextMs > 0 ? [stop.seatsTaken] : []));
    const states = open.map(({ state }) => state);
    if (ride.costCents > 0) {
      const agreed = open.filter(isAgreed).map(({ id }) => id);
      locked.thenWrite((db) => followRide(context.platform, db, ride, agreed));
    }
    if ((ride.state === 'waiting' || ride.state === 'driver reached') && states.includes('joined')) {
      // A passenger who joins on the day waits at once, also when the driver is at the start already.
      for (const booking of open.filter(({ state }) => state === 'joined'))
        context.moves.moveBooking(locked, booking, { move: 'gather', by: bySystem });
    }
    // The waitlist comes first.
    const offeredTo = locked.waitingFor(rideId).length > 0 ? context.offerSeat(locked, ride) : null;
    if (offeredTo !== null) {
      settleRequest(context, locked, offeredTo);
      continue;
    }
    const move = nextRideMove({ ...ride, seatsTaken }, states, context.clock.now());
    if (move === null || move === 'publish') return;
    context.moves.moveRide(locked, ride, { move, by: bySystem });
    if (move === 'fill') {
      // Seats reserved for unpaid bookings count as taken.
      const asks = open.filter(({ state }) => state === 'requesting' || state === 'inviting');
      closeAsks(context, locked, asks, { how: 'expire', reason: 'full' });
      settleRequests(context, locked, asks);
    }
  }
}

/** Cascades to the requests of those bookings that were open; the lock on the ride covers their requests. */
function settleRequests(
  context: CascadeContext,
  locked: LockedOrders,
  bookings: readonly store.BookingRow[],
): void {
  const open = bookings.filter(({ endedAt }) => endedAt === null);
  for (const requestId of [...new Set(open.map((booking) => booking.requestId))].toSorted())
    settleRequest(context, locked, requestId);
}

/** After a booking has moved: cascades to its request, then to its ride. */
function settleBooking(context: CascadeContext, locked: LockedOrders, booking: store.BookingRow): void {
  settleRequest(context, locked, booking.requestId);
  settleRide(context, locked, booking.rideId);
}

/**
 * Moves the departure of a ride with no passenger on its route to the next time at which it can still leave.
 * Called under the lock on the ride; false where it stays.
 */
function followClock(context: CascadeContext, locked: LockedOrders, ride: store.RideRow): boolean {
  const departsAt = ride.state === 'matching' ? nextDeparture(ride, context.clock.now()) : null;
  if (departsAt === null) return false;
  const plan = lockedPlan(locked, ride);
  if (plan.stops.some(({ bookingId }) => bookingId !== null)) return false;
  locked.savePlan(ride.id, { ...plan, departsMs: departsAt.getTime() });
  return true;
}

/** Removes an ended booking from the route; the agreed times of the others do not change. */
function leaveRoute(
  context: CascadeContext,
  locked: LockedOrders,
  ride: store.RideRow,
  booking: store.BookingRow,
): void {
  const plan = lockedPlan(locked, ride);
  if (!plan.stops.some((stop) => stop.bookingId === booking.id)) return;
  // A ride may predate the regions loaded now: a missing road must not keep a passenger from leaving it.
  const without = withoutBooking(
    plan,
    booking.id,
    (from, to) => travelBetween(context.platform, from, to) ?? estimateTravel(from, to),
  );
  locked.savePlan(ride.id, without);
  followPlan(locked, ride.id);
}
