export { linkToOnboarding } from './accounts/onboard.ts';
export { isAccountReady, providerAccount } from './accounts/read-account.ts';
export { showAccount } from './accounts/show-account.ts';
export { payBooking } from './authorizations/pay-booking.ts';
export {
  isPaymentSecured,
  planAuthorization,
  repriceAuthorization,
} from './authorizations/plan-authorization.ts';
export { followRide } from './authorizations/follow-ride.ts';
export { readBeforeEnd } from './authorizations/read-before-end.ts';
export { settleAuthorization } from './authorizations/settle.ts';
export { currentAuthorization } from './authorizations/store.ts';
export { workOnBooking } from './authorizations/worker.ts';
export { paymentsOfBookings } from './booking-payments.ts';
export { deleteCustomer } from './cards/customer.ts';
export { beginCard, listCards } from './cards/manage-cards.ts';
export { contestFare, decideBy } from './claims/contested-fare.ts';
export { settlePartWayFare } from './claims/part-way-fare.ts';
export { erasure } from './erasure/store.ts';
export { paymentGauges } from './gauges.ts';
export { cancelFeeOf, moneyTerms, noShowFeeOf } from './money-terms.ts';
export { resumePayment } from './resume-payment.ts';
export { needOf } from './rules/next-step.ts';
export { openPayments } from './state.ts';
export { workOnPayments } from './work-due.ts';
