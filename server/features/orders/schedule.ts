import type { App } from '../../app-type.ts';
import { secondMs } from '../../platform/clock.ts';
import type { Schedule } from '../../platform/queue/scheduler.ts';
import { settleDueChanges } from './bookings/apply-change.ts';
import { expireBooking, expireRequest } from './bookings/close-booking.ts';
import { isAnyChangeDue } from './bookings/store.ts';
import { dueBookings, expireUnaskedOrders, dueRequests } from './due/due-orders.ts';
import { isAnyBookingDue, isAnyRequestDue } from './due/store.ts';
import { publishDue } from './recurring/publish-days.ts';
import { isAnyRecurringDue } from './recurring/store.ts';

export const scheduleOrders = (app: App): Schedule => ({
  lanes: [
    {
      name: 'asks',
      isDue: isAnyBookingDue,
      due: (limit) => dueBookings(app, limit),
      run: (id) => expireBooking(app, id),
    },
    {
      name: 'requests',
      isDue: isAnyRequestDue,
      many: [(limit) => expireUnaskedOrders(app, 'request', limit)],
      due: (limit) => dueRequests(app, limit),
      run: (id) => expireRequest(app, id),
    },
  ],
  tasks: [
    {
      name: 'weekly rides',
      everyMs: secondMs,
      isShared: true,
      isDue: isAnyRecurringDue,
      run: () => publishDue(app),
    },
    {
      name: 'proposed changes',
      everyMs: secondMs,
      isShared: true,
      isDue: isAnyChangeDue,
      run: () => settleDueChanges(app),
    },
  ],
});
