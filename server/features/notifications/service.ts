import type { OutputOf } from '#contract/define.ts';
import type { listUndelivered } from '#contract/notifications/endpoints.ts';
import type { App } from '../../app-type.ts';
import { failedDeliveryPage } from '../../platform/events/failed-deliveries.ts';
import { licenseReason } from '../drivers/licenses/queries.ts';
import { peopleAt } from '../identity/queries.ts';
import { answerQuestion, readQuestion } from './answer-by-link.ts';
import { createChannelSettings } from './channel-settings.ts';
import type { NotificationFeatures } from './context.ts';
import { deliverAgain, viewFailedDelivery } from './deliver-again.ts';
import { createNotificationQueries } from './notification-queries.ts';
import { createNotifier } from './notifier.ts';
import { createOrderFacts } from './order-facts.ts';
import * as sources from './sources/store.ts';
import * as store from './store.ts';
import { createTimedNotices } from './timed-notices.ts';

export { erasure } from './store.ts';

export type NotificationsService = ReturnType<typeof createNotifications>;

/**
 * Notifications: published over realtime, stored in the center, and sent on the channels each person has
 * chosen.
 */
export function createNotifications(platform: App, features: NotificationFeatures) {
  const context = { platform, ...features, orderFacts: createOrderFacts(platform) };
  const { orderFacts } = context;
  const { db, outbox, audit } = platform;
  const notifier = createNotifier(context);
  const queries = createNotificationQueries(platform);
  outbox.whenLeft(notifier.noteLeft);

  return {
    ...createChannelSettings(context),
    ...notifier,
    ...createTimedNotices({ ...context, markRead: queries.mark }),
    list: queries.list,
    unread: queries.unread,
    read: queries.read,
    seen: queries.seen,
    /** Answer links of emails, for the person they were sent to. */
    question: readQuestion.bind(null, context),
    answer: answerQuestion.bind(null, context),

    /** Marks all notifications from before an instant as read: for the demo community's past. */
    readBefore: (before: Date) => store.readNewsBefore(db, before),

    // The facts of orders that notifications use.
    orderFacts,
    neighboursOf: sources.neighboursOf.bind(null, platform.kept),
    eventName: (eventId: string) => features.upper.eventName(db, eventId),
    licenceReason: (licenseId: string) => licenseReason(db, licenseId),

    /** Failed deliveries, for admins. */
    async undelivered(
      adminId: string,
      page: { offset: number; size: number },
    ): Promise<OutputOf<typeof listUndelivered>> {
      const { rows, total } = await failedDeliveryPage(db, page);
      const personIds = await peopleAt(
        db,
        rows.map(({ recipient }) => recipient),
      );
      await audit.noteReading(adminId, 'undelivered', personIds);
      return {
        undelivered: rows.map(viewFailedDelivery),
        total,
      };
    },

    deliverAgain: deliverAgain.bind(null, platform),
  };
}
