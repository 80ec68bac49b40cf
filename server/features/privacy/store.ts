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
  orders: (userId) => sql`t.id = any(array${movesAround(userId)})`,
};

/** All rows about a person, by table, without secret columns. */
export async function everythingOf(db: Db, userId: string): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {};
  for (const { table, columns, hidden, within } of personalTables) {
    if (hidden === null) continue;
    const place = within === undefined ? sql`true` : placeOf[within](userId);
    const rows = await readInPages(
      db,
      sql`select to_jsonb(t) - ${sql.param([...hidden])}::text[] as row from ${sql.identifier(table)} t where (${isPerson(columns, userId)}) and ${place}`,
    );
    found[table] = [...(found[table] ?? []), ...rows];
  }
  return { account: await accountOf(db, userId), ...found };
}

const pageRows = 1000;

/** The rows of a statement, page after page, so that no one statement takes long; within a transaction. */
async function readInPages(tx: Db, statement: SQL): Promise<unknown[]> {
  const found: unknown[] = [];
  await tx.execute(sql`declare personal_rows cursor for ${statement}`);
  for (;;) {
    const { rows } = await tx.execute<{ row: unknown }>(
      sql`fetch ${sql.raw(String(pageRows))} from personal_rows`,
    );
    for (const { row } of rows) found.push(row);
    if (rows.length < pageRows) break;
  }
  await tx.execute(sql`close personal_rows`);
  return found;
}

/** Names of the people a person's rows refer to, which make the export readable. */
export async function namesAround(db: Db, userId: string): Promise<Record<string, string>> {
  return Object.fromEntries(
    await namesAmong(db, sql`(${contactsOfPerson(db, userId)} union ${companionsOf(userId)})`),
  );
}
