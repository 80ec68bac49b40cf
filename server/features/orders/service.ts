export { type LockedOrders, changeOrders } from './aggregate/locked-orders.ts';
export { boardLate } from './board-late.ts';
export { acceptBooking } from './bookings/accept-booking.ts';
export { answerChange } from './bookings/apply-change.ts';
export { followLatePayments } from './bookings/booking-payment.ts';
export { cancelOrder, takeBackOrder } from './bookings/cancel-order.ts';
export { previewCancellation } from './bookings/cancellation-fee.ts';
export { rejectBooking, withdrawBooking, countFromMessage } from './bookings/close-booking.ts';
export { askToJoin, inviteToRide } from './bookings/open-booking.ts';
export { remindAgain } from './bookings/store.ts';
export { type RideToTell, matchFew, ridesToTell } from './candidates/match-order.ts';
export {
  closeAsks,
  followClock,
  leaveRoute,
  lostBooking,
  settleBooking,
  settleRequest,
  settleRequests,
  settleRide,
} from './decide/cascade.ts';
export { dueRides, expireUnaskedOrders, passQuietRides } from './due/due-orders.ts';
export { claimDueRide, isAnyRideDue, rideLookedAt } from './due/store.ts';
export { coarsenStops, erasure, removeOrdersOf } from './erasure/store.ts';
export { toldPickups } from './facts/told-pickups.ts';
export { assess } from './interrupted/assess.ts';
export { breakOffRide } from './interrupted/break-off.ts';
export {
  brokenBookingsOf,
  brokenRidesByIds,
  countBrokenOf,
  decideBroken,
  listBrokenRides,
} from './interrupted/store.ts';
export { type OrderLine, orderLines } from './lists/order-lines.ts';
export { settleFares } from './decide/money.ts';
export { type By, bySystem } from './decide/move-log.ts';
export { moveBooking, moveRide } from './decide/moves.ts';
export { openOrdersOfContacts } from './open-orders.ts';
export { checkAmount, checkPrice, checkTime, checkWomen } from './order-checks.ts';
export { createOrder, createOrdersToEvent } from './order-commands.ts';
export type { RequestInput, RideInput } from './order-input.ts';
export { bookingNotFound, orderNotFound, rideMovedOn } from './order-refusals.ts';
export { bookingView, ownBooking, requestViews, rideViews, viewOrder } from './order-views.ts';
export {
  type BookingChat,
  type BookingProcess,
  type MoveNotice,
  bookingProcess,
  requestProcess,
  rideProcess,
} from './process.ts';
export { locateWay } from './quotes.ts';
export { createRecurring } from './recurring/create-recurring.ts';
export { contactsOf } from './reports/contacts.ts';
export { contestReport, dueReports, openReport, reportedAt, settleReport } from './reports/report-driver.ts';
export { isAnyReportDue, noteContact } from './reports/store.ts';
export { type EndColumns, columnsOfEnds, fromOf, toOf } from './rules/ends.ts';
export { abandonedAfterMs, mayMoveBooking, mayMoveRide, unjoinedEndsAfterMs, waitMs } from './rules/may.ts';
export { settledShare } from './rules/ridden-share.ts';
export { viewLinkedOrder, viewPublicOrder, pathBehindShortCode } from './share-links/share-link.ts';
export {
  type BookingRow,
  type RequestRow,
  type RideRow,
  bookingsOf,
  passStop,
  queueOnRide,
  requestById,
  rideById,
  rideByNumber,
  stopsOf,
} from './store.ts';
export {
  answerQuestion,
  saveAnswer,
  askBothSides,
  concludeOverdue,
  overdueRides,
} from './unclear/conclude-ride.ts';
export { isAnyRideOverdue } from './unclear/store.ts';
export { bookingFacts, rideFacts } from './view.ts';
