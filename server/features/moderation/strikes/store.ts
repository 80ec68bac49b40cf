import { and, asc, eq, gt, not } from 'drizzle-orm';
import type { Db } from '../../../platform/database/db.ts';
import { changesAny } from '../../../platform/database/one-row.ts';
import { isOneOf } from '../../../platform/database/is-one-of.ts';
import type { Erasure } from '../../../platform/erasure.ts';
import { isUnsuspendedSince } from '../../../platform/security/audit-store.ts';
import { strikes } from '../../../schema/moderation.ts';
import { hasLetDown, rideOutlines } from '../../orders/queries.ts';

export type StrikeRow = typeof strikes.$inferSelect;

/** Inserts a strike; false where the ride already has one. */
export const insertStrike = (tx: Db, row: StrikeRow): Promise<boolean> =>
  changesAny(tx.insert(strikes).values(row).onConflictDoNothing());

/** Of some rides, those that have a strike. */
export async function ridesWithStrike(db: Db, rideIds: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .select({ rideId: strikes.rideId })
    .from(strikes)
    .where(isOneOf(strikes.rideId, rideIds));
  return new Set(rows.map(({ rideId }) => rideId));
}

/**
 * The order numbers of rides that count against a driver, the oldest first: those with a passenger who was
 * let down, not those where all were on board after all. An ended suspension resets the count.
 */
export async function countedStrikes(
  tx: Db,
  driverId: string,
  since: Date,
): Promise<{ orderNumber: string; by: 'driver' | 'passenger' | 'system' }[]> {
  const ride = rideOutlines(tx);
  return tx
    .select({ orderNumber: ride.orderNumber, by: strikes.by })
    .from(strikes)
    .innerJoin(ride, eq(ride.id, strikes.rideId))
    .where(
      and(
        eq(strikes.driverId, driverId),
        gt(strikes.at, since),
        hasLetDown(strikes.rideId),
        not(isUnsuspendedSince(driverId, strikes.at)),
      ),
    )
    .orderBy(asc(strikes.at));
}

export const erasure = {
  strikes: (tx, personId) => tx.delete(strikes).where(eq(strikes.driverId, personId)),
} satisfies Erasure;
