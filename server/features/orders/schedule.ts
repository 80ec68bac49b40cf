import { secondMs } from '../../platform/clock.ts';
import type { Schedule } from '../../platform/queue/scheduler.ts';
import type { OrdersService } from './service.ts';

export const scheduleOrders = (orders: OrdersService): Schedule => ({
  lanes: [
    { name: 'asks', due: orders.dueBookings, run: orders.bookings.expire },
    {
      name: 'requests',
      many: [(limit) => orders.expireUnasked('request', limit)],
      due: orders.dueRequests,
      run: orders.bookings.expireRequest,
    },
  ],
  tasks: [
    { name: 'weekly rides', everyMs: secondMs, isShared: true, run: orders.series.publishDue },
    { name: 'proposed changes', everyMs: secondMs, isShared: true, run: orders.bookings.changesDue },
  ],
});
