import type { Platform } from '../../../platform/platform.ts';
import type { EventPlansService } from './service.ts';

/** Repairs a sent plan when people change something: join, leave, ask, move their ride, are late. */
export function listenForPlans({ outbox }: Platform, outings: EventPlansService): void {
  outbox.on('event.moved', 'plans', ({ payload }) => outings.repair(payload.eventId));
  outbox.on('booking.moved', 'plans', async ({ payload }) => {
    const eventId = await outings.eventOf(payload.requestId);
    if (eventId !== null) await outings.repair(eventId);
  });
}
