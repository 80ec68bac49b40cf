import type { App } from '../../../app-type.ts';
import { acceptBooking } from './accept-booking.ts';
import { answerChange } from './answer-change.ts';
import { settleDueChanges } from './apply-change.ts';
import { authorizeBooking, followLatePayments, followPayment } from './booking-payment.ts';
import { cancelOrder, takeBackOrder } from './cancel-order.ts';
import { previewCancellation } from './cancellation-fee.ts';
import { closeAsksBetween, expireBooking, rejectBooking, withdrawBooking } from './close-booking.ts';
import type { BookingContext } from './context.ts';
import { countFromMessage } from './count-from-message.ts';
import { expireRequest } from './expire-request.ts';
import { askToJoin, inviteToRide } from './open-booking.ts';
import { proposeChange } from './propose-change.ts';
import { remindAgain } from './store.ts';
import { freeKeptSeats, joinWaitlist, leaveWaitlist } from './waitlist.ts';

export type BookingsService = ReturnType<typeof createBookings>;

/** Bookings before the ride: asking, inviting, answering, withdrawing, canceling. */
export function createBookings(
  platform: App,
  { orders, messages }: Pick<BookingContext, 'orders' | 'messages'>,
) {
  const context: BookingContext = { platform, orders, messages };
  return {
    ask: askToJoin.bind(null, context),
    invite: inviteToRide.bind(null, context),
    accept: acceptBooking.bind(null, context),
    reject: rejectBooking.bind(null, context),
    withdraw: withdrawBooking.bind(null, context),
    countFromMessage: countFromMessage.bind(null, context),
    expire: expireBooking.bind(null, context),
    closeAsksBetween: closeAsksBetween.bind(null, context),
    wait: joinWaitlist.bind(null, context),
    stopWaiting: leaveWaitlist.bind(null, context),
    freeKeptSeats: freeKeptSeats.bind(null, context),
    followPayment: followPayment.bind(null, context),
    followLatePayments: followLatePayments.bind(null, context),
    authorize: authorizeBooking.bind(null, context),
    cancelPreview: previewCancellation.bind(null, context),
    cancel: cancelOrder.bind(null, context),
    takeBack: takeBackOrder.bind(null, context),
    expireRequest: expireRequest.bind(null, context),
    propose: proposeChange.bind(null, context),
    answer: answerChange.bind(null, context),
    changesDue: settleDueChanges.bind(null, context),
    remindAgain: (looked: Parameters<typeof remindAgain>[1]) => remindAgain(platform.db, looked),
  };
}
