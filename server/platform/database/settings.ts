import { and, eq } from 'drizzle-orm';
import { settings } from '../../schema/platform.ts';
import type { Db } from './db.ts';

/** A single value of the installation; undefined where it was never written. */
export async function readSetting(db: Db, name: string): Promise<unknown> {
  const [row] = await db.select({ value: settings.value }).from(settings).where(eq(settings.name, name));
  return row?.value;
}

/** Writes a single value of the installation over the one before. @param value what JSON can hold. */
export async function writeSetting(tx: Db, name: string, value: unknown): Promise<void> {
  await tx
    .insert(settings)
    .values({ name, value })
    .onConflictDoUpdate({ target: settings.name, set: { value } });
}

/** A value that is made once, by the process that needs it first, and is the same for all from then on. */
export async function settingMadeOnce(db: Db, name: string, make: () => unknown): Promise<unknown> {
  const kept = await readSetting(db, name);
  if (kept !== undefined) return kept;
  await db.insert(settings).values({ name, value: make() }).onConflictDoNothing();
  return readSetting(db, name);
}

/** A secret of the installation, made once. @throws Error when the stored value is no text. */
export async function secretMadeOnce(db: Db, name: string, make: () => string): Promise<string> {
  const value = await settingMadeOnce(db, name, make);
  if (typeof value !== 'string') throw new Error(`The setting ${name} is missing.`);
  return value;
}

/**
 * Replaces a single value if it is still the former one (undefined: none). @returns false if it has changed
 * meanwhile
 */
export async function replaceSetting(
  tx: Db,
  name: string,
  before: unknown,
  value: unknown,
): Promise<boolean> {
  if (before === undefined) {
    const made = await tx.insert(settings).values({ name, value }).onConflictDoNothing().returning();
    return made.length > 0;
  }
  const changed = await tx
    .update(settings)
    .set({ value })
    .where(and(eq(settings.name, name), eq(settings.value, before)))
    .returning();
  return changed.length > 0;
}

/** Removes a single value if it is still this one. @returns false if it is not */
export async function removeSetting(tx: Db, name: string, value: unknown): Promise<boolean> {
  const removed = await tx
    .delete(settings)
    .where(and(eq(settings.name, name), eq(settings.value, value)))
    .returning();
  return removed.length > 0;
}
