import { openOrdersOf } from '../orders/queries.ts';
import { cancelOrder } from '../orders/service.ts';
import type { PrivacyContext } from './context.ts';
import { leavingReason } from './rules/emails.ts';

/**
 * Cancels a person's open orders and bookings, each by the rules of its state, after `whyNotLeave` has found
 * nothing against it. Throws the refusal of one that has moved since then.
 * @returns how many were canceled.
 */
export async function cancelOrders({ platform }: PrivacyContext, userId: string): Promise<number> {
  const { db } = platform;
  const open = await openOrdersOf(db, userId);
  for (const { id } of open) await cancelOrder(platform, userId, { id, reason: leavingReason });
  return open.length;
}
