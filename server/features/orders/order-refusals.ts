import { movedOn, notFound } from '../../platform/refusal.ts';

/** An order that is not there, or that the person may not know of: they are not told which. */
export const orderNotFound = () => notFound('order.notFound', 'This ride could not be found.');
/** The same of a booking. */
export const bookingNotFound = () => notFound('booking.notFound', 'This could not be found.');
/** The ride's state no longer allows what the person wants. */
export const rideMovedOn = () => movedOn('order.moved', 'This ride has moved on. Please look again.');
