import { openRequestStates } from '#contract/rides/moves.ts';
import type { App } from '../../app-type.ts';
import { later } from '../../platform/clock.ts';
import { movedOn } from '../../platform/refusal.ts';
import { agreedSpot, withBooking, insertionAhead } from '../matching/service.ts';
import { lockedPlan } from './decide/fit.ts';
import type { LockedOrders } from './aggregate/locked-orders.ts';
import { bySystem, type By } from './decide/move-log.ts';
import { lastPassed } from './rules/last-passed.ts';
import { followPlan, takeTime as takeSpan } from './decide/time.ts';
import * as store from './store.ts';
import { moveBooking, moveRequest } from './decide/moves.ts';
import { closeAsks, settleBooking } from './decide/cascade.ts';

/** States in which a request can return to the ride it missed. */
const returningStates: readonly store.RequestRow['state'][] = ['missed', ...openRequestStates];

/**
 * Puts a passenger who was marked as missed on board after all (B28), once the second side has confirmed as
 * well: redoes what the miss has undone. Called under the lock on the ride. Refuses `request.closed` where
 * they have found another ride, `order.overlap`, and `ride.full` where others have the seats.
 */
export async function boardLate(
  app: App,
  locked: LockedOrders,
  { ride, booking }: { ride: store.RideRow; booking: store.BookingRow },
  { by, proof = '' }: { by: By; proof?: string },
): Promise<store.BookingRow> {
  const request = await locked.lockRequest(booking.requestId);
  if (request === null || !returningStates.includes(request.state))
    throw movedOn('request.closed', 'The rider found another ride.');
  takeTime(locked, request);
  const set = {
    fault: null,
    lateFeeCents: null,
    endedAt: null,
    reachedAt: booking.reachedAt ?? app.clock.now(),
  };
  const moved = moveBooking(app, locked, booking, { move: 'boardLate', by, set, note: proof });
  takeSeats(app, locked, ride, booking);
  moveRequest(app, locked, request, { move: 'boardLate', by: bySystem, set: { endedAt: null } });
  const asks = locked.bookingsOfRequest(request.id);
  closeAsks(app, locked, asks, { how: 'withdraw', reason: '' });
  settleBooking(app, locked, moved);
  return moved;
}

/** Takes the passenger's time again. Refuses where another order has taken it meanwhile. */
function takeTime(locked: LockedOrders, request: store.RequestRow): void {
  const { id, passengerId, earliestAt, latestAt, driveMs } = request;
  if (takeSpan(locked, { id, personId: passengerId, from: earliestAt, to: later(latestAt, driveMs) })) return;
  throw movedOn(
    'order.overlap',
    'There is an existing ride at the same departure time, so choose a different time.',
  );
}

/** Puts the booking on the rest of the route, and takes its seats there by one conditional update. */
function takeSeats(app: App, locked: LockedOrders, ride: store.RideRow, booking: store.BookingRow): void {
  const plan = lockedPlan(locked, ride);
  const bookings = locked.bookingsOfRide(ride.id);
  const stops = plan.stops.map(({ kind, bookingId }) => ({
    kind,
    state: bookings.find(({ id }) => id === bookingId)?.state ?? null,
  }));
  const found = insertionAhead(app, plan, lastPassed(stops, ride.viaPassed), {
    seats: booking.seats,
    pickup: agreedSpot(booking, 'pickup'),
    dropoff: agreedSpot(booking, 'dropoff'),
  });
  const full = movedOn('ride.full', 'Other riders have the seats on the rest of the route.');
  if (found === null) throw full;
  const { wish, insertion } = found;
  locked.savePlan(ride.id, withBooking(plan, { ...wish, seats: 0 }, insertion, booking.id));
  if (!locked.claimSeats(ride.id, booking.id, booking.seats)) throw full;
  // They are on board: an overlap with another order of the driver is no reason to refuse them.
  followPlan(locked, ride.id);
}
