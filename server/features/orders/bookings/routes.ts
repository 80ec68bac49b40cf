import * as calls from '#contract/rides/endpoints.ts';
import * as paymentCalls from '#contract/payments/endpoints.ts';
import type { App } from '../../../app-type.ts';
import type { Serve } from '../../../platform/http/http-server.ts';
import { acceptBooking } from './accept-booking.ts';
import { answerChange } from './answer-change.ts';
import { authorizeBooking } from './booking-payment.ts';
import { cancelOrder } from './cancel-order.ts';
import { previewCancellation } from './cancellation-fee.ts';
import { rejectBooking, withdrawBooking } from './close-booking.ts';
import { askToJoin, inviteToRide } from './open-booking.ts';
import { proposeChange } from './propose-change.ts';
import { joinWaitlist, leaveWaitlist } from './waitlist.ts';

export function serveBookings(serve: Serve, app: App): void {
  serve(calls.askToJoin, (input, caller) => askToJoin(app, caller.userId, input));
  serve(calls.waitlist, (input, caller) =>
    input.wait ? joinWaitlist(app, caller.userId, input) : leaveWaitlist(app, caller.userId, input),
  );
  serve(calls.invite, (input, caller) => inviteToRide(app, caller.userId, input));
  serve(calls.accept, (input, caller) => acceptBooking(app, input.bookingId, caller.userId));
  serve(calls.reject, (input, caller) => rejectBooking(app, input.bookingId, caller.userId, input.reason));
  serve(calls.withdraw, (input, caller) => withdrawBooking(app, input.bookingId, caller.userId));
  serve(calls.proposeChange, (input, caller) => proposeChange(app, caller.userId, input));
  serve(calls.answerChange, (input, caller) => answerChange(app, caller.userId, input));
  serve(paymentCalls.authorize, (input, caller) => authorizeBooking(app, caller.userId, input));
  serve(calls.cancelPreview, (input, caller) => previewCancellation(app, input.id, caller.userId));
  serve(calls.cancelOrder, (input, caller) => cancelOrder(app, caller.userId, input));
}
