import type { Order } from '#contract/rides/views.ts';
import type { App } from '../../../app-type.ts';
import { movedOn, Refusal } from '../../../platform/refusal.ts';
import { viewOrder } from '../order-views.ts';
import { cancelPlace } from './cancel-place.ts';
import { cancelRequest } from './cancel-request.ts';
import { cancelRide } from './cancel-ride.ts';
import { previewCancellation } from './cancellation-fee.ts';
import { ownOrder } from './own-order.ts';

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
