import * as interruptedCalls from '#contract/trips/interrupted-rides.ts';
import * as tripCalls from '#contract/trips/endpoints.ts';
import * as calls from '#contract/rides/endpoints.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import type { TripsService } from './service.ts';

export function serveTrips(serve: Serve, trips: TripsService): void {
  serve(calls.reach, (input, caller) => trips.reach(input, caller.userId));
  serve(calls.passStop, (input, caller) => trips.passStop(input.id, input.stop, caller.userId));
  serve(calls.depart, (input, caller) => trips.depart(input.id, caller.userId));
  serve(calls.pickUp, (input, caller) => trips.pickUp(input, caller.userId));
  serve(calls.confirmMeeting, (input, caller) =>
    trips.confirmMeeting(input.bookingId, input.undo, caller.userId),
  );
  serve(calls.noteContact, (input, caller) => trips.noteContact(input, caller.userId));
  serve(calls.noShow, (input, caller) => trips.noShow(input.bookingId, caller.userId));
  serve(calls.reportDriver, (input, caller) => trips.reportDriver(input.bookingId, caller.userId));
  serve(calls.sayTookPlace, (input, caller) => trips.sayTookPlace(input, caller.userId));
  serve(calls.arrive, (input, caller) => trips.arrive(input.id, input.bookingId, caller.userId));
  serve(interruptedCalls.breakOffPreview, (input, caller) => trips.previewInterruption(input, caller.userId));
  serve(interruptedCalls.breakOff, (input, caller) => trips.interruptRide(input, caller.userId));
  serve(interruptedCalls.breakOffAsAdmin, (input, caller) =>
    trips.interruptRideAsAdmin(input, caller.userId),
  );
  serve(interruptedCalls.listBrokenRides, (input, caller) =>
    trips.listInterruptedRides(caller.userId, input.offset),
  );
  serve(interruptedCalls.settleBroken, (input, caller) => trips.settleInterruptedShare(input, caller.userId));
  serve(tripCalls.tellLocation, (input, caller) => trips.tellLocation(input, caller.userId));
  serve(tripCalls.tellRiderLocation, (input, caller) => trips.tellRiderLocation(input, caller.userId));
  serve(tripCalls.rescue, (input, caller) => trips.rescue(input.id, caller.userId));
  serve(tripCalls.boardingPass, (input, caller) => trips.boardingPass(input.bookingId, caller.userId));
  serve(tripCalls.boardingKey, (input, caller) => trips.boardingKey(input.id, caller.userId));
  serve(tripCalls.whereIsCar, (input, caller) => trips.whereIsCar(input.id, caller.userId));
}
