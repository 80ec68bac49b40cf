import type { App } from '../../app-type.ts';
import type { Drafting } from './drafts.ts';
import { eventPage } from './order-notices.ts';

/** Notifies of events: a proposed place in a ride, a change, a cancellation. */
export const eventNotices = ({ db, ports }: App): Drafting => ({
  'event.proposed': {
    concerns: true,
    drafts({ id, payload: { eventId, rideId, requestId, driverId, passengerId } }) {
      const about = {
        news: 'placeProposed' as const,
        source: `signal:${id}`,
        path: eventPage(eventId),
        facts: {},
      };
      return [
        { ...about, userId: driverId, of: { rideId }, otherId: passengerId },
        { ...about, userId: passengerId, of: { requestId }, otherId: driverId },
      ];
    },
  },
  'event.changed': {
    concerns: ({ what }) => what !== 'details',
    async drafts({ id, payload: { eventId, organizerId, travellers, what } }) {
      const name = await ports.notifications.eventName(db, eventId);
      if (name === null) return [];
      // The organizer made the change, so only other travelers are notified.
      const others = travellers.filter(({ personId }) => personId !== organizerId);
      return others.map(({ personId }) => ({
        userId: personId,
        news: what === 'moved' ? 'eventMoved' : 'eventCancelled',
        source: `signal:${id}`,
        thing: `event:${eventId}`,
        otherId: organizerId,
        facts: { text: name },
        path: eventPage(eventId),
      }));
    },
  },
});
