import { hourMs } from '../../platform/clock.ts';
import type { Platform } from '../../platform/platform.ts';
import type { OrdersService } from '../orders/service.ts';
import { listenForBookingNotices } from './booking-notices.ts';
import { listenForChangeNotices } from './change-notices.ts';
import { listenForEventNotices } from './event-notices.ts';
import type { NoticeContext } from './order-notices.ts';
import { listenForPaymentNotices } from './payment-notices.ts';
import { listenForRideNotices } from './ride-notices.ts';
import type { NotificationsService } from './service.ts';

/** Turns signals of other features into notifications. */
export function listenForNotices(
  { db, outbox }: Platform,
  notifications: NotificationsService,
  orders: OrdersService,
): void {
  const context: NoticeContext = { db, outbox, notifications, orders };
  listenForBookingNotices(context);
  listenForChangeNotices(context);
  listenForRideNotices(context);
  listenForPaymentNotices(context);
  listenForEventNotices(context);
  listenForOtherNotices(context);
}

/** Contacts, alerts, and licenses. */
function listenForOtherNotices({ outbox, notifications }: NoticeContext): void {
  outbox.on('contact.moved', 'notices', async ({ id, payload: { move, actorId, otherId } }) => {
    const news = move === 'applied' ? 'contactApplied' : move === 'accepted' ? 'contactAccepted' : null;
    if (news === null) return;
    await notifications.tell(otherId, news, {
      source: `signal:${id}`,
      thing: `contact:${actorId}`,
      otherId: actorId,
      facts: {},
      path: news === 'contactApplied' ? '/pages/contact/contact' : `/pages/contact/user?id=${actorId}`,
    });
  });

  outbox.on('alert.hit', 'notices', ({ at, payload: { alertId, ownerId, role } }) =>
    notifications.tell(ownerId, role === 'passenger' ? 'rideHit' : 'requestHit', {
      // The hits of one hour are one notification, as they are one email.
      source: `alert:${alertId}:${Math.floor(at.getTime() / hourMs)}`,
      thing: `alert:${alertId}`,
      otherId: null,
      facts: {},
      path: '/pages/discover/discover?view=alerts',
    }),
  );

  outbox.on('licence.decided', 'notices', async ({ id, payload: { licenceId, userId, status } }) => {
    const text = status === 'Reject' ? await notifications.licenceReason(licenceId) : '';
    await notifications.tell(userId, status === 'Accepted' ? 'licenceAccepted' : 'licenceRejected', {
      source: `signal:${id}`,
      thing: 'licence',
      otherId: null,
      facts: text === '' ? {} : { text },
      path: '/pages/account/drvinglicense',
    });
  });
}
