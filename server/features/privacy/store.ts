import { and, asc, eq, isNotNull, isNull, lte, sql, type SQL } from 'drizzle-orm';
import { endedRequestStates, endedRideStates } from '#contract/rides/moves.ts';
import type { Db } from '../../platform/database/db.ts';
import { users } from '../../schema/identity.ts';
import { emptyAccount, personalTables } from './rules/personal-tables.ts';

export type PrivacyRow = Pick<
  typeof users.$inferSelect,
  'foundByEmail' | 'foundByPhone' | 'foundByName' | 'phoneSeenBy' | 'deletionDueAt' | 'passwordHash'
>;

const mostDeletedAtOnce = 20;

export async function privacyOf(db: Db, userId: string): Promise<PrivacyRow | null> {
  const { foundByEmail, foundByPhone, foundByName, phoneSeenBy, deletionDueAt, passwordHash } = users;
  const [row] = await db
    .select({ foundByEmail, foundByPhone, foundByName, phoneSeenBy, deletionDueAt, passwordHash })
    .from(users)
    .where(eq(users.id, userId));
  return row ?? null;
}

export async function updateAccount(
  tx: Db,
  userId: string,
  set: Partial<typeof users.$inferInsert>,
): Promise<void> {
  await tx.update(users).set(set).where(eq(users.id, userId));
}

/** Marks an account for deletion; the first word counts, so that asking again puts nothing off. */
export async function askDeletion(
  tx: Db,
  userId: string,
  at: Date,
  dueAt: Date,
): Promise<{ dueAt: Date; email: string; language: 'en' | 'zh'; isNew: boolean } | null> {
  const [fresh] = await tx
    .update(users)
    .set({ deletionAskedAt: at, deletionDueAt: dueAt })
    .where(and(eq(users.id, userId), isNull(users.deletionDueAt)))
    .returning();
  if (fresh !== undefined) return { dueAt, email: fresh.email, language: fresh.language, isNew: true };
  const [row] = await tx.select().from(users).where(eq(users.id, userId));
  if (row?.deletionDueAt == null) return null;
  return { dueAt: row.deletionDueAt, email: row.email, language: row.language, isNew: false };
}

/** False when no deletion was under way. */
export async function keepAccount(tx: Db, userId: string): Promise<boolean> {
  const rows = await tx
    .update(users)
    .set({ deletionAskedAt: null, deletionDueAt: null })
    .where(and(eq(users.id, userId), isNotNull(users.deletionDueAt), isNull(users.deletedAt)))
    .returning({ id: users.id });
  return rows.length > 0;
}

export async function dueForDeletion(db: Db, now: Date): Promise<string[]> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(lte(users.deletionDueAt, now))
    .orderBy(asc(users.deletionDueAt))
    .limit(mostDeletedAtOnce);
  return rows.map((row) => row.id);
}

export async function postponeDeletion(tx: Db, userId: string, dueAt: Date): Promise<void> {
  await tx.update(users).set({ deletionDueAt: dueAt }).where(eq(users.id, userId));
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

/** Leaves of a person nothing but what belongs to others' rides; all in the caller's transaction. */
export async function erase(tx: Db, userId: string, at: Date): Promise<void> {
  const [person] = await tx.select().from(users).where(eq(users.id, userId)).for('update');
  if (person === undefined || person.deletedAt !== null) return;
  await eraseByAddress(tx, person);
  await eraseAlongTheWay(tx, person);
  for (const { table, columns, erase: how } of personalTables) {
    if (how === 'elsewhere') continue;
    const where = isPerson(columns, userId);
    if (how === 'delete') {
      await tx.execute(sql`delete from ${sql.identifier(table)} where ${where}`);
      continue;
    }
    const set = sql.join(
      Object.entries(how).map(([column, value]) => sql`${sql.identifier(column)} = ${sql.raw(value)}`),
      sql`, `,
    );
    await tx.execute(sql`update ${sql.identifier(table)} set ${set} where ${where}`);
  }
  await tx
    .update(users)
    .set({ ...emptyAccount, email: `${userId}@deleted.invalid`, deletedAt: at })
    .where(eq(users.id, userId));
}

/** What is kept under the e-mail or the phone instead of the id: codes, sign-ups, attempts, emails. */
async function eraseByAddress(tx: Db, person: typeof users.$inferSelect): Promise<void> {
  const names = [person.email, person.phone, person.id].filter((name) => name !== '');
  for (const name of names) {
    await tx.execute(sql`delete from attempts where position(${name} in key) > 0`);
    await tx.execute(sql`delete from email_codes where position(${name} in email) > 0`);
  }
  await tx.execute(sql`delete from signups where email = ${person.email}`);
  await tx.execute(
    sql`delete from outbox_letters where recipient = any(${sql.param([person.email, person.phone])}::text[])`,
  );
}

/** What stands in rows that belong to a ride: the exact stops, and the name in a room's own lines with what it wrote there. */
async function eraseAlongTheWay(tx: Db, person: typeof users.$inferSelect): Promise<void> {
  await tx.execute(sql`
    update ride_stops s set lon = round(lon::numeric, 2)::double precision, lat = round(lat::numeric, 2)::double precision
    from rides r where r.id = s.ride_id and (
      (r.driver_id = ${person.id} and s.kind in ('start', 'via', 'end'))
      or s.booking_id in (select id from bookings where passenger_id = ${person.id}))`);
  if (person.name === '') return;
  await tx.execute(sql`
    update chat_messages m set system = jsonb_set(m.system, '{name}', ${JSON.stringify(emptyAccount.name)}::jsonb) - 'words'
    where m.system ->> 'name' = ${person.name}
      and m.room_id in (select room_id from chat_members where user_id = ${person.id})`);
}
