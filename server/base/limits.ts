import { sql } from 'drizzle-orm';
import type { Clock } from './clock.ts';
import type { Db } from './db.ts';
import { tooMany } from './refusal.ts';

export type Limit = (key: string, most: number, windowSeconds: number) => Promise<void>;

/**
 * Counts an attempt under `key` and refuses the one after `most` within the window. The count is kept outside the
 * caller's transaction, so that a refused attempt counts too.
 */
export function createLimit(db: Db, clock: Clock): Limit {
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
