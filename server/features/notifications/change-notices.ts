import type { App } from '../../app-type.ts';
import type { Drafting } from './drafts.ts';
import { openBookings, orderPage } from './order-notices.ts';

// A change is one notification, from its proposal until it applies.
const changeSource = (changeId: string) => `change:${changeId}`;

/** Notifies passengers of their driver's proposals, changes and edits. */
export const changeNotices = (app: App): Drafting => ({
  'change.proposed': {
    concerns: true,
    drafts: ({ payload: { changeId, rideId, driverId, passengerIds } }) =>
      passengerIds.map((userId) => ({
        userId,
        news: 'changeProposed',
        of: { rideId },
        source: changeSource(changeId),
        otherId: driverId,
        path: orderPage(rideId),
        facts: { changeId },
      })),
  },
  'change.moved': {
    concerns: ({ to }) => to === 'applied',
    drafts: ({ payload: { changeId, rideId, driverId, passengerIds, byId } }) =>
      [driverId, ...passengerIds].map((userId) => ({
        userId,
        news: 'changeApplied',
        of: { rideId },
        source: changeSource(changeId),
        otherId: userId === driverId ? null : driverId,
        path: orderPage(rideId),
        facts: {},
        // The person who answered last has just seen the result.
        replaces: userId === byId ? 'asRead' : 'asNew',
      })),
  },
  'order.edited': {
    // After a passenger has agreed, terms change only by a proposal, which has notifications of its own.
    concerns: ({ kind, what }) => kind === 'ride' && what !== 'terms',
    drafts: async ({ id, payload: { orderId, ownerId } }) =>
      (await openBookings(app, orderId)).map(({ passengerId, requestId }) => ({
        userId: passengerId,
        news: 'rideEdited',
        of: { rideId: orderId },
        source: `signal:${id}`,
        otherId: ownerId,
        path: orderPage(requestId),
        facts: {},
      })),
  },
});
