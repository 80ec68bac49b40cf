import { and, asc, eq, isNull, lte, sql, type SQL } from 'drizzle-orm';
import type { Db } from '../../../platform/database/db.ts';
import { changesAny } from '../../../platform/database/one-row.ts';
import { contactAttempts, driverReports } from '../../../schema/trips.ts';
import { bookings } from '../../../schema/rides.ts';

export type ReportRow = typeof driverReports.$inferSelect;

/** Stores a report; one that was undone is opened again. */
export async function openReport(tx: Db, row: Omit<ReportRow, 'outcome' | 'closedAt'>): Promise<void> {
  const { by, at, resolveAt } = row;
  await tx
    .insert(driverReports)
    .values(row)
    .onConflictDoUpdate({
      target: driverReports.bookingId,
      set: { by, at, resolveAt, outcome: null, closedAt: null },
    });
}

export async function openReportOf(db: Db, bookingId: string): Promise<ReportRow | null> {
  const open = and(eq(driverReports.bookingId, bookingId), isNull(driverReports.closedAt));
  return (await db.select().from(driverReports).where(open))[0] ?? null;
}

/** False where it has been closed already. */
export function closeReport(
  tx: Db,
  bookingId: string,
  outcome: NonNullable<ReportRow['outcome']>,
  closedAt: Date,
): Promise<boolean> {
  const open = and(eq(driverReports.bookingId, bookingId), isNull(driverReports.closedAt));
  return changesAny(tx.update(driverReports).set({ outcome, closedAt }).where(open));
}

const isOver = (now: Date) => and(isNull(driverReports.closedAt), lte(driverReports.resolveAt, now));

export const isAnyReportDue = (now: Date): SQL =>
  sql`exists (select from ${driverReports} where ${isOver(now)})`;

/** Uncontradicted reports whose time is over, by booking. */
export async function dueReports(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .select({ bookingId: driverReports.bookingId })
    .from(driverReports)
    .where(isOver(now))
    .orderBy(asc(driverReports.resolveAt))
    .limit(limit);
  return rows.map(({ bookingId }) => bookingId);
}

/** Stores how a driver tried to contact a passenger; the first attempt counts. */
export async function noteContact(tx: Db, row: typeof contactAttempts.$inferInsert): Promise<void> {
  await tx.insert(contactAttempts).values(row);
  await tx
    .update(bookings)
    .set({ contactedAt: row.at })
    .where(and(eq(bookings.id, row.bookingId), isNull(bookings.contactedAt)));
}
