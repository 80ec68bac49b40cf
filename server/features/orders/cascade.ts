import { isAgreed, openAskStates } from '#contract/rides/moves.ts';
import { estimateTravel } from '#roads/graph/estimate.ts';
import type { App } from '../../app-type.ts';
import { withoutBooking, travelBetween } from '../matching/service.ts';
import { followRide } from '../payments/service.ts';
import { lockedPlan } from './aggregate/fit.ts';
import type { LockedOrders } from './aggregate/locked-orders.ts';
import { bySystem } from './move-log.ts';
import { offerSeat } from './offer-seat.ts';
import { nextRequestMove, nextRideMove } from './rules/cascade.ts';
import { nextDeparture } from './rules/next-departure.ts';
import { rescueWindow } from './rules/rebooking.ts';
import { followPlan, followRequest, takeTime } from './spans/store.ts';
import * as store from './store.ts';
import { moveBooking, moveRequest, moveRide } from './moves.ts';

const isOpenAsk = (booking: store.BookingRow) => openAskStates.includes(booking.state);

/** The latest booking that the driver canceled or did not come for; null where there is none. */
export const lostBooking = (bookings: readonly store.BookingRow[]): store.BookingRow | null =>
  bookings
    .filter(({ joinedAt, fault, endedAt }) => joinedAt !== null && fault === 'driver' && endedAt !== null)
    .toSorted((a, b) => b.endedAt!.getTime() - a.endedAt!.getTime())[0] ?? null;

/** Ends asks and invitations that can no longer be answered; free for both sides. */
export function closeAsks(
  app: App,
  locked: LockedOrders,
  bookings: readonly store.BookingRow[],
  { how, reason }: { how: 'expire' | 'withdraw'; reason: string },
): void {
  const now = app.clock.now();
  for (const booking of bookings.filter(isOpenAsk)) {
    const move =
      how === 'expire' ? 'expire' : booking.state === 'requesting' ? 'withdraw' : 'withdrawInvitation';
    moveBooking(app, locked, booking, {
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
  app: App,
  locked: LockedOrders,
  request: store.RequestRow,
  bookings: readonly store.BookingRow[],
): Partial<store.RequestRow> {
  const lost = lostBooking(bookings);
  if (lost === null) return {};
  const open = rescueWindow(request, lost.pickupAt, app.clock.now());
  const { id, passengerId, earliestAt } = request;
  return takeTime(locked, { id, personId: passengerId, from: earliestAt, to: open.arriveBy }) ? open : {};
}

/** Moves a request as far as its bookings ask for. Called under the lock on the ride, as all of this file. */
export function settleRequest(app: App, locked: LockedOrders, requestId: string): void {
  let request = locked.lockedRequest(requestId);
  let bookings = locked.bookingsOfRequest(requestId);
  for (;;) {
    const next = nextRequestMove(request.state, bookings);
    // A suspended person's request is not open again.
    const move = next === 'rematch' && locked.isSuspended(request.passengerId) ? 'cancel' : next;
    if (move === null || move === 'publish') return;
    const ends = ['finish', 'miss', 'cancel', 'expire'].includes(move);
    const set = ends
      ? { endedAt: app.clock.now() }
      : move === 'rematch'
        ? reopen(app, locked, request, bookings)
        : {};
    request = moveRequest(app, locked, request, { move, by: bySystem, set });
    if (move === 'rematch' && Object.keys(set).length === 0) followRequest(locked, requestId);
    if ((move === 'join' || ends) && bookings.some(isOpenAsk)) {
      closeAsks(app, locked, bookings, { how: 'withdraw', reason: '' });
      bookings = locked.bookingsOfRequest(requestId);
    }
    if (ends) locked.spans.free(requestId);
  }
}

/** Moves a ride as far as its bookings and the time ask for. */
export function settleRide(app: App, locked: LockedOrders, rideId: string): void {
  for (;;) {
    const ride = locked.lockedRide(rideId);
    const open = locked.openBookings(rideId);
    // Between two stops at the same place there is no drive: a seat that is free only there is of no use.
    const seatsTaken = locked.stops(rideId).flatMap((stop) => (stop.toNextMs > 0 ? [stop.seatsTaken] : []));
    const states = open.map(({ state }) => state);
    if (ride.costCents > 0) {
      const agreed = open.filter(isAgreed).map(({ id }) => id);
      locked.thenWrite((db) => followRide(app, db, ride, agreed));
    }
    if ((ride.state === 'waiting' || ride.state === 'driver reached') && states.includes('joined')) {
      // A passenger who joins on the day waits at once, also when the driver is at the start already.
      for (const booking of open.filter(({ state }) => state === 'joined'))
        moveBooking(app, locked, booking, { move: 'gather', by: bySystem });
    }
    // The waitlist comes first.
    const offeredTo = locked.waitingFor(rideId).length > 0 ? offerSeat(app, locked, ride) : null;
    if (offeredTo !== null) {
      settleRequest(app, locked, offeredTo);
      continue;
    }
    const move = nextRideMove({ ...ride, seatsTaken }, states, app.clock.now());
    if (move === null || move === 'publish') return;
    moveRide(app, locked, ride, { move, by: bySystem });
    if (move === 'fill') {
      // Seats reserved for unpaid bookings count as taken.
      const asks = open.filter(({ state }) => state === 'requesting' || state === 'inviting');
      closeAsks(app, locked, asks, { how: 'expire', reason: 'full' });
      settleRequests(app, locked, asks);
    }
  }
}

/** Cascades to the requests of those bookings that were open; the lock on the ride covers their requests. */
export function settleRequests(app: App, locked: LockedOrders, bookings: readonly store.BookingRow[]): void {
  const open = bookings.filter(({ endedAt }) => endedAt === null);
  for (const requestId of [...new Set(open.map((booking) => booking.requestId))].toSorted())
    settleRequest(app, locked, requestId);
}

/** After a booking has moved: cascades to its request, then to its ride. */
export function settleBooking(app: App, locked: LockedOrders, booking: store.BookingRow): void {
  settleRequest(app, locked, booking.requestId);
  settleRide(app, locked, booking.rideId);
}

/**
 * Moves the departure of a ride with no passenger on its route to the next time at which it can still leave.
 * Called under the lock on the ride; false where it stays.
 */
export function followClock(app: App, locked: LockedOrders, ride: store.RideRow): boolean {
  const departsAt = ride.state === 'matching' ? nextDeparture(ride, app.clock.now()) : null;
  if (departsAt === null) return false;
  const plan = lockedPlan(locked, ride);
  if (plan.stops.some(({ bookingId }) => bookingId !== null)) return false;
  locked.savePlan(ride.id, { ...plan, departsMs: departsAt.getTime() });
  return true;
}

/** Removes an ended booking from the route; the agreed times of the others do not change. */
export function leaveRoute(
  app: App,
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
    (from, to) => travelBetween(app, from, to) ?? estimateTravel(from, to),
  );
  locked.savePlan(ride.id, without);
  followPlan(locked, ride.id);
}
