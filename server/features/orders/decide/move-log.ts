import {
  openRideStates,
  type Actor,
  type BookingMove,
  type BookingState,
  type RequestMove,
  type RequestState,
  type RideMove,
  type RideState,
} from '#contract/rides/moves.ts';
import type { SignalPayloads } from '../../../platform/events/signals.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { BookingRow, RequestRow, RideRow } from '../queries.ts';
import type { Orders } from '../aggregate/orders.ts';

/** The maker of a move; the system has no id. */
export interface By {
  actor: Actor;
  actorId: string | null;
}

export const bySystem: By = { actor: 'system', actorId: null };

/** A change of state: the move, its actor, the other columns to set, and the note for the history. */
export interface Change<Move, Set> {
  move: Move;
  by: By;
  set?: Set;
  note?: string;
}

type Said<Move> = Pick<Change<Move, unknown>, 'move' | 'by' | 'note'>;
type Log = Pick<Platform, 'clock'>;

interface Line {
  kind: 'ride' | 'request' | 'booking';
  id: string;
  rideId: string | null;
  requestId: string | null;
  from: string | null;
  to: RideState | RequestState | BookingState;
}

const insertLine = (
  { clock }: Log,
  orders: Orders,
  { kind, id, rideId, requestId, from, to }: Line,
  { move, by, note = '' }: Said<string>,
): void =>
  orders.note({
    thing: kind,
    thingId: id,
    rideId,
    requestId,
    move,
    fromState: from,
    toState: to,
    actor: by.actor,
    actorId: by.actorId,
    note,
    at: clock.now(),
  });

/** Signals that an order for an event has moved; most orders have none, and cost no signal. */
function eventMoved(orders: Orders, { eventId }: { eventId: string | null }): void {
  if (eventId !== null) orders.emit('event.moved', { eventId }, eventId);
}

/** Writes a ride's entry in the history, and its signal. @param from null where the ride begins. */
export function rideMoved(
  log: Log,
  orders: Orders,
  { ride, from }: { ride: RideRow; from: string | null },
  said: Said<RideMove>,
): void {
  const { id, state, driverId } = ride;
  insertLine(log, orders, { kind: 'ride', id, rideId: id, requestId: null, from, to: state }, said);
  const { move, by } = said;
  const payload = { rideId: id, move, to: state, driverId, actor: by.actor };
  orders.emit('ride.moved', payload, id);
  eventMoved(orders, ride);
}

/** Writes a request's entry in the history, and its signal. @param from null where the request begins. */
export function requestMoved(
  log: Log,
  orders: Orders,
  { request, from }: { request: RequestRow; from: string | null },
  said: Said<RequestMove>,
): void {
  const { id, state, passengerId } = request;
  insertLine(log, orders, { kind: 'request', id, rideId: null, requestId: id, from, to: state }, said);
  const payload = { requestId: id, move: said.move, to: state, passengerId };
  orders.emit('request.moved', payload, id);
  eventMoved(orders, request);
}

/** Writes a booking's entry in the history, and its signal. @param from null where the booking begins. */
export function bookingMoved(
  log: Log,
  orders: Orders,
  { booking, from }: { booking: BookingRow; from: string | null },
  said: Said<BookingMove>,
): void {
  const { id, rideId, requestId, driverId, passengerId, version, state: to } = booking;
  insertLine(log, orders, { kind: 'booking', id, rideId, requestId, from, to }, said);
  const { move, by } = said;
  const payload = {
    bookingId: id,
    rideId,
    requestId,
    move,
    to,
    driverId,
    passengerId,
    actor: by.actor,
    version,
    ...atHand(orders, booking),
  };
  orders.emit('booking.moved', payload, rideId);
}

/** Maximum others in the car that a signal names; a listener to a move with more reads them. */
const mostNamed = 16;

/** The rows that a listener to a move would read again, where the transaction has them. */
function atHand(
  orders: Orders,
  { rideId, requestId, passengerId }: BookingRow,
): Pick<SignalPayloads['booking.moved'], 'otherPassengerIds' | 'eventId'> {
  const ride = orders.ride(rideId);
  // On a ride that has begun some may have finished theirs: those are not named.
  const open = ride !== null && openRideStates.includes(ride.state) ? orders.openBookings(rideId) : null;
  const others = new Set(open?.map((booking) => booking.passengerId));
  others.delete(passengerId);
  return {
    ...(open === null || others.size > mostNamed ? {} : { otherPassengerIds: [...others] }),
    eventId: orders.request(requestId)!.eventId,
  };
}

/** An owner edited their order: writes its entry in the history and its signal; the state stays. */
export function orderEdited(
  log: Log,
  orders: Orders,
  of: { ride: RideRow } | { request: RequestRow },
  { by, what }: { by: By; what: 'terms' | 'details' },
): void {
  const [kind, order] = 'ride' in of ? (['ride', of.ride] as const) : (['request', of.request] as const);
  const { id, state } = order;
  const [rideId, requestId] = kind === 'ride' ? [id, null] : [null, id];
  insertLine(log, orders, { kind, id, rideId, requestId, from: state, to: state }, { move: 'update', by });
  const ownerId = 'ride' in of ? of.ride.driverId : of.request.passengerId;
  orders.emit('order.edited', { kind, orderId: id, ownerId, what }, id);
  eventMoved(orders, order);
}
