import { sql, type SQL } from 'drizzle-orm';
import type { Db } from '../../platform/database/db.ts';
import { roomIdsOf } from '../chat/queries.ts';
import { contactsOfPerson } from '../contacts/queries.ts';
import { accountOf, namesAmong } from '../identity/queries.ts';
import { companionsOf } from '../orders/bookings/queries.ts';
import { movesAround } from '../orders/queries.ts';
import { personalTables } from './rules/personal-tables.ts';

const isPerson = (columns: readonly string[], userId: string): SQL =>
  sql.join(
    columns.map((column) => sql`${sql.identifier(column)} = ${userId}`),
    sql` or `,
  );

/** What leads to rows that no index on the person leads to. */
const placeOf: Record<'rooms' | 'orders', (userId: string) => SQL> = {
  rooms: (userId) => sql`t.room_id in ${roomIdsOf(userId)}`,
  orders: (userId) => sql`t.id in ${movesAround(userId)}`,
};

/** All rows about a person, by table, without secret columns. */
export async function everythingOf(db: Db, userId: string): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {};
  for (const { table, columns, hidden, within } of personalTables) {
    if (hidden === null) continue;
    const place = within === undefined ? sql`true` : placeOf[within](userId);
    const rows = await db.execute<{ row: unknown }>(
      sql`select to_jsonb(t) - ${sql.param([...hidden])}::text[] as row from ${sql.identifier(table)} t where (${isPerson(columns, userId)}) and ${place}`,
    );
    found[table] = [...(found[table] ?? []), ...rows.rows.map(({ row }) => row)];
  }
  return { account: await accountOf(db, userId), ...found };
}

/** Names of the people a person's rows refer to, which make the export readable. */
export async function namesAround(db: Db, userId: string): Promise<Record<string, string>> {
  return Object.fromEntries(
    await namesAmong(db, sql`(${contactsOfPerson(db, userId)} union ${companionsOf(userId)})`),
  );
}
