import { eq, sql } from 'drizzle-orm';
import { attempts } from '../../schema/platform.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../database/db.ts';
import { inPages } from '../database/delete-pages.ts';
import { tooMany } from '../refusal.ts';

/** How often something may be tried: `most` times within the window. */
export interface TryLimit {
  most: number;
  withinSeconds: number;
}

/**
 * Counts in the database, under keys of the caller's choice. The limits of calls (`rate-limits.ts`) are
 * counted with it; a command counts by itself only what the call alone does not tell: wrong codes, PINs and
 * passwords, and what goes to one recipient.
 */
export interface Tries {
  /**
   * Counts a try and refuses the one after `most` within the window with `rate.limited`.
   * @returns how many there have been within the window, with this one
   */
  count: (key: string, limit: TryLimit) => Promise<number>;
}

/** Counts outside the caller's transaction, so that a refused try counts too. */
export function createTries(db: Db, clock: Clock): Tries {
  return {
    async count(key, { most, withinSeconds }) {
      const now = clock.now();
      const ends = new Date(now.getTime() + withinSeconds * 1000);
      const counted = await db.execute<{ count: string; ends: Date }>(sql`
        insert into tries (key, count, window_ends_at) values (${key}, 1, ${ends.toISOString()})
        on conflict (key) do update set
          count = case when tries.window_ends_at <= ${now.toISOString()} then 1 else tries.count + 1 end,
          window_ends_at = case when tries.window_ends_at <= ${now.toISOString()} then excluded.window_ends_at else tries.window_ends_at end
        returning count, window_ends_at as ends`);
      const row = counted.rows[0]!;
      const tries = Number(row.count);
      if (tries > most)
        throw tooMany(Math.max(1, Math.ceil((new Date(row.ends).getTime() - now.getTime()) / 1000)));
      return tries;
    },
  };
}

/** Forgets the tries counted under a key, once one of them was right. */
export const forgetTries = async (db: Db, key: string): Promise<void> => {
  await db.delete(attempts).where(eq(attempts.key, key));
};

/** Removes the tries under all keys that contain an email address, a phone number or an id. */
export const eraseTriesOf = async (tx: Db, name: string): Promise<void> => {
  await tx.delete(attempts).where(sql`position(${name} in ${attempts.key}) > 0`);
};

/** Clears away counts whose window is over. */
export const clearOldTries = (db: Db, now: Date): Promise<void> =>
  inPages(attempts, sql`where window_ends_at <= ${now.toISOString()} order by window_ends_at`, (page) =>
    db.delete(attempts).where(page),
  );
