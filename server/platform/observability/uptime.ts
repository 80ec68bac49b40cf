import { and, asc, gt, inArray, lt, sql } from 'drizzle-orm';
import { outages, serverHeartbeat } from '../../schema/platform.ts';
import { later, minuteMs, secondMs, type Clock } from '../clock.ts';
import type { Db } from '../database/db.ts';
import type { Transact } from '../database/transact.ts';
import type { Maintenance } from '../maintenance.ts';
import type { Roles } from '../process-roles.ts';

/**
 * A gap between two beats of a role that is longer than this is an outage: no process of the installation
 * answered calls in it, or none did what the clock does.
 */
const awayAfterMs = minuteMs;
/** A process that has written a beat writes none again so soon. */
const pauseMs = 2 * secondMs;

export interface Uptime {
  /**
   * Writes that the roles of this process are at work; called by every process, and before anything is
   * concluded from the clock.
   */
  beat(): Promise<void>;
  /** Whether the server was away at any instant between two. */
  wasAway(db: Db, from: Date, until: Date): Promise<boolean>;
}

/** The rows of the roles without which what did not happen proves nothing. */
const rowOf = { worker: 1, web: 2 } as const;

/**
 * Finds out when the server was away (`outages`), from the gaps in a row that all processes of a role write.
 * Gaps are measured on the machine's clock, because a demo and a test move the other one: a moved clock is no
 * outage. The outage is stored by the server's clock, like everything else.
 */
export function createUptime(
  {
    transact,
    clock,
    roles,
    maintenance,
  }: { transact: Transact; clock: Clock; roles: Roles; maintenance: Pick<Maintenance, 'state'> },
  wallMs: () => number = Date.now,
): Uptime {
  let beatenMs = Number.NEGATIVE_INFINITY;
  // During maintenance no process answers people, so it counts as an outage.
  const own = () =>
    (['worker', 'web'] as const)
      .filter((role) => roles.has(role) && (role === 'worker' || maintenance.state === null))
      .map((role) => rowOf[role]);
  // A worker draws conclusions from what people did not do: it checks whether they could have done it.
  const watched = () => (roles.has('worker') ? Object.values(rowOf) : own());

  let beating: { sinceMs: number; done: Promise<void> } | null = null;

  async function write(nowMs: number): Promise<void> {
    await transact('write uptime', async (tx) => {
      const wallAt = new Date(nowMs);
      const kept = await tx
        .select()
        .from(serverHeartbeat)
        .where(inArray(serverHeartbeat.id, watched()))
        .orderBy(asc(serverHeartbeat.id))
        .for('update');
      const away = kept
        .map(({ id, wallAt: beatenAt }) => ({ id, gapMs: nowMs - beatenAt.getTime() }))
        .filter(({ gapMs }) => gapMs > awayAfterMs);
      if (away.length > 0) {
        const untilAt = clock.now();
        const fromAt = later(untilAt, -Math.max(...away.map(({ gapMs }) => gapMs)));
        await tx.insert(outages).values({ fromAt, untilAt });
      }
      // For another role that is away, notes the time until now. Another process may have been faster; a
      // machine's clock that was put back starts again from its own time.
      const beaten = [...new Set([...own(), ...away.map(({ id }) => id)])].toSorted((a, b) => a - b);
      await tx
        .insert(serverHeartbeat)
        .values(beaten.map((id) => ({ id, wallAt })))
        .onConflictDoUpdate({ target: serverHeartbeat.id, set: { wallAt } });
    });
    beatenMs = nowMs;
  }

  return {
    async beat() {
      const nowMs = wallMs();
      if (own().length === 0 || (nowMs - beatenMs < pauseMs && nowMs >= beatenMs)) return;
      // Rounds of the clock ask for it at the same moment: one writes it for all of them. One that began long
      // ago, before the machine slept, says nothing of the time since.
      if (beating !== null && nowMs >= beating.sinceMs && nowMs - beating.sinceMs < pauseMs)
        return beating.done;
      const mine = { sinceMs: nowMs, done: write(nowMs) };
      beating = mine;
      try {
        await mine.done;
      } finally {
        if (beating === mine) beating = null;
      }
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
