import type { Base } from '../../base/base.ts';
import type { OutingsService } from './service.ts';

/** A plan that has been sent follows what people do: somebody joins, drops out, asks, moves their ride, comes late. */
export function listenForPlans({ outbox }: Base, outings: OutingsService): void {
  const repairOf = async (orderId: string): Promise<void> => {
    const eventId = await outings.eventOf(orderId);
    if (eventId !== null) await outings.repair(eventId);
  };
  outbox.on('booking.moved', 'plans', ({ payload }) => repairOf(payload.requestId));
  outbox.on('request.moved', 'plans', ({ payload }) => repairOf(payload.requestId));
  outbox.on('ride.moved', 'plans', ({ payload }) => repairOf(payload.rideId));
  outbox.on('order.edited', 'plans', ({ payload }) => repairOf(payload.orderId));
  outbox.on('event.placeFreed', 'plans', ({ payload }) => outings.repair(payload.eventId));
}
