import type { Booking, Order } from '#contract/rides/views.ts';

/**
 * The one ask or invitation that the page of an order answers with the buttons at its bottom; null where
 * another thing comes first, where several wait, or where the ride of the invitation is not shown: then each
 * card has its own answer.
 */
export function onlyAnswer(order: Order): Booking | null {
  const { nextAction: next } = order;
  if (next === null || next.count > 1) return null;
  if (next.kind !== 'answerRequest' && next.kind !== 'acceptInvitation') return null;
  return order.bookings.find(({ id }) => id === next.bookingId) ?? null;
}
