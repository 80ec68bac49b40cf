import { sql } from 'drizzle-orm';
import type { BuiltApp } from '../app.ts';

/** Everything that is counted, to see that it stays. */
export async function countDemo({ platform: { db } }: BuiltApp): Promise<Record<string, number>> {
  const tables = [
    'users',
    'vehicles',
    'licenses',
    'contacts',
    'tags',
    'tagged_contacts',
    'shortcuts',
    'events',
    'rides',
    'requests',
    'bookings',
    'reviews',
    'move_history',
    'order_spans',
    'chat_rooms',
    'chat_members',
    'alerts',
    'chat_messages',
  ];
  const found = await Promise.all(
    tables.map((table) =>
      db.execute<{ n: number }>(sql`select count(*)::int as n from ${sql.identifier(table)}`),
    ),
  );
  return Object.fromEntries(tables.map((table, index) => [table, found[index]!.rows[0]!.n]));
}
