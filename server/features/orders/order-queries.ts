import type { ReadContext } from './context.ts';
import { listOrders, nextOrder } from './lists/list-orders.ts';
import { orderLines } from './lists/order-lines.ts';
import { openOrdersNear, openOrdersOfContacts } from './open-orders.ts';
import { orderDetail } from './order-detail.ts';
import { orderTimeline } from './order-timeline.ts';
import { bookingView, ownBooking, requestViews, rideViews, viewOrder } from './order-views.ts';

export type OrderQueries = ReturnType<typeof createOrderQueries>;

/** Reads orders as a person may see them: one order, lists of orders, their timelines. */
export const createOrderQueries = (context: ReadContext) => ({
  view: viewOrder.bind(null, context),
  rideViews: rideViews.bind(null, context),
  requestViews: requestViews.bind(null, context),
  bookingView: bookingView.bind(null, context),
  ownBooking: ownBooking.bind(null, context),
  list: listOrders.bind(null, context),
  lines: orderLines.bind(null, context),
  next: nextOrder.bind(null, context),
  detail: orderDetail.bind(null, context),
  timeline: orderTimeline.bind(null, context),
  nearby: openOrdersNear.bind(null, context),
  ofContacts: openOrdersOfContacts.bind(null, context),
});
