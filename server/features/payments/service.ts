export { linkToOnboarding, isAccountReady, providerAccount, showAccount } from './accounts/driver-account.ts';
export { payBooking } from './authorizations/pay-booking.ts';
export {
  isPaymentSecured,
  planAuthorization,
  repriceAuthorization,
  followRide,
  settleAuthorization,
} from './authorizations/plan-authorization.ts';
export { readBeforeEnd, workOnBooking } from './authorizations/worker.ts';
export { currentAuthorization } from './authorizations/store.ts';
export { paymentsOfBookings } from './booking-payments.ts';
export { deleteCustomer, beginCard, listCards } from './cards/manage-cards.ts';
export { contestFare, decideBy } from './claims/open-claim.ts';
export { settlePartWayFare, resumePayment } from './claims/resolve-claim.ts';
export { erasure } from './erasure/store.ts';
export { paymentGauges, workOnPayments } from './work-due.ts';
export { cancelFeeOf, moneyTerms, noShowFeeOf } from './money-terms.ts';
export { needOf } from './rules/next-step.ts';
export { openPayments } from './state.ts';
