import type { Order } from '#contract/rides/views.ts';
import { movedOn, Refusal } from '../../../platform/refusal.ts';
import { cancelPlace } from './cancel-place.ts';
import { cancelRequest } from './cancel-request.ts';
import { cancelRide } from './cancel-ride.ts';
import { previewCancellation } from './cancellation-fee.ts';
import type { BookingContext } from './context.ts';
import { ownOrder } from './own-order.ts';

/**
 * Cancels one's ride or request, or (as driver) one passenger's place in it. Refuses `order.feeChanged`, with
 * the new preview, where the fee is not one that the passenger was shown within the last two minutes
 * (`seen`).
 */
export async function cancelOrder(
  context: BookingContext,
  personId: string,
  input: { id: string; bookingId?: string | undefined; reason: string; seen?: string | undefined },
): Promise<{ order: Order }> {
  const { orders } = context;
  const { id, bookingId, reason, seen = '' } = input;
  const own = await ownOrder(context, { id, bookingId: bookingId ?? null }, personId);
  try {
    if (bookingId !== undefined) await cancelPlace(context, own.booking, personId, { reason, seen });
    else if (own.role === 'driver') await cancelRide(context, own.id, personId, reason);
    else await cancelRequest(context, own, { reason, seen });
  } catch (error) {
    if (!(error instanceof Refusal) || error.reason !== 'order.feeChanged') throw error;
    throw movedOn(error.reason, error.message, {
      preview: await previewCancellation(context, id, personId),
    });
  }
  return { order: await orders.view(own.id, personId) };
}

/** Cancels an order of a person who may not ride any more, without a fee: the app decided it. */
export async function takeBackOrder(
  context: BookingContext,
  personId: string,
  id: string,
  reason: string,
): Promise<void> {
  const own = await ownOrder(context, { id }, personId);
  if (own.role === 'driver') await cancelRide(context, id, personId, reason);
  else await cancelRequest(context, own, { reason, seen: null });
}
