import type { Platform } from '../../../platform/platform.ts';
import type { EventPlansService } from './service.ts';

/**
 * A plan that has been sent follows what people do: somebody joins, drops out, asks, moves their ride, comes
 * late.
 */
export function listenForPlans({ outbox }: Platform, outings: EventPlansService): void {
  outbox.on('event.moved', 'plans', ({ payload }) => outings.repair(payload.eventId));
  outbox.on('booking.moved', 'plans', async ({ payload }) => {
    const eventId = await outings.eventOf(payload.requestId);
    if (eventId !== null) await outings.repair(eventId);
  });
}
