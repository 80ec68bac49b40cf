import {
  breakOff,
  breakOffAsAdmin,
  breakOffPreview,
  listBrokenRides,
  settleBroken,
} from '#contract/journeys/breaking-off.ts';
import { boardingKey, boardingPass, rescue, tellLocation, whereIsCar } from '#contract/journeys/endpoints.ts';
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
import type { JourneysService } from './service.ts';

export function serveJourneys(serve: Serve, journeys: JourneysService): void {
  serve(reach, (input, caller) => journeys.reach(input, caller.userId));
  serve(passStop, (input, caller) => journeys.passStop(input.id, input.stop, caller.userId));
  serve(depart, (input, caller) => journeys.depart(input.id, caller.userId));
  serve(pickUp, (input, caller) => journeys.pickUp(input, caller.userId));
  serve(confirmMeeting, (input, caller) =>
    journeys.confirmMeeting(input.bookingId, input.undo, caller.userId),
  );
  serve(noteContact, (input, caller) => journeys.noteContact(input, caller.userId));
  serve(noShow, (input, caller) => journeys.noShow(input.bookingId, caller.userId));
  serve(reportDriver, (input, caller) => journeys.reportDriver(input.bookingId, caller.userId));
  serve(sayTookPlace, (input, caller) => journeys.sayTookPlace(input, caller.userId));
  serve(arrive, (input, caller) => journeys.arrive(input.id, input.bookingId, caller.userId));
  serve(breakOffPreview, (input, caller) => journeys.breakOffPreview(input, caller.userId));
  serve(breakOff, (input, caller) => journeys.breakOff(input, caller.userId));
  serve(breakOffAsAdmin, (input, caller) => journeys.breakOffAsAdmin(input, caller.userId));
  serve(listBrokenRides, (input, caller) => journeys.listBroken(caller.userId, input.offset));
  serve(settleBroken, (input, caller) => journeys.settleBroken(input, caller.userId));
  serve(tellLocation, (input, caller) => journeys.tellLocation(input, caller.userId));
  serve(rescue, (input, caller) => journeys.rescue(input.id, caller.userId));
  serve(boardingPass, (input, caller) => journeys.boardingPass(input.bookingId, caller.userId));
  serve(boardingKey, (input, caller) => journeys.boardingKey(input.id, caller.userId));
  serve(whereIsCar, (input, caller) => journeys.whereIsCar(input.id, caller.userId));
}
