import { isAgreed, openAskStates } from '#contract/rides/moves.ts';
import { estimateTravel } from '#roads/graph/estimate.ts';
import type { App } from '../../../app-type.ts';
import { withoutBooking, travelBetween } from '../../matching/service.ts';
import { followRide } from '../../payments/service.ts';
import { lockedPlan } from './fit.ts';
import type { Orders } from '../aggregate/orders.ts';
import { bySystem } from './move-log.ts';
import { offerSeat } from './offer-seat.ts';
import { nextRequestMove, nextRideMove } from './next-moves.ts';
import { nextDeparture } from '../rules/next-departure.ts';
import { rescueWindow } from '../rules/rebooking.ts';
import { followPlan, followRequest, takeTime } from './time.ts';
import type { BookingRow, RequestRow, RideRow } from '../queries.ts';
import { moveBooking, moveRequest, moveRide } from './moves.ts';

const isOpenAsk = (booking: BookingRow) => openAskStates.includes(booking.state);

/** The latest booking that the driver canceled or did not come for; null where there is none. */
export const lostBooking = (bookings: readonly BookingRow[]): BookingRow | null =>
  bookings
    .filter(({ joinedAt, fault, endedAt }) => joinedAt !== null && fault === 'driver' && endedAt !== null)
    .toSorted((a, b) => b.endedAt!.getTime() - a.endedAt!.getTime())[0] ?? null;

/** Ends asks and invitations that can no longer be answered; free for both sides. */
export function closeAsks(
  app: App,
  orders: Orders,
  bookings: readonly BookingRow[],
  { how, reason }: { how: 'expire' | 'withdraw'; reason: string },
): void {
  const now = app.clock.now();
  for (const booking of bookings.filter(isOpenAsk)) {
    const move =
      how === 'expire' ? 'expire' : booking.state === 'requesting' ? 'withdraw' : 'withdrawInvitation';
    moveBooking(app, orders, booking, {
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
  orders: Orders,
  request: RequestRow,
  bookings: readonly BookingRow[],
): Partial<RequestRow> {
  const lost = lostBooking(bookings);
  if (lost === null) return {};
  const open = rescueWindow(request, lost.pickupAt, app.clock.now());
  const { id, passengerId, earliestAt } = request;
  return takeTime(orders, { id, personId: passengerId, from: earliestAt, to: open.arriveBy }) ? open : {};
}

/** Moves a request as far as its bookings ask for. Called under the lock on the ride, as all of this file. */
export function settleRequest(app: App, orders: Orders, requestId: string): void {
  let request = orders.lockedRequest(requestId);
  let bookings = orders.bookingsOfRequest(requestId);
  for (;;) {
    const next = nextRequestMove(request.state, bookings);
    // A suspended person's request is not open again.
    const move = next === 'rematch' && orders.isSuspended(request.passengerId) ? 'cancel' : next;
    if (move === null || move === 'publish') return;
    const ends = ['finish', 'miss', 'cancel', 'expire'].includes(move);
    const set = ends
      ? { endedAt: app.clock.now() }
      : move === 'rematch'
        ? reopen(app, orders, request, bookings)
        : {};
    request = moveRequest(app, orders, request, { move, by: bySystem, set });
    if (move === 'rematch' && Object.keys(set).length === 0) followRequest(orders, requestId);
    if ((move === 'join' || ends) && bookings.some(isOpenAsk)) {
      closeAsks(app, orders, bookings, { how: 'withdraw', reason: '' });
      bookings = orders.bookingsOfRequest(requestId);
    }
    if (ends) orders.spans.free(requestId);
  }
}

/** Moves a ride as far as its bookings and the time ask for. */
export function settleRide(app: App, orders: Orders, rideId: string): void {
  for (;;) {
    const ride = orders.lockedRide(rideId);
    const open = orders.openBookings(rideId);
    // Between two stops at the same place there is no drive: a seat that is free only there is of no use.
    const seatsTaken = orders.stops(rideId).flatMap((stop) => (stop.toNextMs > 0 ? [stop.seatsTaken] : []));
    const states = open.map(({ state }) => state);
    if (ride.costCents > 0) {
      const agreed = open.filter(isAgreed).map(({ id }) => id);
      orders.thenWrite((db) => followRide(app, db, ride, agreed));
    }
    if ((ride.state === 'waiting' || ride.state === 'driver reached') && states.includes('joined')) {
      // A passenger who joins on the day waits at once, also when the driver is at the start already.
      for (const booking of open.filter(({ state }) => state === 'joined'))
        moveBooking(app, orders, booking, { move: 'gather', by: bySystem });
    }
    // The waitlist comes first.
    const offeredTo = orders.waitingFor(rideId).length > 0 ? offerSeat(app, orders, ride) : null;
    if (offeredTo !== null) {
      settleRequest(app, orders, offeredTo);
      continue;
    }
    const move = nextRideMove({ ...ride, seatsTaken }, states, app.clock.now());
    if (move === null || move === 'publish') return;
    moveRide(app, orders, ride, { move, by: bySystem });
    if (move === 'fill') {
      // Seats reserved for unpaid bookings count as taken.
      const asks = open.filter(({ state }) => state === 'requesting' || state === 'inviting');
      closeAsks(app, orders, asks, { how: 'expire', reason: 'full' });
      settleRequests(app, orders, asks);
    }
  }
}

/** Cascades to the requests of those bookings that were open; the lock on the ride covers their requests. */
export function settleRequests(app: App, orders: Orders, bookings: readonly BookingRow[]): void {
  const open = bookings.filter(({ endedAt }) => endedAt === null);
  for (const requestId of [...new Set(open.map((booking) => booking.requestId))].toSorted())
    settleRequest(app, orders, requestId);
}

/** After a booking has moved: cascades to its request, then to its ride. */
export function settleBooking(app: App, orders: Orders, booking: BookingRow): void {
  settleRequest(app, orders, booking.requestId);
  settleRide(app, orders, booking.rideId);
}

/**
 * Moves the departure of a ride with no passenger on its route to the next time at which it can still leave.
 * Called under the lock on the ride; false where it stays.
 */
export function followClock(app: App, orders: Orders, ride: RideRow): boolean {
  const departsAt = ride.state === 'matching' ? nextDeparture(ride, app.clock.now()) : null;
  if (departsAt === null) return false;
  const plan = lockedPlan(orders, ride);
  if (plan.stops.some(({ bookingId }) => bookingId !== null)) return false;
  orders.savePlan(ride.id, { ...plan, departsMs: departsAt.getTime() });
  return true;
}

/** Removes an ended booking from the route; the agreed times of the others do not change. */
export function leaveRoute(app: App, orders: Orders, ride: RideRow, booking: BookingRow): void {
  const plan = lockedPlan(orders, ride);
  if (!plan.stops.some((stop) => stop.bookingId === booking.id)) return;
  // A ride may predate the regions loaded now: a missing road must not keep a passenger from leaving it.
  const without = withoutBooking(
    plan,
    booking.id,
    (from, to) => travelBetween(app, from, to) ?? estimateTravel(from, to),
  );
  orders.savePlan(ride.id, without);
  followPlan(orders, ride.id);
}
