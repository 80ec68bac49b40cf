import { later } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/db.ts';
import { joinsOf } from './bookings/queries.ts';
import type { OrderContext } from './context.ts';
import * as due from './due/store.ts';
import { toldPickups } from './facts/told-pickups.ts';
import { unjoinedEndsAfterMs } from './rules/may.ts';
import { areFreeFor, followPlan, haveTimeFor, mustFollowPlan } from './spans/store.ts';
import * as store from './store.ts';

/** Rows of orders for the features above, inside their own transactions, and the orders due by the clock. */
export const createOrderRows = ({ platform, moves, platform: { db, clock, transact } }: OrderContext) => ({
  claimRide: store.claimRide,
  queueOnRide: store.queueOnRide,
  claimRequest: store.claimRequest,
  rideById: async (id: string) => (await store.ridesByIds(db, [id]))[0] ?? null,
  ridesByIds: (ids: readonly string[]) => store.ridesByIds(db, ids),
  requestsByIds: (ids: readonly string[], tx: Db = db) => store.requestsByIds(tx, ids),
  requestById: async (id: string) => (await store.requestsByIds(db, [id]))[0] ?? null,
  bookingsOf: store.bookingsOf,
  bookingsByIds: store.bookingsByIds,
  bookingsOnRoute: store.bookingsOnRoute,
  toldPickups: (bookingIds: readonly string[]) => toldPickups(platform, bookingIds),
  joinsOf: (bookingIds: readonly string[]) => joinsOf(db, bookingIds),
  rideByNumber: (number: string) => store.rideByNumber(db, number),
  openAsksBetween: (a: string, b: string) => store.openAsksBetween(db, a, b),
  stopsOf: store.stopsOf,
  followPlan,
  mustFollowPlan,
  haveTimeFor,
  areFreeFor,
  waitingFor: store.waitingFor,
  passStop: store.passStop,

  // What is due by the clock, at most `limit` at once.
  isAnyRideDue: due.isAnyRideDue,
  isAnyBookingDue: due.isAnyBookingDue,
  isAnyRequestDue: due.isAnyRequestDue,
  dueRides: (limit: number) => due.dueRides(db, clock.now(), limit),
  claimDueRide: due.claimDueRide,
  rideLookedAt: due.rideLookedAt,
  passQuietRides: async (limit: number): Promise<number> =>
    (await due.hasQuietRides(db, clock.now()))
      ? transact((tx) => due.passQuietRides(tx, clock.now(), limit))
      : 0,
  dueBookings: (limit: number) => due.dueBookings(db, clock.now(), limit),
  dueRequests: (limit: number) => due.dueRequests(db, clock.now(), limit),
  /** Expires some of the orders that are over and never had a booking; returns how many. */
  expireUnasked: async (kind: 'ride' | 'request', limit: number): Promise<number> => {
    const now = clock.now();
    const lastAt = kind === 'ride' ? later(now, -unjoinedEndsAfterMs) : now;
    if (!(await due.hasUnasked(db, kind, { now, lastAt }))) return 0;
    return transact((tx) => moves.expireUnasked(tx, kind, { lastAt, limit }));
  },
});
