import type { Leaving } from '#contract/privacy/endpoints.ts';
import type { App } from '../../app-type.ts';
import { openOrdersOf } from '../orders/queries.ts';
import { viewOrder, previewCancellation } from '../orders/service.ts';
import { unsettledOf } from '../payments/queries.ts';

/**
 * The orders that leaving would cancel, soonest first, with fees and strikes, and what must end or be paid
 * first.
 */
export async function previewLeaving(app: App, userId: string): Promise<Leaving> {
  const { db } = app;
  const found: Leaving['orders'] = [];
  for (const { id } of await openOrdersOf(db, userId)) {
    const order = await viewOrder(app, id, userId);
    const { may, joined, feeCents, strike } = await previewCancellation(app, id, userId);
    found.push({
      id,
      orderNumber: order.orderNumber,
      role: order.role,
      from: order.from.name,
      to: order.to.name,
      at: order.role === 'driver' ? order.departsAt : order.earliestAt,
      timeZone: order.timeZone,
      joined,
      may,
      feeCents,
      strike,
    });
  }
  const soonestFirst = found.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return { orders: soonestFirst, ...(await unsettledOf(db, userId)) };
}
