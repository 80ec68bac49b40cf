import { eq } from 'drizzle-orm';
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

/** A secret of the installation, made once. @throws Error when what stands there is no text. */
export async function secretMadeOnce(db: Db, name: string, make: () => string): Promise<string> {
  const value = await settingMadeOnce(db, name, make);
  if (typeof value !== 'string') throw new Error(`The setting ${name} is missing.`);
  return value;
}
