import { eq } from 'drizzle-orm';
import type { Db } from '../../platform/database/db.ts';
import { rebookingEmails } from '../../schema/trips.ts';

/** True where a passenger got the email about a lost booking and other rides. */
export async function hasRebookingEmail(db: Db, bookingId: string): Promise<boolean> {
  const found = await db
    .select({ bookingId: rebookingEmails.bookingId })
    .from(rebookingEmails)
    .where(eq(rebookingEmails.bookingId, bookingId));
  return found.length > 0;
}
