import { and, eq, sql } from 'drizzle-orm';
import { settings } from '../../../schema/platform.ts';
import { readSetting } from '../../../platform/database/settings.ts';
import type { Db } from '../../../platform/database/db.ts';

const name = 'setup';

/** What is kept of the link by which a new installation is set up: a hash, and when it was made. */
export interface SetupRow {
  tokenHash: string;
  madeAt: string;
}

export async function readSetupRow(db: Db): Promise<SetupRow | null> {
  const kept = await readSetting(db, name);
  if (typeof kept !== 'object' || kept === null) return null;
  const { tokenHash, madeAt } = kept as Partial<SetupRow>;
  return typeof tokenHash === 'string' && typeof madeAt === 'string' ? { tokenHash, madeAt } : null;
}

/** Keeps a new link in place of the one that was there (null: of none). @returns whether nobody was faster */
export async function replaceSetupRow(db: Db, before: SetupRow | null, row: SetupRow): Promise<boolean> {
  if (before === null) {
    const made = await db.insert(settings).values({ name, value: row }).onConflictDoNothing().returning();
    return made.length > 0;
  }
  const changed = await db.update(settings).set({ value: row }).where(isRow(before.tokenHash)).returning();
  return changed.length > 0;
}

/** Ends a link. @returns false where it is over already */
export async function removeSetupRow(db: Db, tokenHash: string): Promise<boolean> {
  return (await db.delete(settings).where(isRow(tokenHash)).returning()).length > 0;
}

const isRow = (tokenHash: string) =>
  and(eq(settings.name, name), eq(sql`${settings.value}->>'tokenHash'`, tokenHash));
