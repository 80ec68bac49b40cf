import { sql } from 'drizzle-orm';
import { mayChangeSchema } from '../../platform/database/calls-role.ts';
import type { Db } from '../../platform/database/db.ts';

/** Whether the database is a standby, and whether the app's role owns the tables. */
export async function readDatabaseState(db: Db): Promise<{ standby: boolean; owns: boolean }> {
  const { rows } = await db.execute<{ standby: boolean; owns: boolean }>(
    sql`select pg_is_in_recovery() as standby, ${mayChangeSchema} as owns`,
  );
  return rows[0]!;
}
