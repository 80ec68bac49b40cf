import { Refusal } from '../../platform/refusal.ts';
import type { PrivacyContext } from './context.ts';
import { leavingReason } from './rules/emails.ts';
import { openOrdersOf } from '../orders/queries.ts';

/**
 * Cancels a person's open orders and bookings, each by the rules of its state.
 * @returns how many were canceled; whether one is under way and cannot be; and whether a fee is due for one,
 *   which then stays open: no person pays a fee they were not shown.
 */
export async function cancelOrders(
  { orders, platform: { db } }: PrivacyContext,
  userId: string,
): Promise<{ cancelled: number; underWay: boolean; feeDue: boolean }> {
  let cancelled = 0;
  let underWay = false;
  let feeDue = false;
  for (const { id } of await openOrdersOf(db, userId)) {
    try {
      await orders.bookings.cancel(userId, { id, reason: leavingReason });
      cancelled += 1;
    } catch (error) {
      // A passenger is on board, or the state changed at this moment: checked again when the deletion is due.
      if (!(error instanceof Refusal)) throw error;
      if (error.reason === 'order.feeChanged') feeDue = true;
      else underWay = true;
    }
  }
  return { cancelled, underWay, feeDue };
}
