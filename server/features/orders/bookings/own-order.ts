import type { App } from '../../../app-type.ts';
import { orderNotFound } from '../order-refusals.ts';
import { viewOrder } from '../order-views.ts';
import { readOwnOrder, type OwnOrder } from './store.ts';

/**
 * A person's own ride or request, by id or order number; with one of its bookings, where that is theirs too.
 * Refuses `order.notFound`.
 */
export async function ownOrder(
  app: App,
  { id, bookingId = null }: { id: string; bookingId?: string | null },
  personId: string,
): Promise<OwnOrder> {
  const { kept } = app;
  const isId = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(id);
  const own = isId ? await readOwnOrder(kept, { id, bookingId, personId }) : null;
  if (own !== null) return own;
  const order = await viewOrder(app, id, personId);
  if (!order.mine) throw orderNotFound();
  return (await readOwnOrder(kept, { id: order.id, bookingId, personId }))!;
}
