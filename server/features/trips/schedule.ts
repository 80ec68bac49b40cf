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
  settleReport,
} from '../orders/service.ts';
import { catchUp } from './catch-up.ts';
import { concludeUnclear } from './no-show.ts';
import { wipePositions } from './positions.ts';

export const scheduleTrips = (app: App): Schedule => ({
  lanes: [
    {
      name: 'rides',
      isDue: isAnyRideDue,
      many: [(limit) => expireUnaskedOrders(app, 'ride', limit), (limit) => passQuietRides(app, limit)],
      due: (limit) => dueRides(app, limit),
      run: (args) => catchUp(app, args),
    },
    {
      name: 'reports',
      isDue: isAnyReportDue,
      due: (limit) => dueReports(app, limit),
      run: (bookingId) => settleReport(app, bookingId),
    },
    {
      name: 'unclear rides',
      isDue: isAnyRideOverdue,
      due: (limit) => overdueRides(app, limit),
      run: (rideId) => concludeUnclear(app, rideId),
    },
  ],
  tasks: [{ name: 'positions', everyMs: minuteMs, run: () => wipePositions(app) }],
});
