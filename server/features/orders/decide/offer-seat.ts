import { randomUUID } from 'node:crypto';
import { endedBookingStates, openRequestStates, openRideStates } from '#contract/rides/moves.ts';
import type { App } from '../../../app-type.ts';
import { later, minuteMs } from '../../../platform/clock.ts';
import { ceilingCents, withBooking } from '../../matching/service.ts';
import { bookedPlace } from '../booked-place.ts';
import { bySystem } from './move-log.ts';
import { followPlan, haveTimeFor } from './time.ts';
import type { RequestRow, RideRow } from '../queries.ts';
import { lockedFit } from './fit.ts';
import type { Orders } from '../aggregate/orders.ts';
import { openBooking } from './moves.ts';

/** Whether a request is still open, has no booking of this ride, and may ride with its driver. */
function mayBeOffered(orders: Orders, ride: RideRow, request: RequestRow): boolean {
  const { isFree, areActive } = orders.standingOf(ride, request.passengerId);
  const isBooked = orders
    .bookingsOfRequest(request.id)
    .some(({ rideId, state }) => rideId === ride.id && !endedBookingStates.includes(state));
  return openRequestStates.includes(request.state) && isFree && areActive && !isBooked;
}

/**
 * Reserves a seat for the first on the waitlist who fits. Returns their request, to which the caller
 * cascades; null when none fits. Called under the lock on the ride, in the transaction that freed the seat,
 * so that no other passenger can take it in between.
 */
export function offerSeat(app: App, orders: Orders, ride: RideRow): string | null {
  const { clock, env } = app;
  const now = clock.now();
  if (!openRideStates.includes(ride.state) || now >= ride.latestDepartsAt) return null;
  for (const { requestId } of orders.waitingFor(ride.id)) {
    const request = orders.lockedRequest(requestId);
    if (!mayBeOffered(orders, ride, request)) {
      orders.stopWaiting({ rideId: ride.id, requestId });
      continue;
    }
    const found = lockedFit(app, orders, { ride, request });
    if (found === null) continue;
    const fareCents = ceilingCents(ride, request.seats, request.offerCents);
    if (fareCents > env.MAX_TRANSACTION_CENTS) continue;
    if (!haveTimeFor(orders, ride, request, found)) continue;
    const { plan, wish, insertion } = found;
    const id = randomUUID();
    const endsAt = later(now, env.WAITLIST_OFFER_MINUTES * minuteMs);
    openBooking(
      app,
      orders,
      { move: 'offer', by: bySystem },
      {
        id,
        ...bookedPlace(ride, request, insertion, fareCents),
        startedBy: 'driver',
        expiresAt: endsAt < ride.latestDepartsAt ? endsAt : ride.latestDepartsAt,
        createdAt: now,
      },
    );
    orders.savePlan(ride.id, withBooking(plan, { ...wish, seats: 0 }, insertion, id));
    if (!orders.claimSeats(ride.id, id, request.seats))
      throw new Error(`ride ${ride.id} has no seat where its plan has one`);
    followPlan(orders, ride.id);
    orders.stopWaiting({ rideId: ride.id, requestId });
    return requestId;
  }
  return null;
}
