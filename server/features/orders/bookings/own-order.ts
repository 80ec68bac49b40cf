import { orderNotFound } from '../order-refusals.ts';
import type { BookingContext } from './context.ts';

/** A person's own ride or request, by id or order number. Refuses `order.notFound`. */
export async function ownOrder(
  { orders }: BookingContext,
  idOrNumber: string,
  personId: string,
): Promise<{ id: string; role: 'driver' | 'passenger' }> {
  const isId = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(idOrNumber);
  const role = isId ? await orders.ownRole(idOrNumber, personId) : null;
  if (role !== null) return { id: idOrNumber, role };
  const order = await orders.view(idOrNumber, personId);
  if (!order.mine) throw orderNotFound();
  return { id: order.id, role: order.role };
}
