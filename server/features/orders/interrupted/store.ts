import { and, count, desc, eq, gte, inArray, isNull, sql } from 'drizzle-orm';
import { countedFor, countUpTo } from '../../../platform/database/count-up-to.ts';
import type { Db } from '../../../platform/database/db.ts';
import { isOneOf } from '../../../platform/database/is-one-of.ts';
import { interruptedBookings, interruptedRides } from '../../../schema/rides.ts';

export type BrokenRideRow = typeof interruptedRides.$inferSelect;
export type BrokenBookingRow = typeof interruptedBookings.$inferSelect;

export async function insertBrokenRide(tx: Db, row: BrokenRideRow): Promise<void> {
  await tx.insert(interruptedRides).values(row);
}

export async function insertBrokenBooking(
  tx: Db,
  row: typeof interruptedBookings.$inferInsert,
): Promise<void> {
  await tx.insert(interruptedBookings).values(row);
}

/** Rides that ended on the way, by id. */
export async function brokenRidesByIds(db: Db, rideIds: readonly string[]): Promise<BrokenRideRow[]> {
  return rideIds.length === 0
    ? []
    : db.select().from(interruptedRides).where(isOneOf(interruptedRides.rideId, rideIds));
}

/** The distances that the passengers on board of interrupted rides have ridden. */
export async function brokenBookingsOf(db: Db, rideIds: readonly string[]): Promise<BrokenBookingRow[]> {
  return rideIds.length === 0
    ? []
    : db.select().from(interruptedBookings).where(isOneOf(interruptedBookings.rideId, rideIds));
}

/** Rides that ended on the way, latest first; and how many each driver has ended since `since`. */
export async function listBrokenRides(
  db: Db,
  { since, offset, size }: { since: Date; offset: number; size: number },
): Promise<{ rows: (BrokenRideRow & { ofDriver: number })[]; total: number }> {
  const rows = await db
    .select()
    .from(interruptedRides)
    .orderBy(desc(interruptedRides.at), interruptedRides.rideId)
    .offset(offset)
    .limit(size);
  const counts = await db
    .select({ driverId: interruptedRides.driverId, count: count() })
    .from(interruptedRides)
    .where(
      and(
        gte(interruptedRides.at, since),
        inArray(
          interruptedRides.driverId,
          rows.map(({ driverId }) => driverId),
        ),
      ),
    )
    .groupBy(interruptedRides.driverId);
  const ofDriver = new Map(counts.map((each) => [each.driverId, each.count]));
  return {
    rows: rows.map((row) => ({ ...row, ofDriver: ofDriver.get(row.driverId) ?? 0 })),
    total: await countUpTo(db, interruptedRides, { by: sql`at desc`, most: countedFor({ offset, size }) }),
  };
}

/** How many rides a driver has ended on the way since an instant. */
export const countBrokenOf = (db: Db, driverId: string, since: Date): Promise<number> =>
  db.$count(interruptedRides, and(eq(interruptedRides.driverId, driverId), gte(interruptedRides.at, since)));

/** Writes an admin's decision, once; null where it has been decided already, or does not exist. */
export async function decideBroken(
  tx: Db,
  bookingId: string,
  set: { decidedCents: number; note: string },
): Promise<BrokenBookingRow | null> {
  const undecided = and(
    eq(interruptedBookings.bookingId, bookingId),
    isNull(interruptedBookings.decidedCents),
  );
  return (await tx.update(interruptedBookings).set(set).where(undecided).returning())[0] ?? null;
}
