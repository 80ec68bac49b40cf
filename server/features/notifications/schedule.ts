import { minuteMs, secondMs } from '../../platform/clock.ts';
import type { Schedule } from '../../platform/queue/scheduler.ts';
import { isAnyReminderDue } from '../orders/bookings/queries.ts';
import type { NotificationsService } from './service.ts';
import { isAnyNoticeDue } from './store.ts';

export const scheduleNotifications = (notifications: NotificationsService): Schedule => ({
  tasks: [
    {
      name: 'reminders',
      everyMs: secondMs,
      isApart: true,
      isDue: isAnyReminderDue,
      run: notifications.remind,
    },
    { name: 'unread messages', everyMs: 5 * secondMs, isApart: true, run: notifications.tellMessages },
    { name: 'notices', everyMs: secondMs, isShared: true, isDue: isAnyNoticeDue, run: notifications.sendDue },
    { name: 'old news', everyMs: 10 * minuteMs, isApart: true, run: notifications.clearOld },
  ],
});
