import { and, gt, lt, sql } from 'drizzle-orm';
import { outages, serverHeartbeat } from '../../schema/platform.ts';
import { later, minuteMs, secondMs, type Clock } from '../clock.ts';
import type { Db } from '../database/db.ts';
import type { Transact } from '../database/transact.ts';

/**
 * A gap between two beats that is longer than this is an outage: no process of the installation was at work
 * in it.
 */
const awayAfterMs = minuteMs;
/** A process that has written a beat writes none again so soon. */
const pauseMs = 2 * secondMs;

export interface Uptime {
  /**
   * Writes that the server is at work; called by every process, and before anything is concluded from the
   * clock.
   */
  beat(): Promise<void>;
  /** Whether the server was away at any instant between two. */
  wasAway(db: Db, from: Date, until: Date): Promise<boolean>;
}

/**
 * Tells when the whole server was away (`outages`), from the gaps in one row that every process writes. Gaps
 * are measured on the machine's clock, because a demo and a test move the other one: a moved clock is no
 * outage. The outage is kept by the server's clock, which is what everything else is kept by.
 */
export function createUptime(
  { transact, clock }: { transact: Transact; clock: Clock },
  wallMs: () => number = Date.now,
): Uptime {
  let beatenMs = Number.NEGATIVE_INFINITY;

  return {
    async beat() {
      const nowMs = wallMs();
      if (nowMs - beatenMs < pauseMs && nowMs >= beatenMs) return;
      await transact(async (tx) => {
        const now = new Date(nowMs);
        const [before] = await tx.select().from(serverHeartbeat).for('update');
        if (before === undefined)
          return void (await tx.insert(serverHeartbeat).values({ id: 1, wallAt: now }).onConflictDoNothing());
        const gapMs = nowMs - before.wallAt.getTime();
        if (gapMs > awayAfterMs) {
          const untilAt = clock.now();
          await tx.insert(outages).values({ fromAt: later(untilAt, -gapMs), untilAt });
        }
        // Another process may have been faster; a machine's clock that was put back starts anew.
        if (gapMs !== 0) await tx.update(serverHeartbeat).set({ wallAt: now });
      });
      beatenMs = nowMs;
    },

    async wasAway(db, from, until) {
      const touched = await db
        .select({ one: sql`1` })
        .from(outages)
        .where(and(lt(outages.fromAt, until), gt(outages.untilAt, from)))
        .limit(1);
      return touched.length > 0;
    },
  };
}
