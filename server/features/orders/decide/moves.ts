import {
  bookingMoves,
  changeableRideStates,
  isAgreed,
  requestMoves,
  rideMoves,
  type Actor,
  type BookingAwaits,
  type BookingMove,
  type RequestMove,
  type RideMove,
} from '#contract/rides/moves.ts';
import type { App } from '../../../app-type.ts';
import { movedOn } from '../../../platform/refusal.ts';
import type { Orders } from '../aggregate/orders.ts';
import { settleMove } from './money.ts';
import { bookingMoved, requestMoved, rideMoved, type By, type Change } from './move-log.ts';
import { rideMovedOn } from '../order-refusals.ts';
import { bookingProcess, requestProcess, rideProcess, type Deadline } from '../process.ts';
import type { BookingRow, RequestRow, RideRow } from '../queries.ts';

/** Moves that open a booking. */
type OpeningMove = 'ask' | 'invite' | 'offer';
/** Moves after which a booking has a deadline. */
type DeadlineMove = {
  [M in BookingMove]: (typeof bookingProcess)[M]['deadline'] extends null ? never : M;
}[BookingMove];

type RideChange = Change<Exclude<RideMove, 'publish'>, Partial<RideRow>>;
type RequestChange = Change<Exclude<RequestMove, 'publish'>, Partial<RequestRow>>;
type BookingChange<Move extends Exclude<BookingMove, OpeningMove>> = Change<
  Move,
  Partial<Omit<BookingRow, 'state' | 'awaits' | 'expiresAt'>>
> &
  ([Move & DeadlineMove] extends [never] ? { expiresAt?: never } : { expiresAt: Date });

const awaitsOf: Record<Deadline, BookingAwaits | null> = {
  answer: null,
  offer: 'answer',
  payment: 'payment',
  securing: 'payment',
};
const awaitsAfter = (deadline: Deadline | null): BookingAwaits | null =>
  deadline === null ? null : awaitsOf[deadline];

const allows = ({ actors }: { actors: readonly Actor[] }, { actor }: By): boolean => actors.includes(actor);

export function publishRide(app: App, orders: Orders, row: Partial<RideRow>): RideRow {
  const ride = orders.insertRide(row);
  const by: By = { actor: 'driver', actorId: ride.driverId };
  rideMoved(app, orders, { ride, from: null }, { move: 'publish', by });
  return ride;
}

export function publishRequest(app: App, orders: Orders, row: Partial<RequestRow>): RequestRow {
  const request = orders.insertRequest(row);
  const by: By = { actor: 'passenger', actorId: request.passengerId };
  requestMoved(app, orders, { request, from: null }, { move: 'publish', by });
  return request;
}

/** Opens a booking, by an ask, an invitation, or the offer of a seat that has become free. */
export function openBooking(
  app: App,
  orders: Orders,
  { move, by }: { move: OpeningMove; by: By },
  row: Partial<BookingRow> & { expiresAt: Date },
): BookingRow {
  const awaits = awaitsAfter(bookingProcess[move].deadline);
  const booking = orders.insertBooking({ ...row, awaits, state: bookingMoves[move].to });
  bookingMoved(app, orders, { booking, from: null }, { move, by, note: booking.message });
  return booking;
}

/**
 * The functions of this file are the only way a ride, a request or a booking changes its state: from a state
 * that the table of moves allows, by an actor it allows, in one conditional update, with its history entry
 * and its signal, all in the caller's transaction. They refuse `order.moved` or `booking.moved` when another
 * move came first.
 */
export function moveRide(app: App, orders: Orders, before: RideRow, change: RideChange): RideRow {
  const { move, by, set } = change;
  const rule = rideMoves[move];
  const ride = allows(rule, by) ? orders.advanceRide(before.id, rule.from, { ...set, state: rule.to }) : null;
  if (ride === null) throw rideMovedOn();
  if (rideProcess[move].endsWaitlist) orders.stopWaiting({ rideId: ride.id });
  // Nothing can be changed from the day of the ride on: an open proposal ends.
  if (changeableRideStates.includes(before.state) && !changeableRideStates.includes(ride.state))
    orders.wakeChange(ride.id, app.clock.now());
  rideMoved(app, orders, { ride, from: before.state }, change);
  return ride;
}

export function moveRequest(app: App, orders: Orders, before: RequestRow, change: RequestChange): RequestRow {
  const { move, by, set } = change;
  const rule = requestMoves[move];
  const request = allows(rule, by)
    ? orders.advanceRequest(before.id, rule.from, { ...set, state: rule.to })
    : null;
  if (request === null) throw movedOn('order.moved', 'This request just changed. Please check again.');
  if (requestProcess[move].endsWaitlist) orders.stopWaiting({ requestId: request.id });
  requestMoved(app, orders, { request, from: before.state }, change);
  return request;
}

/** @param change.expiresAt the deadline after this move; only for moves that have one. */
export function moveBooking<Move extends Exclude<BookingMove, OpeningMove>>(
  app: App,
  orders: Orders,
  before: BookingRow,
  change: BookingChange<Move>,
): BookingRow {
  const { move, by, set, expiresAt = null } = change;
  const rule = bookingMoves[move];
  const { deadline } = bookingProcess[move];
  const row = {
    ...set,
    awaits: awaitsAfter(deadline),
    expiresAt: deadline === null ? null : expiresAt,
    state: rule.to,
  };
  const booking = allows(rule, by) ? orders.advanceBooking(before.id, rule.from, row) : null;
  if (booking === null) throw movedOn('booking.moved', 'This just changed. Please check again.');
  // Those who are left may all have accepted a proposal that waits for this passenger.
  if (isAgreed(before) && !isAgreed(booking)) orders.wakeChange(booking.rideId, app.clock.now());
  settleMove(app, orders, booking, { move, from: before.state });
  bookingMoved(app, orders, { booking, from: before.state }, change);
  return booking;
}
