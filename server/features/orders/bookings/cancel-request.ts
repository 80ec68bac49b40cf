import { openAskStates, seatedStates } from '#contract/rides/moves.ts';
import type { App } from '../../../app-type.ts';
import { movedOn } from '../../../platform/refusal.ts';
import type { LockedOrders } from '../aggregate/locked-orders.ts';
import { settleBooking } from '../decide/cascade.ts';
import type { By } from '../decide/move-log.ts';
import { moveBooking, moveRequest } from '../decide/moves.ts';
import { orderNotFound } from '../order-refusals.ts';
import type { BookingRow, RequestRow } from '../store.ts';
import { endJoined } from './cancel-place.ts';
import { agreedFee } from './cancellation-fee.ts';
import { onRide } from './on-ride.ts';
import { createSeenFees } from './seen-fee.ts';
import type { OwnOrder } from './store.ts';

const isSeated = ({ state }: BookingRow) => seatedStates.includes(state);

/**
 * The passenger cancels their request, or, where they have joined a ride, their place in it.
 * @param own the request and its bookings, as they were seen before
 * @param seen the signed preview that the passenger was shown; null where the app cancels the request, free.
 */
export async function cancelRequest(
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
