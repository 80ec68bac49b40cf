import { minuteMs } from '../../platform/clock.ts';
import type { Schedule } from '../../platform/queue/scheduler.ts';
import type { OrdersService } from '../orders/service.ts';
import type { TripsService } from './service.ts';

export const scheduleTrips = (trips: TripsService, orders: OrdersService): Schedule => ({
  lanes: [
    {
      name: 'rides',
      isDue: orders.isAnyRideDue,
      many: [(limit) => orders.expireUnasked('ride', limit), orders.passQuietRides],
      due: orders.dueRides,
      run: trips.catchUp,
    },
    { name: 'reports', isDue: orders.reports.isAnyDue, due: orders.reports.due, run: trips.settleReport },
    {
      name: 'unclear rides',
      isDue: orders.unclear.isAnyOverdue,
      due: orders.unclear.overdue,
      run: trips.concludeUnclear,
    },
  ],
  tasks: [{ name: 'positions', everyMs: minuteMs, run: trips.wipePositions }],
});
