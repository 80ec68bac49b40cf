import {
  accept,
  answerChange,
  askToJoin,
  cancelOrder,
  cancelPreview,
  invite,
  proposeChange,
  reject,
  waitlist,
  withdraw,
} from '#contract/rides/endpoints.ts';
import { authorize } from '#contract/payments/endpoints.ts';
import type { Serve } from '../../../platform/http/http-server.ts';
import type { BookingsService } from './service.ts';

export function serveBookings(serve: Serve, bookings: BookingsService): void {
  serve(askToJoin, (input, caller) => bookings.ask(caller.userId, input));
  serve(waitlist, (input, caller) =>
    input.wait ? bookings.wait(caller.userId, input) : bookings.stopWaiting(caller.userId, input),
  );
  serve(invite, (input, caller) => bookings.invite(caller.userId, input));
  serve(accept, (input, caller) => bookings.accept(input.bookingId, caller.userId));
  serve(reject, (input, caller) => bookings.reject(input.bookingId, caller.userId, input.reason));
  serve(withdraw, (input, caller) => bookings.withdraw(input.bookingId, caller.userId));
  serve(proposeChange, (input, caller) => bookings.propose(caller.userId, input));
  serve(answerChange, (input, caller) => bookings.answer(caller.userId, input));
  serve(authorize, (input, caller) => bookings.authorize(caller.userId, input));
  serve(cancelPreview, (input, caller) => bookings.cancelPreview(input.id, caller.userId));
  serve(cancelOrder, (input, caller) => bookings.cancel(caller.userId, input));
}
