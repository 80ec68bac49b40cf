import { openAskStates, seatedStates } from '#contract/rides/moves.ts';
import { movedOn } from '../../../platform/refusal.ts';
import type { By } from '../move-log.ts';
import { orderNotFound } from '../order-refusals.ts';
import type { BookingRow, RequestRow } from '../store.ts';
import { endJoined } from './cancel-place.ts';
import { agreedFee } from './cancellation-fee.ts';
import { onRide, type BookingContext } from './context.ts';
import { createSeenFees } from './seen-fee.ts';
import type { OwnOrder } from './store.ts';
import type { LockedOrders } from '../aggregate/locked-orders.ts';

const isSeated = ({ state }: BookingRow) => seatedStates.includes(state);

/**
 * The passenger cancels their request, or, where they have joined a ride, their place in it.
 * @param own the request and its bookings, as they were seen before
 * @param seen the signed preview that the passenger was shown; null where the app cancels the request, free.
 */
export async function cancelRequest(
  context: BookingContext,
  own: Extract<OwnOrder, { role: 'passenger' }>,
  { reason, seen }: { reason: string; seen: string | null },
): Promise<void> {
  const { orders, platform } = context;
  const { id: requestId, passengerId } = own.request;
  const joined = own.bookings.find(isSeated);
  const by: By = { actor: 'passenger', actorId: passengerId };
  const fee =
    joined === undefined || seen === null
      ? null
      : await createSeenFees(platform).read(seen, passengerId, joined.id);
  return onRide(context, joined?.rideId ?? requestId, async (locked) => {
    const ride = joined === undefined ? null : await locked.lockRide(joined.rideId, [requestId]);
    const request = await locked.lockRequest(requestId);
    if (request === null || request.passengerId !== passengerId) throw orderNotFound();
    const bookings = locked.bookingsOfRequest(requestId);
    const booking = bookings.find(isSeated);
    // The passenger joined between the two reads: the ride must be locked first, so they must check again.
    if (booking?.id !== joined?.id)
      throw movedOn('order.moved', 'This request just changed. Please check again.');
    if (booking === undefined || ride === null)
      return cancelUnjoined(context, locked, { request, bookings }, by);
    const lateFeeCents = seen === null ? 0 : await agreedFee(context, locked, { ride, booking }, fee);
    await endJoined(context, locked, { ride, booking, lateFeeCents }, { by, reason });
    orders.settle.booking(locked, booking);
  });
}

/** Ends a request that has joined no ride, with its open asks. */
async function cancelUnjoined(
  { orders, platform }: BookingContext,
  locked: LockedOrders,
  { request, bookings }: { request: RequestRow; bookings: readonly BookingRow[] },
  by: By,
): Promise<void> {
  const set = { endedAt: platform.clock.now() };
  for (const booking of bookings.filter(({ state }) => openAskStates.includes(state))) {
    const move = booking.state === 'requesting' ? 'withdraw' : 'declineInvitation';
    orders.moves.moveBooking(locked, booking, { move, by, set });
  }
  orders.moves.moveRequest(locked, request, { move: 'cancel', by, set });
  locked.spans.free(request.id);
}
