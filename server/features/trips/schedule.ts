import type { App } from '../../app-type.ts';
import { minuteMs } from '../../platform/clock.ts';
import type { Schedule } from '../../platform/queue/scheduler.ts';
import {
  isAnyRideDue,
  expireUnaskedOrders,
  passQuietRides,
  dueRides,
  isAnyReportDue,
  dueReports,
  isAnyRideOverdue,
  overdueRides,
} from '../orders/service.ts';
import type { TripsService } from './service.ts';

export const scheduleTrips = (trips: TripsService, app: App): Schedule => ({
  lanes: [
    {
      name: 'rides',
      isDue: isAnyRideDue,
      many: [(limit) => expireUnaskedOrders(app, 'ride', limit), (limit) => passQuietRides(app, limit)],
      due: (limit) => dueRides(app, limit),
      run: trips.catchUp,
    },
    {
      name: 'reports',
      isDue: isAnyReportDue,
      due: (limit) => dueReports(app, limit),
      run: trips.settleReport,
    },
    {
      name: 'unclear rides',
      isDue: isAnyRideOverdue,
      due: (limit) => overdueRides(app, limit),
      run: trips.concludeUnclear,
    },
  ],
  tasks: [{ name: 'positions', everyMs: minuteMs, run: trips.wipePositions }],
});
