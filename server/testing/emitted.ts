import { sql } from 'drizzle-orm';
import type { Db } from '../platform/database/db.ts';
import type { LoggedSignal } from '../platform/events/event-log.ts';
import type { SignalName } from '../platform/events/signals.ts';

/** The signals that have been emitted so far, of one name or of all, in the order of their ids. */
export async function emitted(db: Db, name?: SignalName): Promise<LoggedSignal[]> {
  const { rows } = await db.execute<{ id: string; place: string; item: Omit<LoggedSignal, 'id'> }>(sql`
    select id::text, place::text, item from event_log, jsonb_array_elements(items) with ordinality of (item, place)
    order by event_log.id, place`);
  return rows
    .map(({ id, place, item }) => ({ ...item, id: Number(id) + Number(place) - 1 }))
    .filter((signal) => name === undefined || signal.name === name);
}
