import type { App } from '../../app-type.ts';
import { createBookings } from './bookings/service.ts';
import type { OrderFeatures } from './context.ts';
import { coarsenStops, erasure, removeRidesOf } from './erasure/store.ts';
import { createOrderService } from './order-service.ts';

export type { OrderLine } from './lists/order-lines.ts';
export type { RequestInput, RideInput } from './order-input.ts';
export type { BookingRow, RequestRow, RideRow } from './store.ts';
export { changeOrders, type LockedOrders } from './aggregate/locked-orders.ts';
export { bySystem, type By } from './move-log.ts';
export { bookingNotFound, orderNotFound, rideMovedOn } from './order-refusals.ts';
export { lostBooking } from './cascade.ts';
export type { RideToTell } from './candidates/match-order.ts';
export { columnsOfEnds, fromOf, toOf, type EndColumns } from './rules/ends.ts';
export { settledShare } from './rules/ridden-share.ts';
export { abandonedAfterMs, mayMoveBooking, mayMoveRide, unjoinedEndsAfterMs, waitMs } from './rules/may.ts';
export {
  bookingProcess,
  rideProcess,
  requestProcess,
  type BookingChat,
  type BookingProcess,
  type MoveNotice,
} from './process.ts';
export { bookingFacts, rideFacts } from './view.ts';

export type OrdersService = ReturnType<typeof createOrders>;

/** Orders, and the bookings that join a ride and a request. */
export function createOrders(platform: App, features: OrderFeatures) {
  const { messages } = features;
  const orders = createOrderService(platform, features);
  return {
    ...orders,
    bookings: createBookings(platform, { orders, messages }),
    erasure,
    /** Coarsens the stops of a person who deletes their account, in the caller's transaction. */
    coarsenStops,
    /**
     * For the demo community: removes some people's rides and the history of their orders, in the caller's
     * transaction.
     */
    removeRidesOf,
  };
}
