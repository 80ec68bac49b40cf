import type { App } from '../../app-type.ts';
import { openOrdersOf } from '../orders/queries.ts';
import { cancelOrder } from '../orders/service.ts';
import { leavingReason } from './rules/emails.ts';

/**
 * Cancels a person's open orders and bookings, each by the rules of its state, after `whyNotLeave` has found
 * nothing against it. Throws the refusal of one that has moved since then.
 * @returns how many were canceled.
 */
export async function cancelOrders(app: App, userId: string): Promise<number> {
  const { db } = app;
  const open = await openOrdersOf(db, userId);
  for (const { id } of open) await cancelOrder(app, userId, { id, reason: leavingReason });
  return open.length;
}
