import * as interruptedCalls from '#contract/trips/interrupted-rides.ts';
import * as tripCalls from '#contract/trips/endpoints.ts';
import * as calls from '#contract/rides/endpoints.ts';
import type { App } from '../../app-type.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import { arrive } from './arrive.ts';
import { issuePass, readPublicKey } from './boarding.ts';
import { passStop, depart } from './depart.ts';
import { previewInterruption, interruptRide, interruptRideAsAdmin } from './interrupt-ride.ts';
import { listInterruptedRides, settleInterruptedShare } from './interrupted-rides.ts';
import { noteContact, reportNoShow, reportDriver } from './no-show.ts';
import { pickUp, confirmMeeting } from './pickup.ts';
import { tellLocation, whereIsCar } from './positions.ts';
import { reach } from './reach.ts';
import { readRescue } from './rebooking.ts';
import { tellRiderLocation } from './rider-position.ts';
import { sayTookPlace } from './unseen-day.ts';

export function serveTrips(serve: Serve, app: App): void {
  serve(calls.reach, (input, caller) => reach(app, input, caller.userId));
  serve(calls.passStop, (input, caller) => passStop(app, input.id, input.stop, caller.userId));
  serve(calls.depart, (input, caller) => depart(app, input.id, caller.userId));
  serve(calls.pickUp, (input, caller) => pickUp(app, input, caller.userId));
  serve(calls.confirmMeeting, (input, caller) =>
    confirmMeeting(app, input.bookingId, input.undo, caller.userId),
  );
  serve(calls.noteContact, (input, caller) => noteContact(app, input, caller.userId));
  serve(calls.noShow, (input, caller) => reportNoShow(app, input.bookingId, caller.userId));
  serve(calls.reportDriver, (input, caller) => reportDriver(app, input.bookingId, caller.userId));
  serve(calls.sayTookPlace, (input, caller) => sayTookPlace(app, input, caller.userId));
  serve(calls.arrive, (input, caller) => arrive(app, input.id, input.bookingId, caller.userId));
  serve(interruptedCalls.breakOffPreview, (input, caller) => previewInterruption(app, input, caller.userId));
  serve(interruptedCalls.breakOff, (input, caller) => interruptRide(app, input, caller.userId));
  serve(interruptedCalls.breakOffAsAdmin, (input, caller) => interruptRideAsAdmin(app, input, caller.userId));
  serve(interruptedCalls.listBrokenRides, (input, caller) =>
    listInterruptedRides(app, caller.userId, input.offset),
  );
  serve(interruptedCalls.settleBroken, (input, caller) => settleInterruptedShare(app, input, caller.userId));
  serve(tripCalls.tellLocation, (input, caller) => tellLocation(app, input, caller.userId));
  serve(tripCalls.tellRiderLocation, (input, caller) => tellRiderLocation(app, input, caller.userId));
  serve(tripCalls.rescue, (input, caller) => readRescue(app, input.id, caller.userId));
  serve(tripCalls.boardingPass, (input, caller) => issuePass(app, input.bookingId, caller.userId));
  serve(tripCalls.boardingKey, (input, caller) => readPublicKey(app, input.id, caller.userId));
  serve(tripCalls.whereIsCar, (input, caller) => whereIsCar(app, input.id, caller.userId));
}
