import { and, desc, eq, notExists, or } from 'drizzle-orm';
import type { Db } from '../../platform/database/db.ts';
import { readSetting, writeSetting } from '../../platform/database/settings.ts';
import { outboxMessages } from '../../schema/platform.ts';
import { users } from '../../schema/identity.ts';

const clockOffset = 'clockOffsetMs';

export const newestLetters = (
  db: Db,
  most: number,
  { withAdmins }: { withAdmins: boolean },
): Promise<(typeof outboxMessages.$inferSelect)[]> => {
  const isToAdmin = db
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        users.isAdmin,
        or(eq(users.email, outboxMessages.recipient), eq(users.phone, outboxMessages.recipient)),
      ),
    );
  return db
    .select()
    .from(outboxMessages)
    .where(withAdmins ? undefined : notExists(isToAdmin))
    .orderBy(desc(outboxMessages.at), desc(outboxMessages.id))
    .limit(most);
};

/** Milliseconds by which the demo's clock is ahead; 0 where it was never moved. */
export async function readClockOffset(db: Db): Promise<number> {
  const value = await readSetting(db, clockOffset);
  return typeof value === 'number' ? value : 0;
}

export const keepClockOffset = (tx: Db, offsetMs: number): Promise<void> =>
  writeSetting(tx, clockOffset, offsetMs);
