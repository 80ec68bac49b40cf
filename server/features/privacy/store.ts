import { eq, sql, type SQL } from 'drizzle-orm';
import { endedRequestStates, endedRideStates } from '#contract/rides/moves.ts';
import type { Db } from '../../platform/database/db.ts';
import { users } from '../../schema/identity.ts';
import { personalTables } from './rules/personal-tables.ts';

export type PrivacyRow = Pick<
  typeof users.$inferSelect,
  'foundByEmail' | 'foundByPhone' | 'foundByName' | 'phoneSeenBy' | 'deletionDueAt' | 'passwordHash'
>;

export async function privacyOf(db: Db, userId: string): Promise<PrivacyRow | null> {
  const { foundByEmail, foundByPhone, foundByName, phoneSeenBy, deletionDueAt, passwordHash } = users;
  const [row] = await db
    .select({ foundByEmail, foundByPhone, foundByName, phoneSeenBy, deletionDueAt, passwordHash })
    .from(users)
    .where(eq(users.id, userId));
  return row ?? null;
}

/** Open orders of a person, rides first; their states say which can still be canceled. */
export async function openOrders(db: Db, userId: string): Promise<{ id: string; driving: boolean }[]> {
  const rows = await db.execute<{ id: string; driving: boolean }>(sql`
    select id, true as driving from rides where driver_id = ${userId} and state <> all(${sql.param([...endedRideStates])}::text[])
    union all
    select id, false as driving from requests where passenger_id = ${userId} and state <> all(${sql.param([...endedRequestStates])}::text[])
    order by driving desc`);
  return rows.rows;
}

const isPerson = (columns: readonly string[], userId: string): SQL =>
  sql.join(
    columns.map((column) => sql`${sql.identifier(column)} = ${userId}`),
    sql` or `,
  );

/** Everything the tables hold about a person, by table, as it stands there but for secrets. */
export async function everythingOf(db: Db, userId: string): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {};
  for (const { table, columns, hidden } of personalTables) {
    if (hidden === null) continue;
    const rows = await db.execute<{ row: unknown }>(
      sql`select to_jsonb(t) - ${sql.param([...hidden])}::text[] as row from ${sql.identifier(table)} t where ${isPerson(columns, userId)}`,
    );
    found[table] = [...(found[table] ?? []), ...rows.rows.map(({ row }) => row)];
  }
  const account = await db.execute<{ row: unknown }>(
    sql`select to_jsonb(u) - 'password_hash' as row from users u where id = ${userId}`,
  );
  return { account: account.rows.map(({ row }) => row), ...found };
}

/** Names of the people a person's rows refer to, so that the export can be read. */
export async function namesAround(db: Db, userId: string): Promise<Record<string, string>> {
  const rows = await db.execute<{ id: string; name: string }>(sql`
    select u.id, u.name from users u where u.id in (
      select other_id from contacts where owner_id = ${userId}
      union select driver_id from bookings where passenger_id = ${userId}
      union select passenger_id from bookings where driver_id = ${userId})`);
  return Object.fromEntries(rows.rows.map(({ id, name }) => [id, name]));
}
