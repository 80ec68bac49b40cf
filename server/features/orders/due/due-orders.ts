import type { App } from '../../../app-type.ts';
import { later } from '../../../platform/clock.ts';
import { expireUnasked } from '../moves.ts';
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

/** Expires some of the orders that are over and never had a booking; returns how many. */
export async function expireUnaskedOrders(
  app: App,
  kind: 'ride' | 'request',
  limit: number,
): Promise<number> {
  const now = app.clock.now();
  const lastAt = kind === 'ride' ? later(now, -unjoinedEndsAfterMs) : now;
  if (!(await store.hasUnasked(app.db, kind, { now, lastAt }))) return 0;
  return app.transact('expire unasked orders', (tx) => expireUnasked(app, tx, kind, { lastAt, limit }));
}
