import { movedOn, notFound } from '../../platform/refusal.ts';

/** An order that does not exist, or that the person may not see: the refusal does not say which. */
export const orderNotFound = () => notFound('order.notFound', 'We couldn’t find this ride.');
/** The same for a booking. */
export const bookingNotFound = () => notFound('booking.notFound', 'We couldn’t find this.');
/** The ride's state no longer allows what the person wants. */
export const rideMovedOn = () => movedOn('order.moved', 'This ride just changed. Please check again.');
