import * as interruptedCalls from '#contract/trips/interrupted-rides.ts';
import * as tripCalls from '#contract/trips/endpoints.ts';
import * as calls from '#contract/rides/endpoints.ts';
import type { Serve } from '../../app-type.ts';
import { arrive, passStop, depart } from './depart-and-arrive.ts';
import { issuePass, readPublicKey, pickUp, confirmMeeting } from './pickup.ts';
import { previewInterruption, interruptRide, interruptRideAsAdmin } from './interrupt-ride.ts';
import { listInterruptedRides, settleInterruptedShare } from './interrupted-rides.ts';
import { noteContact, reportNoShow, reportDriver, sayTookPlace } from './no-show.ts';
import { tellLocation, whereIsCar, tellRiderLocation } from './positions.ts';
import { reach } from './reach.ts';
import { readRescue } from './tell-of-rescue.ts';

export function serveTrips(serve: Serve): void {
  serve(calls.reach, (app, input, caller) => reach(app, input, caller.userId));
  serve(calls.passStop, (app, input, caller) => passStop(app, input.id, input.stop, caller.userId));
  serve(calls.depart, (app, input, caller) => depart(app, input.id, caller.userId));
  serve(calls.pickUp, (app, input, caller) => pickUp(app, input, caller.userId));
  serve(calls.confirmMeeting, (app, input, caller) =>
    confirmMeeting(app, input.bookingId, input.undo, caller.userId),
  );
  serve(calls.noteContact, (app, input, caller) => noteContact(app, input, caller.userId));
  serve(calls.noShow, (app, input, caller) => reportNoShow(app, input.bookingId, caller.userId));
  serve(calls.reportDriver, (app, input, caller) => reportDriver(app, input.bookingId, caller.userId));
  serve(calls.sayTookPlace, (app, input, caller) => sayTookPlace(app, input, caller.userId));
  serve(calls.arrive, (app, input, caller) => arrive(app, input.id, input.bookingId, caller.userId));
  serve(interruptedCalls.breakOffPreview, (app, input, caller) =>
    previewInterruption(app, input, caller.userId),
  );
  serve(interruptedCalls.breakOff, (app, input, caller) => interruptRide(app, input, caller.userId));
  serve(interruptedCalls.breakOffAsAdmin, (app, input, caller) =>
    interruptRideAsAdmin(app, input, caller.userId),
  );
  serve(interruptedCalls.listBrokenRides, (app, input, caller) =>
    listInterruptedRides(app, caller.userId, input.offset),
  );
  serve(interruptedCalls.settleBroken, (app, input, caller) =>
    settleInterruptedShare(app, input, caller.userId),
  );
  serve(tripCalls.tellLocation, (app, input, caller) => tellLocation(app, input, caller.userId));
  serve(tripCalls.tellRiderLocation, (app, input, caller) => tellRiderLocation(app, input, caller.userId));
  serve(tripCalls.rescue, (app, input, caller) => readRescue(app, input.id, caller.userId));
  serve(tripCalls.boardingPass, (app, input, caller) => issuePass(app, input.bookingId, caller.userId));
  serve(tripCalls.boardingKey, (app, input, caller) => readPublicKey(app, input.id, caller.userId));
  serve(tripCalls.whereIsCar, (app, input, caller) => whereIsCar(app, input.id, caller.userId));
}
