import type { App } from '../../app-type.ts';
import { orderNotFound } from './order-refusals.ts';
import * as store from './store.ts';

/** The row of an order, keyed by its kind. */
export type FoundOrder = { ride: store.RideRow } | { request: store.RequestRow };

/** A ride or request that the viewer may see, by id or order number. Refuses `order.notFound`. */
export async function visibleOrder(
  { db, kept }: App,
  idOrNumber: string,
  viewerId: string | null,
): Promise<FoundOrder> {
  const isNumber = /^sw-/i.test(idOrNumber);
  const isId = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(idOrNumber);
  const number = idOrNumber.toUpperCase();
  const ride = isNumber
    ? await store.rideByNumber(db, number)
    : isId
      ? await store.rideById(kept, idOrNumber)
      : null;
  if (ride !== null && (ride.driverId === viewerId || (await store.maySeeRide(db, ride.id, viewerId))))
    return { ride };
  const request = isNumber
    ? await store.requestByNumber(db, number)
    : isId
      ? await store.requestById(kept, idOrNumber)
      : null;
  if (
    request !== null &&
    (request.passengerId === viewerId || (await store.maySeeRequest(db, request.id, viewerId)))
  )
    return { request };
  throw orderNotFound();
}
