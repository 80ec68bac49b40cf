import type { Order } from '#contract/rides/views.ts';

/** True while a passenger waits for a driver's answer with this request. */
export const hasAsked = (order: Order): boolean =>
  order.role === 'passenger' && order.bookings.some(({ state }) => state === 'requesting');
