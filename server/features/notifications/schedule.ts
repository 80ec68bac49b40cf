import { keptMs } from '#contract/privacy/retention.ts';
import type { App } from '../../app-type.ts';
import { later, minuteMs, secondMs } from '../../platform/clock.ts';
import { forgetFailedDeliveries } from '../../platform/events/failed-deliveries.ts';
import { dropSignedOut } from '../../platform/messages/push-devices.ts';
import type { Schedule } from '../../platform/queue/scheduler.ts';
import { isSignedIn } from '../identity/queries.ts';
import { isAnyReminderDue } from '../orders/bookings/queries.ts';
import { remind } from './remind.ts';
import { sendDue } from './send-notices.ts';
import { forgetNews, isAnyNoticeDue } from './store.ts';
import { tellMessages } from './tell-messages.ts';

/** The tasks depend only on the tables, so that a restart or a clock jump neither loses nor repeats one. */
export const scheduleNotifications = (app: App): Schedule => ({
  tasks: [
    {
      name: 'reminders',
      everyMs: secondMs,
      isApart: true,
      isDue: isAnyReminderDue,
      run: () => remind(app),
    },
    { name: 'unread messages', everyMs: 5 * secondMs, isApart: true, run: () => tellMessages(app) },
    { name: 'notices', everyMs: secondMs, isShared: true, isDue: isAnyNoticeDue, run: () => sendDue(app) },
    { name: 'old news', everyMs: 10 * minuteMs, isApart: true, run: () => clearOldNews(app) },
  ],
});

/** Deletes old notifications, and devices whose sign-in has ended. */
export async function clearOldNews({ db, clock }: App): Promise<void> {
  const now = clock.now();
  await forgetNews(db, later(now, -keptMs('news')));
  await forgetFailedDeliveries(db, later(now, -keptMs('undelivered')));
  await dropSignedOut(db, (family) => isSignedIn(family, now));
}
