import {
  breakOff,
  breakOffAsAdmin,
  breakOffPreview,
  listBrokenRides,
  settleBroken,
} from '#contract/trips/interrupted-rides.ts';
import {
  boardingKey,
  boardingPass,
  rescue,
  tellLocation,
  tellRiderLocation,
  whereIsCar,
} from '#contract/trips/endpoints.ts';
import {
  arrive,
  confirmMeeting,
  depart,
  noShow,
  noteContact,
  passStop,
  pickUp,
  reach,
  reportDriver,
  sayTookPlace,
} from '#contract/rides/endpoints.ts';
import type { Serve } from '../../platform/http/http-server.ts';
import type { TripsService } from './service.ts';

export function serveTrips(serve: Serve, trips: TripsService): void {
  serve(reach, (input, caller) => trips.reach(input, caller.userId));
  serve(passStop, (input, caller) => trips.passStop(input.id, input.stop, caller.userId));
  serve(depart, (input, caller) => trips.depart(input.id, caller.userId));
  serve(pickUp, (input, caller) => trips.pickUp(input, caller.userId));
  serve(confirmMeeting, (input, caller) => trips.confirmMeeting(input.bookingId, input.undo, caller.userId));
  serve(noteContact, (input, caller) => trips.noteContact(input, caller.userId));
  serve(noShow, (input, caller) => trips.noShow(input.bookingId, caller.userId));
  serve(reportDriver, (input, caller) => trips.reportDriver(input.bookingId, caller.userId));
  serve(sayTookPlace, (input, caller) => trips.sayTookPlace(input, caller.userId));
  serve(arrive, (input, caller) => trips.arrive(input.id, input.bookingId, caller.userId));
  serve(breakOffPreview, (input, caller) => trips.previewInterruption(input, caller.userId));
  serve(breakOff, (input, caller) => trips.interruptRide(input, caller.userId));
  serve(breakOffAsAdmin, (input, caller) => trips.interruptRideAsAdmin(input, caller.userId));
  serve(listBrokenRides, (input, caller) => trips.listInterruptedRides(caller.userId, input.offset));
  serve(settleBroken, (input, caller) => trips.settleInterruptedShare(input, caller.userId));
  serve(tellLocation, (input, caller) => trips.tellLocation(input, caller.userId));
  serve(tellRiderLocation, (input, caller) => trips.tellRiderLocation(input, caller.userId));
  serve(rescue, (input, caller) => trips.rescue(input.id, caller.userId));
  serve(boardingPass, (input, caller) => trips.boardingPass(input.bookingId, caller.userId));
  serve(boardingKey, (input, caller) => trips.boardingKey(input.id, caller.userId));
  serve(whereIsCar, (input, caller) => trips.whereIsCar(input.id, caller.userId));
}
