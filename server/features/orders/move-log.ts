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
import type { SignalPayloads } from '../../platform/events/signals.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Db } from '../../platform/database/db.ts';
import * as store from './store.ts';
import { unitOf } from './unit/order-unit.ts';

/** Who makes a move; the system has no id. */
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
type Log = Pick<Platform, 'clock' | 'outbox'>;

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
  tx: Db,
  { kind, id, rideId, requestId, from, to }: Line,
  { move, by, note = '' }: Said<string>,
): Promise<void> =>
  store.insertHistory(tx, {
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
export async function eventMoved(
  { outbox }: Log,
  tx: Db,
  { eventId }: { eventId: string | null },
): Promise<void> {
  if (eventId !== null) await outbox.emit(tx, 'event.moved', { eventId }, eventId);
}

/** Writes a ride's entry in the history, and its signal. @param from null where the ride begins. */
export async function rideMoved(
  log: Log,
  tx: Db,
  { ride, from }: { ride: store.RideRow; from: string | null },
  said: Said<RideMove>,
): Promise<void> {
  const { id, state, driverId } = ride;
  await insertLine(log, tx, { kind: 'ride', id, rideId: id, requestId: null, from, to: state }, said);
  const { move, by } = said;
  const payload = { rideId: id, move, to: state, driverId, actor: by.actor };
  await log.outbox.emit(tx, 'ride.moved', payload, id);
  await eventMoved(log, tx, ride);
}

/** Writes a request's entry in the history, and its signal. @param from null where the request begins. */
export async function requestMoved(
  log: Log,
  tx: Db,
  { request, from }: { request: store.RequestRow; from: string | null },
  said: Said<RequestMove>,
): Promise<void> {
  const { id, state, passengerId } = request;
  await insertLine(log, tx, { kind: 'request', id, rideId: null, requestId: id, from, to: state }, said);
  const payload = { requestId: id, move: said.move, to: state, passengerId };
  await log.outbox.emit(tx, 'request.moved', payload, id);
  await eventMoved(log, tx, request);
}

/** Writes a booking's entry in the history, and its signal. @param from null where the booking begins. */
export async function bookingMoved(
  log: Log,
  tx: Db,
  { booking, from }: { booking: store.BookingRow; from: string | null },
  said: Said<BookingMove>,
): Promise<void> {
  const { id, rideId, requestId, driverId, passengerId, version, state: to } = booking;
  await insertLine(log, tx, { kind: 'booking', id, rideId, requestId, from, to }, said);
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
    ...atHand(tx, booking),
  };
  await log.outbox.emit(tx, 'booking.moved', payload, rideId);
}

/** A signal names so many others in the car; who hears of a move with more reads them. */
const mostNamed = 16;

/** What a listener would read again of a move, where the transaction holds it. */
function atHand(
  tx: Db,
  { rideId, requestId, passengerId }: store.BookingRow,
): Pick<SignalPayloads['booking.moved'], 'otherPassengerIds' | 'eventId'> {
  const unit = unitOf(tx);
  const [ride, request] = [unit?.ride(rideId) ?? null, unit?.request(requestId) ?? null];
  // On a ride that has begun some may have finished theirs: those are not held.
  const open = ride !== null && openRideStates.includes(ride.state) ? unit!.openBookings(rideId) : null;
  const others = new Set(open?.map((booking) => booking.passengerId));
  others.delete(passengerId);
  return {
    ...(open === null || others.size > mostNamed ? {} : { otherPassengerIds: [...others] }),
    ...(request === null ? {} : { eventId: request.eventId }),
  };
}

/** An owner edited their order: writes its entry in the history and its signal; the state stays. */
export async function orderEdited(
  log: Log,
  tx: Db,
  of: { ride: store.RideRow } | { request: store.RequestRow },
  { by, what }: { by: By; what: 'terms' | 'details' },
): Promise<void> {
  const [kind, order] = 'ride' in of ? (['ride', of.ride] as const) : (['request', of.request] as const);
  const { id, state } = order;
  const [rideId, requestId] = kind === 'ride' ? [id, null] : [null, id];
  await insertLine(log, tx, { kind, id, rideId, requestId, from: state, to: state }, { move: 'update', by });
  const ownerId = 'ride' in of ? of.ride.driverId : of.request.passengerId;
  await log.outbox.emit(tx, 'order.edited', { kind, orderId: id, ownerId, what }, id);
  await eventMoved(log, tx, order);
}
