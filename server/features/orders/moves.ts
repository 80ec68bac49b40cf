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
import type { Platform } from '../../platform/platform.ts';
import type { Db } from '../../platform/database/db.ts';
import { movedOn } from '../../platform/refusal.ts';
import type { Money } from './money.ts';
import { bookingMoved, orderEdited, requestMoved, rideMoved, type By, type Change } from './move-log.ts';
import { rideMovedOn } from './order-refusals.ts';
import * as due from './due/store.ts';
import { bookingProcess, requestProcess, rideProcess, type Deadline } from './process.ts';
import * as store from './store.ts';
import type { LockedOrders } from './aggregate/locked-orders.ts';

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

export type Moves = ReturnType<typeof createMoves>;

interface MoveContext extends Pick<Platform, 'clock' | 'outbox'> {
  money: Money;
}

const allows = ({ actors }: { actors: readonly Actor[] }, { actor }: By): boolean => actors.includes(actor);

/**
 * The only way a ride, a request or a booking changes its state: from a state that the table of moves allows,
 * by an actor it allows, in one conditional update, with its history entry and its signal, all in the
 * caller's transaction. Refuses `order.moved` or `booking.moved` when another move came first.
 */
export function createMoves({ clock, outbox }: Platform, money: Money) {
  const context: MoveContext = { clock, outbox, money };
  return {
    publishRide: publishRide.bind(null, context),
    publishRequest: publishRequest.bind(null, context),
    openBooking: openBooking.bind(null, context),
    moveRide: moveRide.bind(null, context),
    moveRequest: moveRequest.bind(null, context),
    moveBooking: <Move extends Exclude<BookingMove, OpeningMove>>(
      locked: LockedOrders,
      booking: store.BookingRow,
      change: BookingChange<Move>,
    ) => moveBooking(context, locked, booking, change),
    expireUnasked: expireUnasked.bind(null, context),
    /** An owner edited their order: writes its history entry and its signal; the state stays. */
    edited: (
      locked: LockedOrders,
      of: { ride: store.RideRow } | { request: store.RequestRow },
      by: By,
      what: 'terms' | 'details',
    ) => orderEdited(context, locked, of, { by, what }),
  };
}

function publishRide(context: MoveContext, locked: LockedOrders, row: Partial<store.RideRow>): store.RideRow {
  const ride = locked.insertRide(row);
  const by: By = { actor: 'driver', actorId: ride.driverId };
  rideMoved(context, locked, { ride, from: null }, { move: 'publish', by });
  return ride;
}

function publishRequest(
  context: MoveContext,
  locked: LockedOrders,
  row: Partial<store.RequestRow>,
): store.RequestRow {
  const request = locked.insertRequest(row);
  const by: By = { actor: 'passenger', actorId: request.passengerId };
  requestMoved(context, locked, { request, from: null }, { move: 'publish', by });
  return request;
}

/** Opens a booking, by an ask, an invitation, or the offer of a seat that has become free. */
function openBooking(
  context: MoveContext,
  locked: LockedOrders,
  { move, by }: { move: OpeningMove; by: By },
  row: Partial<store.BookingRow> & { expiresAt: Date },
): store.BookingRow {
  const awaits = awaitsAfter(bookingProcess[move].deadline);
  const booking = locked.insertBooking({ ...row, awaits, state: bookingMoves[move].to });
  bookingMoved(context, locked, { booking, from: null }, { move, by, note: booking.message });
  return booking;
}

function moveRide(
  context: MoveContext,
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
    locked.wakeChange(ride.id, context.clock.now());
  rideMoved(context, locked, { ride, from: before.state }, change);
  return ride;
}

function moveRequest(
  context: MoveContext,
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
  requestMoved(context, locked, { request, from: before.state }, change);
  return request;
}

/** @param change.expiresAt the deadline after this move; only for moves that have one. */
function moveBooking<Move extends Exclude<BookingMove, OpeningMove>>(
  context: MoveContext,
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
  if (isAgreed(before) && !isAgreed(booking)) locked.wakeChange(booking.rideId, context.clock.now());
  context.money.afterMove(locked, booking, { move, from: before.state });
  bookingMoved(context, locked, { booking, from: before.state }, change);
  return booking;
}

/**
 * Expires up to `limit` open orders that never had a booking, with one signal for all of them. Returns how
 * many there were.
 * @param lastAt expires orders that could leave no later than this.
 */
async function expireUnasked(
  { clock, outbox }: MoveContext,
  tx: Db,
  kind: 'ride' | 'request',
  { lastAt, limit }: { lastAt: Date; limit: number },
): Promise<number> {
  const { to } = kind === 'ride' ? rideMoves.expire : requestMoves.expire;
  const expired = await due.expireUnasked(tx, kind, { lastAt, limit, now: clock.now(), to });
  if (expired.length === 0) return 0;
  const orders = expired.map(({ id, ownerId }) => ({ id, ownerId }));
  await outbox.emit(tx, 'orders.expired', { kind, orders }, orders[0]!.id);
  for (const eventId of new Set(expired.map((order) => order.eventId)))
    if (eventId !== null) await outbox.emit(tx, 'event.moved', { eventId }, eventId);
  return expired.length;
}
