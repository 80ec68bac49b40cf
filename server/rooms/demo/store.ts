import { desc, eq } from 'drizzle-orm';
import type { Db } from '../../base/db.ts';
import { outboxLetters, settings } from '../../tables/house.ts';

const clockOffset = 'clockOffsetMs';

export const newestLetters = (db: Db, most: number): Promise<(typeof outboxLetters.$inferSelect)[]> =>
  db.select().from(outboxLetters).orderBy(desc(outboxLetters.at), desc(outboxLetters.id)).limit(most);

/** Milliseconds by which the demo's clock is ahead; 0 where it was never moved. */
export async function readClockOffset(db: Db): Promise<number> {
  const [row] = await db.select().from(settings).where(eq(settings.name, clockOffset));
  return typeof row?.value === 'number' ? row.value : 0;
}

export async function keepClockOffset(tx: Db, offsetMs: number): Promise<void> {
  await tx
    .insert(settings)
    .values({ name: clockOffset, value: offsetMs })
    .onConflictDoUpdate({ target: settings.name, set: { value: offsetMs } });
}
