import type { Order } from '#contract/rides/views.ts';
import { openAskStates, seatedStates } from '#contract/rides/moves.ts';
import type { App } from '../../../app-type.ts';
import { movedOn, Refusal, refuseField } from '../../../platform/refusal.ts';
import type { LockedOrders } from '../aggregate/locked-orders.ts';
import { cancelComing } from '../cancel-coming.ts';
import { settleBooking, leaveRoute, closeAsks, settleRequests } from '../decide/cascade.ts';
import type { By } from '../decide/move-log.ts';
import { moveBooking, moveRequest, moveRide } from '../decide/moves.ts';
import { bookingNotFound, orderNotFound, rideMovedOn } from '../order-refusals.ts';
import { viewOrder } from '../order-views.ts';
import { mayMoveRide } from '../rules/may.ts';
import type { BookingRow, RideRow, RequestRow } from '../store.ts';
import { rideFacts } from '../view.ts';
import { previewCancellation, agreedFee, ownOrder, createSeenFees } from './cancellation-fee.ts';
import { onRide, lockPair } from './pair.ts';
import type { BookingSides, OwnOrder } from './store.ts';

/**
 * Cancels one's ride or request, or (as driver) one passenger's place in it. Refuses `order.feeChanged`, with
 * the new preview, where the fee is not one that the passenger was shown within the last two minutes
 * (`seen`).
 */
export async function cancelOrder(
  app: App,
  personId: string,
  input: { id: string; bookingId?: string | undefined; reason: string; seen?: string | undefined },
): Promise<{ order: Order }> {
  const { id, bookingId, reason, seen = '' } = input;
  const own = await ownOrder(app, { id, bookingId: bookingId ?? null }, personId);
  try {
    if (bookingId !== undefined) await cancelPlace(app, own.booking, personId, { reason, seen });
    else if (own.role === 'driver') await cancelRide(app, own.id, personId, reason);
    else await cancelRequest(app, own, { reason, seen });
  } catch (error) {
    if (!(error instanceof Refusal) || error.reason !== 'order.feeChanged') throw error;
    throw movedOn(error.reason, error.message, {
      preview: await previewCancellation(app, id, personId),
    });
  }
  return { order: await viewOrder(app, own.id, personId) };
}

/** Cancels an order of a person who may not ride any more, without a fee: the app decided it. */
export async function takeBackOrder(app: App, personId: string, id: string, reason: string): Promise<void> {
  const own = await ownOrder(app, { id }, personId);
  if (own.role === 'driver') await cancelRide(app, id, personId, reason);
  else await cancelRequest(app, own, { reason, seen: null });
}

/**
 * One side cancels a passenger's place in a ride. Refuses `order.reasonMissing` to a driver without a reason,
 * and `booking.notFound`.
 * @param known the booking, which the person is a side of; null where there is none
 */
async function cancelPlace(
  app: App,
  known: BookingSides | null,
  personId: string,
  { reason, seen }: { reason: string; seen: string },
): Promise<void> {
  if (known === null) throw bookingNotFound();
  const side = known.driverId === personId ? 'driver' : 'passenger';
  if (side === 'driver' && reason === '')
    throw refuseField('order.reasonMissing', 'reason', 'Please enter a reason.');
  const fee = side === 'passenger' ? await createSeenFees(app).read(seen, personId, known.id) : null;
  return onRide(app, known.rideId, async (locked) => {
    const { ride, booking } = await lockPair(locked, known);
    const lateFeeCents = side === 'passenger' ? await agreedFee(app, locked, { ride, booking }, fee) : 0;
    const by: By = { actor: side, actorId: personId };
    await endJoined(app, locked, { ride, booking, lateFeeCents }, { by, reason });
    settleBooking(app, locked, booking);
  });
}

/**
 * Ends a joined booking before the passenger is on board.
 * @param lateFeeCents the cancellation fee that the passenger owes.
 */
async function endJoined(
  app: App,
  locked: LockedOrders,
  { ride, booking, lateFeeCents }: { ride: RideRow; booking: BookingRow; lateFeeCents: number },
  { by, reason }: { by: By; reason: string },
): Promise<void> {
  // Both sides are asked whether they rode: until then neither owes a fee for a day during an outage.
  if (booking.unclearAt !== null)
    throw movedOn('booking.moved', 'Please tell us first whether this ride happened.');
  const fault = by.actor === 'passenger' ? 'passenger' : 'driver';
  const set = { fault, reason, lateFeeCents, endedAt: app.clock.now() } as const;
  const moved = moveBooking(app, locked, booking, { move: 'cancel', by, set, note: reason });
  leaveRoute(app, locked, ride, moved);
}

const isSeated = ({ state }: BookingRow) => seatedStates.includes(state);

/**
 * The passenger cancels their request, or, where they have joined a ride, their place in it.
 * @param own the request and its bookings, as they were seen before
 * @param seen the signed preview that the passenger was shown; null where the app cancels the request, free.
 */
async function cancelRequest(
  app: App,
  own: Extract<OwnOrder, { role: 'passenger' }>,
  { reason, seen }: { reason: string; seen: string | null },
): Promise<void> {
  const { id: requestId, passengerId } = own.request;
  const joined = own.bookings.find(isSeated);
  const by: By = { actor: 'passenger', actorId: passengerId };
  const fee =
    joined === undefined || seen === null
      ? null
      : await createSeenFees(app).read(seen, passengerId, joined.id);
  return onRide(app, joined?.rideId ?? requestId, async (locked) => {
    const ride = joined === undefined ? null : await locked.lockRide(joined.rideId, [requestId]);
    const request = await locked.lockRequest(requestId);
    if (request === null || request.passengerId !== passengerId) throw orderNotFound();
    const bookings = locked.bookingsOfRequest(requestId);
    const booking = bookings.find(isSeated);
    // The passenger joined between the two reads: the ride must be locked first, so they must check again.
    if (booking?.id !== joined?.id)
      throw movedOn('order.moved', 'This request just changed. Please check again.');
    if (booking === undefined || ride === null) return cancelUnjoined(app, locked, { request, bookings }, by);
    const lateFeeCents = seen === null ? 0 : await agreedFee(app, locked, { ride, booking }, fee);
    await endJoined(app, locked, { ride, booking, lateFeeCents }, { by, reason });
    settleBooking(app, locked, booking);
  });
}

/** Ends a request that has joined no ride, with its open asks. */
async function cancelUnjoined(
  app: App,
  locked: LockedOrders,
  { request, bookings }: { request: RequestRow; bookings: readonly BookingRow[] },
  by: By,
): Promise<void> {
  const set = { endedAt: app.clock.now() };
  for (const booking of bookings.filter(({ state }) => openAskStates.includes(state))) {
    const move = booking.state === 'requesting' ? 'withdraw' : 'declineInvitation';
    moveBooking(app, locked, booking, { move, by, set });
  }
  moveRequest(app, locked, request, { move: 'cancel', by, set });
  locked.spans.free(request.id);
}

/**
 * The driver cancels their ride and every place in it. Refuses `order.reasonMissing` where a passenger has
 * joined.
 */
async function cancelRide(app: App, rideId: string, driverId: string, reason: string): Promise<void> {
  const { clock } = app;
  return onRide(app, rideId, async (locked) => {
    const ride = await locked.lockRide(rideId);
    if (ride === null || ride.driverId !== driverId) throw orderNotFound();
    const bookings = locked.bookingsOfRide(rideId);
    const facts = rideFacts(ride, locked.stops(rideId), bookings);
    if (!mayMoveRide(facts, clock.now()).includes('cancel')) throw rideMovedOn();
    const joined = bookings.filter(({ state }) => seatedStates.includes(state));
    if (joined.length > 0 && reason === '')
      throw refuseField('order.reasonMissing', 'reason', 'Please enter a reason for those who have joined.');
    const by: By = { actor: 'driver', actorId: driverId };
    const set = { endedAt: clock.now() };
    moveRide(app, locked, ride, { move: 'cancel', by, set, note: reason });
    closeAsks(app, locked, bookings, { how: 'withdraw', reason });
    for (const booking of joined) cancelComing(app, locked, booking, { by, reason });
    locked.spans.free(rideId);
    settleRequests(app, locked, bookings);
  });
}
