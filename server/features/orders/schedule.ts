import { secondMs } from '../../platform/clock.ts';
import type { Schedule } from '../../platform/queue/scheduler.ts';
import { isAnyChangeDue } from './bookings/store.ts';
import { isAnyRecurringDue } from './recurring/store.ts';
import type { OrdersService } from './service.ts';

export const scheduleOrders = (orders: OrdersService): Schedule => ({
  lanes: [
    { name: 'asks', isDue: orders.isAnyBookingDue, due: orders.dueBookings, run: orders.bookings.expire },
    {
      name: 'requests',
      isDue: orders.isAnyRequestDue,
      many: [(limit) => orders.expireUnasked('request', limit)],
      due: orders.dueRequests,
      run: orders.bookings.expireRequest,
    },
  ],
  tasks: [
    {
      name: 'weekly rides',
      everyMs: secondMs,
      isShared: true,
      isDue: isAnyRecurringDue,
      run: orders.series.publishDue,
    },
    {
      name: 'proposed changes',
      everyMs: secondMs,
      isShared: true,
      isDue: isAnyChangeDue,
      run: orders.bookings.changesDue,
    },
  ],
});
