import * as calls from '#contract/rides/endpoints.ts';
import * as paymentCalls from '#contract/payments/endpoints.ts';
import type { Serve } from '../../../app-type.ts';
import { acceptBooking } from './accept-booking.ts';
import { answerChange } from './apply-change.ts';
import { proposeChange } from './propose-change.ts';
import { authorizeBooking } from './booking-payment.ts';
import { cancelOrder } from './cancel-order.ts';
import { previewCancellation } from './cancellation-fee.ts';
import { rejectBooking, withdrawBooking } from './close-booking.ts';
import { askToJoin, inviteToRide } from './open-booking.ts';
import { joinWaitlist, leaveWaitlist } from './waitlist.ts';

export function serveBookings(serve: Serve): void {
  serve(calls.askToJoin, (app, input, caller) => askToJoin(app, caller.userId, input));
  serve(calls.waitlist, (app, input, caller) =>
    input.wait ? joinWaitlist(app, caller.userId, input) : leaveWaitlist(app, caller.userId, input),
  );
  serve(calls.invite, (app, input, caller) => inviteToRide(app, caller.userId, input));
  serve(calls.accept, (app, input, caller) => acceptBooking(app, input.bookingId, caller.userId));
  serve(calls.reject, (app, input, caller) =>
    rejectBooking(app, input.bookingId, caller.userId, input.reason),
  );
  serve(calls.withdraw, (app, input, caller) => withdrawBooking(app, input.bookingId, caller.userId));
  serve(calls.proposeChange, (app, input, caller) => proposeChange(app, caller.userId, input));
  serve(calls.answerChange, (app, input, caller) => answerChange(app, caller.userId, input));
  serve(paymentCalls.authorize, (app, input, caller) => authorizeBooking(app, caller.userId, input));
  serve(calls.cancelPreview, (app, input, caller) => previewCancellation(app, input.id, caller.userId));
  serve(calls.cancelOrder, (app, input, caller) => cancelOrder(app, caller.userId, input));
}
