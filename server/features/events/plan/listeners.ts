import type { App } from '../../../app-type.ts';
import { eventsOfRequests } from '../../orders/events/queries.ts';
import { repairPlan } from './repair-plan.ts';

/**
 * Repairs a sent plan when people change something: join, leave, ask, move their ride, are late. A batch
 * checks the plan of each event once, however many of its signals it holds.
 */
export function listenForPlans(app: App): void {
  app.outbox.listen('plans', { 'event.moved': true, 'booking.moved': true }, async (signals) => {
    const moved = signals.flatMap(({ payload: { eventId } }) => eventId ?? []);
    const requestIds = signals.flatMap(({ name, payload }) =>
      name === 'booking.moved' && payload.eventId === undefined ? payload.requestId : [],
    );
    for (const eventId of new Set([...moved, ...(await eventsOfRequests(app.db, requestIds))]))
      await repairPlan(app, eventId);
  });
}
