import { eq, lte, sql } from 'drizzle-orm';
import { attempts } from '../../schema/platform.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../database/db.ts';
import { tooMany } from '../refusal.ts';

export type RateLimit = (key: string, most: number, windowSeconds: number) => Promise<void>;

/**
 * Counts an attempt under `key` and refuses the one after `most` within the window. The count is kept outside the
 * caller's transaction, so that a refused attempt counts too.
 */
export function createRateLimit(db: Db, clock: Clock): RateLimit {
  return async (key, most, windowSeconds) => {
    const now = clock.now();
    const ends = new Date(now.getTime() + windowSeconds * 1000);
    const counted = await db.execute<{ count: string; ends: Date }>(sql`
      insert into attempts (key, count, window_ends_at) values (${key}, 1, ${ends.toISOString()})
      on conflict (key) do update set
        count = case when attempts.window_ends_at <= ${now.toISOString()} then 1 else attempts.count + 1 end,
        window_ends_at = case when attempts.window_ends_at <= ${now.toISOString()} then excluded.window_ends_at else attempts.window_ends_at end
      returning count, window_ends_at as ends`);
    const row = counted.rows[0];
    if (row !== undefined && Number(row.count) > most) {
      throw tooMany(Math.max(1, Math.ceil((new Date(row.ends).getTime() - now.getTime()) / 1000)));
    }
  };
}

/** Forgets the attempts counted under a key, once one of them was right. */
export const forgetAttempts = async (db: Db, key: string): Promise<void> => {
  await db.delete(attempts).where(eq(attempts.key, key));
};

/** Removes the attempts under all keys that contain an email address, a phone number or an id. */
export const eraseAttemptsOf = async (tx: Db, name: string): Promise<void> => {
  await tx.delete(attempts).where(sql`position(${name} in ${attempts.key}) > 0`);
};

/** Clears away counts whose window is over. */
export const clearOldAttempts = async (db: Db, now: Date): Promise<void> => {
  await db.delete(attempts).where(lte(attempts.windowEndsAt, now));
};

export type LocalRateLimit = (key: string, most: number, windowSeconds: number) => void;

/** How many keys are kept before those whose window is over are cleared away. */
const mostKeys = 10_000;

/**
 * The same, counted in this process alone: for what happens often and does little harm, where a question to the database
 * would cost more than the thing itself. With several processes each counts for itself.
 */
export function createLocalRateLimit(clock: Clock): LocalRateLimit {
  const windows = new Map<string, { count: number; endsMs: number }>();
  return (key, most, windowSeconds) => {
    const nowMs = clock.now().getTime();
    const open = windows.get(key);
    // A demo's clock may have been put back: no window is longer than itself.
    const isOver = open === undefined || open.endsMs <= nowMs || open.endsMs > nowMs + windowSeconds * 1000;
    const window = isOver ? { count: 0, endsMs: nowMs + windowSeconds * 1000 } : open;
    window.count += 1;
    if (isOver) {
      if (windows.size >= mostKeys)
        for (const [each, { endsMs }] of windows) if (endsMs <= nowMs) windows.delete(each);
      windows.set(key, window);
    }
    if (window.count > most) throw tooMany(Math.max(1, Math.ceil((window.endsMs - nowMs) / 1000)));
  };
}
