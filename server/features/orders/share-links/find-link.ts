import { openRequestStates, openRideStates } from '#contract/rides/moves.ts';
import { notFound } from '../../../platform/refusal.ts';
import { hashSecret } from '../../../platform/security/session.ts';
import type { Db } from '../../../platform/database/db.ts';
import * as orders from '../store.ts';
import type { FoundOrder } from '../visible-order.ts';
import * as store from './store.ts';

export const linkNotFound = () => notFound('link.notFound', 'This link no longer works.');

/** States in which others can still join. */
const openStates: readonly string[] = [...openRideStates, ...openRequestStates];

export const isOpen = (found: FoundOrder): boolean =>
  openStates.includes('ride' in found ? found.ride.state : found.request.state);

export const ownerOf = (found: FoundOrder): string =>
  'ride' in found ? found.ride.driverId : found.request.passengerId;

/** An order by its id, regardless of audience; null where there is none. */
export async function findOrder(db: Db, orderId: string): Promise<FoundOrder | null> {
  const [ride] = await orders.ridesByIds(db, [orderId]);
  if (ride !== undefined) return { ride };
  const [request] = await orders.requestsByIds(db, [orderId]);
  return request === undefined ? null : { request };
}

/** The open order behind a code. Refuses `link.notFound` for any other. */
export async function orderBehind(db: Db, code: string): Promise<{ link: store.LinkRow; found: FoundOrder }> {
  const link = await store.linkByCode(db, hashSecret(code));
  const found = link === null ? null : await findOrder(db, link.orderId);
  if (link === null || found === null || !isOpen(found)) throw linkNotFound();
  return { link, found };
}
