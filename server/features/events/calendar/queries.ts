import { eq } from 'drizzle-orm';
import type { Db } from '../../../platform/database/db.ts';
import { events } from '../../../schema/events.ts';

/** How an event is called, also one that not everyone may find; null where there is none. */
export async function eventName(db: Db, eventId: string): Promise<string | null> {
  const [row] = await db.select({ name: events.name }).from(events).where(eq(events.id, eventId));
  return row?.name ?? null;
}
