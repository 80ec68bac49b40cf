import { requestMoves, rideMoves } from '#contract/rides/moves.ts';
import type { App } from '../../../app-type.ts';
import { later } from '../../../platform/clock.ts';
import { unjoinedEndsAfterMs } from '../rules/may.ts';
import * as store from './store.ts';

// Each returns the ids of at most `limit` orders or bookings that are due now.

export const dueRides = ({ db, clock }: App, limit: number): Promise<string[]> =>
  store.dueRides(db, clock.now(), limit);

export const dueBookings = ({ db, clock }: App, limit: number): Promise<string[]> =>
  store.dueBookings(db, clock.now(), limit);

export const dueRequests = ({ db, clock }: App, limit: number): Promise<string[]> =>
  store.dueRequests(db, clock.now(), limit);

export async function passQuietRides({ db, clock, transact }: App, limit: number): Promise<number> {
  if (!(await store.hasQuietRides(db, clock.now()))) return 0;
  return transact('pass quiet rides', (tx) => store.passQuietRides(tx, clock.now(), limit));
}

/**
 * Expires some of the orders that are over and never had a booking, with one signal for all of them; returns
 * how many.
 */
export async function expireUnaskedOrders(
  app: App,
  kind: 'ride' | 'request',
  limit: number,
): Promise<number> {
  const { db, clock, transact, outbox } = app;
  const now = clock.now();
  const lastAt = kind === 'ride' ? later(now, -unjoinedEndsAfterMs) : now;
  if (!(await store.hasUnasked(db, kind, { now, lastAt }))) return 0;
  const { to } = kind === 'ride' ? rideMoves.expire : requestMoves.expire;
  return transact('expire unasked orders', async (tx) => {
    const expired = await store.expireUnasked(tx, kind, { lastAt, limit, now, to });
    if (expired.length === 0) return 0;
    const orders = expired.map(({ id, ownerId }) => ({ id, ownerId }));
    const orderIds = expired.map(({ id }) => id);
    const eventIds = new Set(expired.flatMap(({ eventId }) => eventId ?? []));
    await outbox.emitAll(tx, [
      { name: 'orders.expired', payload: { kind, orders }, key: orderIds[0]! },
      { name: 'orders.written', payload: { orderIds }, key: orderIds[0]! },
      ...[...eventIds].map((eventId) => ({ name: 'event.moved', payload: { eventId }, key: eventId })),
    ]);
    return expired.length;
  });
}
