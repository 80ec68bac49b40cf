import { isAgreed } from '#contract/rides/moves.ts';
import { later } from '../../../platform/clock.ts';
import { withBooking, type Insertion, type Plan, type Wish } from '../../matching/service.ts';
import type { Orders } from '../aggregate/orders.ts';
import type { Span } from '../aggregate/spans.ts';
import type { BookingRow, RequestRow, RideRow } from '../queries.ts';

/** An order, and the span of time that it would take of its person. */
interface Taking {
  id: string;
  personId: string;
  from: Date;
  to: Date;
}
const spanOf = ({ id, personId, from, to }: Taking): Span => ({ orderId: id, personId, from, until: to });

/** Whether none of these persons has another order in the span of theirs. Their orders are orders. */
export const areFreeFor = (orders: Orders, taking: readonly Taking[]): boolean =>
  orders.spans.areFree(taking.map(spanOf));

/**
 * Whether driver and passenger would be done with the ride, including the passenger's detour, before the next
 * order of either begins.
 */
export function haveTimeFor(
  orders: Orders,
  ride: RideRow,
  request: RequestRow,
  { plan, wish, insertion }: { plan: Plan; wish: Wish; insertion: Insertion },
): boolean {
  const { stops, departsMs } = withBooking(plan, wish, insertion, request.id);
  const arrivesMs = stops.reduce((ms, { standsMs, toNextMs }) => ms + standsMs + toNextMs, departsMs);
  const endsMs = Math.max(ride.latestDepartsAt.getTime() + ride.driveMs, arrivesMs);
  const doneMs = Math.max(
    request.latestAt.getTime() + request.driveMs,
    insertion.dropoffMs + insertion.dropoff.walkMs,
  );
  return areFreeFor(orders, [
    { id: ride.id, personId: ride.driverId, from: ride.earliestDepartsAt, to: new Date(endsMs) },
    { id: request.id, personId: request.passengerId, from: request.earliestAt, to: new Date(doneMs) },
  ]);
}

/**
 * Adjusts the spans of a ride's people to its plan: the driver's lasts until the car arrives with all
 * detours, a joined passenger's until they have walked to their destination. Called after the plan is saved,
 * under the lock on the ride. False, with nothing changed, where a span would overlap another order of its
 * person.
 */
export function followPlan(orders: Orders, rideId: string): boolean {
  const { driverId, latestDepartsAt, driveMs, arrivesAt } = orders.ride(rideId)!;
  const own = orders.spans.of(rideId);
  const until = latest(later(latestDepartsAt, driveMs), arrivesAt);
  const spans: Span[] =
    own === null
      ? []
      : [{ orderId: rideId, personId: driverId, from: own.from, until: latest(own.from, until) }];
  for (const booking of orders.openBookings(rideId).filter(isAgreed))
    spans.push(spanAboard(orders.request(booking.requestId)!, booking));
  return orders.spans.move(spans);
}

/** The same where an overlap ends the transaction: with this error. */
export function mustFollowPlan(orders: Orders, rideId: string, refusal: () => Error): void {
  if (!followPlan(orders, rideId)) throw refusal();
}

/** From the walk to the pick-up until the end of the one from the drop-off, and what was asked for. */
const spanAboard = (request: RequestRow, booking: BookingRow): Span => ({
  orderId: request.id,
  personId: request.passengerId,
  from: earliest(request.earliestAt, later(booking.pickupAt, -booking.pickupWalkMs)),
  until: latest(later(request.latestAt, request.driveMs), later(booking.dropoffAt, booking.dropoffWalkMs)),
});
const earliest = (a: Date, b: Date): Date => (a < b ? a : b);
const latest = (a: Date, b: Date): Date => (a > b ? a : b);

/** Takes a person's time for an order that is locked; false where another one of theirs is in it. */
export const takeTime = (orders: Orders, taking: Taking): boolean =>
  orders.spans.move([spanOf(taking)], true);

/** Resets the span of a request that has lost its ride to the time it asks for, where that is free. */
export function followRequest(orders: Orders, requestId: string): void {
  const { passengerId, earliestAt, latestAt, driveMs } = orders.request(requestId)!;
  const until = later(latestAt, driveMs);
  orders.spans.move([{ orderId: requestId, personId: passengerId, from: earliestAt, until }]);
}
