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
import type { App } from '../../app-type.ts';
import type { Db } from '../../platform/database/db.ts';
import { movedOn } from '../../platform/refusal.ts';
import type { LockedOrders } from './aggregate/locked-orders.ts';
import * as due from './due/store.ts';
import { settleMove } from './money.ts';
import { bookingMoved, requestMoved, rideMoved, type By, type Change } from './move-log.ts';
import { rideMovedOn } from './order-refusals.ts';
import { bookingProcess, requestProcess, rideProcess, type Deadline } from './process.ts';
import * as store from './store.ts';

/** Moves that open a booking. */
type OpeningMove = 'ask' | 'invite' | 'offer';
/** Moves after which a booking has a deadline. */
type DeadlineMove = {
  [M in BookingMove]: (typeof bookingProcess)[M]['deadline'] extends null ? never : M;
}[BookingMove];

type RideChange = Change<Exclude<RideMove, 'publish'>, Partial<store.RideRow>>;
type RequestChange = Change<Exclude<RequestMove, 'publish'>, Partial<store.RequestRow>>;
type BookingChange<Move extends Exclude<BookingMove, OpeningMove>> = Change<
  Move,
  Partial<Omit<store.BookingRow, 'state' | 'awaits' | 'expiresAt'>>
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

export function publishRide(app: App, locked: LockedOrders, row: Partial<store.RideRow>): store.RideRow {
  const ride = locked.insertRide(row);
  const by: By = { actor: 'driver', actorId: ride.driverId };
  rideMoved(app, locked, { ride, from: null }, { move: 'publish', by });
  return ride;
}

export function publishRequest(
  app: App,
  locked: LockedOrders,
  row: Partial<store.RequestRow>,
): store.RequestRow {
  const request = locked.insertRequest(row);
  const by: By = { actor: 'passenger', actorId: request.passengerId };
  requestMoved(app, locked, { request, from: null }, { move: 'publish', by });
  return request;
}

/** Opens a booking, by an ask, an invitation, or the offer of a seat that has become free. */
export function openBooking(
  app: App,
  locked: LockedOrders,
  { move, by }: { move: OpeningMove; by: By },
  row: Partial<store.BookingRow> & { expiresAt: Date },
): store.BookingRow {
  const awaits = awaitsAfter(bookingProcess[move].deadline);
  const booking = locked.insertBooking({ ...row, awaits, state: bookingMoves[move].to });
  bookingMoved(app, locked, { booking, from: null }, { move, by, note: booking.message });
  return booking;
}

/**
 * The functions of this file are the only way a ride, a request or a booking changes its state: from a state
 * that the table of moves allows, by an actor it allows, in one conditional update, with its history entry
 * and its signal, all in the caller's transaction. They refuse `order.moved` or `booking.moved` when another
 * move came first.
 */
export function moveRide(
  app: App,
  locked: LockedOrders,
  before: store.RideRow,
  change: RideChange,
): store.RideRow {
  const { move, by, set } = change;
  const rule = rideMoves[move];
  const ride = allows(rule, by) ? locked.advanceRide(before.id, rule.from, { ...set, state: rule.to }) : null;
  if (ride === null) throw rideMovedOn();
  if (rideProcess[move].endsWaitlist) locked.stopWaiting({ rideId: ride.id });
  // Nothing can be changed from the day of the ride on: an open proposal ends.
  if (changeableRideStates.includes(before.state) && !changeableRideStates.includes(ride.state))
    locked.wakeChange(ride.id, app.clock.now());
  rideMoved(app, locked, { ride, from: before.state }, change);
  return ride;
}

export function moveRequest(
  app: App,
  locked: LockedOrders,
  before: store.RequestRow,
  change: RequestChange,
): store.RequestRow {
  const { move, by, set } = change;
  const rule = requestMoves[move];
  const request = allows(rule, by)
    ? locked.advanceRequest(before.id, rule.from, { ...set, state: rule.to })
    : null;
  if (request === null) throw movedOn('order.moved', 'This request just changed. Please check again.');
  if (requestProcess[move].endsWaitlist) locked.stopWaiting({ requestId: request.id });
  requestMoved(app, locked, { request, from: before.state }, change);
  return request;
}

/** @param change.expiresAt the deadline after this move; only for moves that have one. */
export function moveBooking<Move extends Exclude<BookingMove, OpeningMove>>(
  app: App,
  locked: LockedOrders,
  before: store.BookingRow,
  change: BookingChange<Move>,
): store.BookingRow {
  const { move, by, set, expiresAt = null } = change;
  const rule = bookingMoves[move];
  const { deadline } = bookingProcess[move];
  const row = {
    ...set,
    awaits: awaitsAfter(deadline),
    expiresAt: deadline === null ? null : expiresAt,
    state: rule.to,
  };
  const booking = allows(rule, by) ? locked.advanceBooking(before.id, rule.from, row) : null;
  if (booking === null) throw movedOn('booking.moved', 'This just changed. Please check again.');
  // Those who are left may all have accepted a proposal that waits for this passenger.
  if (isAgreed(before) && !isAgreed(booking)) locked.wakeChange(booking.rideId, app.clock.now());
  settleMove(app, locked, booking, { move, from: before.state });
  bookingMoved(app, locked, { booking, from: before.state }, change);
  return booking;
}

/**
 * Expires up to `limit` open orders that never had a booking, with one signal for all of them. Returns how
 * many there were.
 * @param lastAt expires orders that could leave no later than this.
 */
export async function expireUnasked(
  app: App,
  tx: Db,
  kind: 'ride' | 'request',
  { lastAt, limit }: { lastAt: Date; limit: number },
): Promise<number> {
  const { to } = kind === 'ride' ? rideMoves.expire : requestMoves.expire;
  const expired = await due.expireUnasked(tx, kind, { lastAt, limit, now: app.clock.now(), to });
  if (expired.length === 0) return 0;
  const orders = expired.map(({ id, ownerId }) => ({ id, ownerId }));
  const orderIds = expired.map(({ id }) => id);
  const eventIds = new Set(expired.flatMap(({ eventId }) => eventId ?? []));
  await app.outbox.emitAll(tx, [
    { name: 'orders.expired', payload: { kind, orders }, key: orderIds[0]! },
    { name: 'orders.written', payload: { orderIds }, key: orderIds[0]! },
    ...[...eventIds].map((eventId) => ({ name: 'event.moved', payload: { eventId }, key: eventId })),
  ]);
  return expired.length;
}
