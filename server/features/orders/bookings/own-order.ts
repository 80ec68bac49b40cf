import { orderNotFound } from '../order-refusals.ts';
import type { BookingContext } from './context.ts';
import { readOwnOrder, type OwnOrder } from './store.ts';

/**
 * A person's own ride or request, by id or order number; with one of its bookings, where that is theirs too.
 * Refuses `order.notFound`.
 */
export async function ownOrder(
  { orders, platform: { kept } }: BookingContext,
  { id, bookingId = null }: { id: string; bookingId?: string | null },
  personId: string,
): Promise<OwnOrder> {
  const isId = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(id);
  const own = isId ? await readOwnOrder(kept, { id, bookingId, personId }) : null;
  if (own !== null) return own;
  const order = await orders.view(id, personId);
  if (!order.mine) throw orderNotFound();
  return (await readOwnOrder(kept, { id: order.id, bookingId, personId }))!;
}
