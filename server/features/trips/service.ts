import type { App } from '../../app-type.ts';
import { settleReport, followLatePayments, concludeOverdue } from '../orders/service.ts';
import { arrive } from './arrive.ts';
import { createBoarding } from './boarding.ts';
import { catchUp } from './catch-up.ts';
import type { TripContext } from './context.ts';
import { depart, passStop } from './depart.ts';
import { interruptRide, interruptRideAsAdmin, previewInterruption } from './interrupt-ride.ts';
import { listInterruptedRides, settleInterruptedShare } from './interrupted-rides.ts';
import { noteContact, reportDriver, reportNoShow } from './no-show.ts';
import { confirmMeeting, pickUp } from './pickup.ts';
import { createPositions } from './positions.ts';
import { reach } from './reach.ts';
import { createRebooking } from './rebooking.ts';
import { tellRiderLocation } from './rider-position.ts';
import * as store from './store.ts';
import { tellOfRescue } from './tell-of-rescue.ts';
import { sayTookPlace } from './unseen-day.ts';

export type TripsService = ReturnType<typeof createTrips>;

/** The day of a ride: from the starting point to the last drop-off, and its scheduled moves. */
export function createTrips(platform: App) {
  const boarding = createBoarding(platform);
  const context: TripContext = { platform, boarding };
  return {
    erasure: store.erasure,
    ...createPositions({ platform }),
    ...createRebooking(platform),
    tellOfRescue: tellOfRescue.bind(null, { platform }),
    boardingPass: boarding.pass,
    boardingKey: boarding.key,
    reach: reach.bind(null, context),
    passStop: passStop.bind(null, context),
    depart: depart.bind(null, context),
    pickUp: pickUp.bind(null, context),
    confirmMeeting: confirmMeeting.bind(null, context),
    tellRiderLocation: tellRiderLocation.bind(null, context),
    noteContact: noteContact.bind(null, context),
    noShow: reportNoShow.bind(null, context),
    reportDriver: reportDriver.bind(null, context),
    sayTookPlace: sayTookPlace.bind(null, context),
    arrive: arrive.bind(null, context),
    previewInterruption: previewInterruption.bind(null, context),
    interruptRide: interruptRide.bind(null, context),
    interruptRideAsAdmin: interruptRideAsAdmin.bind(null, context),
    listInterruptedRides: listInterruptedRides.bind(null, context),
    settleInterruptedShare: settleInterruptedShare.bind(null, context),
    // Scheduled.
    catchUp: catchUp.bind(null, context),
    settleReport: (bookingId: string) => settleReport(platform, bookingId),
    concludeUnclear: async (rideId: string): Promise<void> => {
      await followLatePayments(platform, { rideIds: [rideId] });
      await concludeOverdue(platform, rideId);
    },
  };
}
