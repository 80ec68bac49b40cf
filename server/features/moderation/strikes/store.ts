import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Db } from '../../../platform/database/db.ts';
import type { Erasure } from '../../../platform/erasure.ts';
import { users } from '../../../schema/identity.ts';
import { rides } from '../../../schema/rides.ts';
import { strikes } from '../../../schema/strikes.ts';

/** Keeps two strikes of one driver from being counted at the same time. */
export async function holdDriver(tx: Db, driverId: string): Promise<void> {
  await tx.execute(sql`select 1 from users where id = ${driverId} for update`);
}

/** False where the ride has its strike already. */
export async function insertStrike(tx: Db, row: typeof strikes.$inferInsert): Promise<boolean> {
  const inserted = await tx.insert(strikes).values(row).onConflictDoNothing().returning();
  return inserted.length > 0;
}

/** The order numbers of rides that count against a driver, the oldest first: while somebody was let down, not where all of them were on board after all; an account that was opened again starts anew. */
export async function countedStrikes(
  tx: Db,
  driverId: string,
  since: Date,
): Promise<{ orderNumber: string; by: 'driver' | 'passenger' | 'system' }[]> {
  return tx
    .select({ orderNumber: rides.orderNumber, by: strikes.by })
    .from(strikes)
    .innerJoin(rides, eq(rides.id, strikes.rideId))
    .where(
      and(
        eq(strikes.driverId, driverId),
        gt(strikes.at, since),
        sql`exists (select 1 from bookings b where b.ride_id = ${strikes.rideId} and b.fault = 'driver')`,
        sql`not exists (select 1 from admin_actions a
          where a.person_id = ${driverId} and a.action = 'user.unsuspended' and a.at >= ${strikes.at})`,
      ),
    )
    .orderBy(asc(strikes.at));
}

export async function isSuspended(tx: Db, driverId: string): Promise<boolean> {
  const active = await tx.$count(users, and(eq(users.id, driverId), isNull(users.suspendedAt)));
  return active === 0;
}

export const erasure = {
  strikes: (tx, personId) => tx.delete(strikes).where(eq(strikes.driverId, personId)),
} satisfies Erasure;
