import { eq, lte, notInArray, or, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/db.ts';
import type { Erasure } from '../../platform/erasure.ts';
import { rebookingEmails, ridePositions } from '../../schema/trips.ts';
import { ridesNotEnded } from '../orders/queries.ts';

export type PositionRow = typeof ridePositions.$inferSelect;

/** Stores a ride's newest position; null where the one before is younger than `pauseMs`. */
export async function savePosition(db: Db, row: PositionRow, pauseMs: number): Promise<PositionRow | null> {
  const { lon, lat, headingDegrees, at } = row;
  const latest = new Date(at.getTime() - pauseMs);
  const [saved] = await db
    .insert(ridePositions)
    .values(row)
    .onConflictDoUpdate({
      target: ridePositions.rideId,
      set: { lon, lat, headingDegrees, at },
      // A position from the future was written before a clock was put back.
      setWhere: or(lte(ridePositions.at, latest), sql`${ridePositions.at} > ${at.toISOString()}`),
    })
    .returning();
  return saved ?? null;
}

export async function positionOf(db: Db, rideId: string): Promise<PositionRow | null> {
  return (await db.select().from(ridePositions).where(eq(ridePositions.rideId, rideId)))[0] ?? null;
}

/** Deletes the positions of ended rides, and those not updated since `before`. */
export async function wipePositions(db: Db, before: Date): Promise<void> {
  await db
    .delete(ridePositions)
    .where(or(lte(ridePositions.at, before), notInArray(ridePositions.rideId, ridesNotEnded(db))));
}

/** Claims sending the email about a lost booking; false where it has been sent already. */
export async function claimRescueLetter(tx: Db, bookingId: string, at: Date): Promise<boolean> {
  const claimed = await tx
    .insert(rebookingEmails)
    .values({ bookingId, at })
    .onConflictDoNothing()
    .returning({ bookingId: rebookingEmails.bookingId });
  return claimed.length > 0;
}

export const erasure = {
  ride_positions: (tx, personId) => tx.delete(ridePositions).where(eq(ridePositions.driverId, personId)),
} satisfies Erasure;
