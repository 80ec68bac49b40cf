import { eq } from 'drizzle-orm';
import type { Db } from '../../../platform/database/db.ts';
import { events } from '../../../schema/events.ts';

/** An event's name, also of a private one; null where the event does not exist. */
export async function eventName(db: Db, eventId: string): Promise<string | null> {
  const [row] = await db.select({ name: events.name }).from(events).where(eq(events.id, eventId));
  return row?.name ?? null;
}
