import { sql } from 'drizzle-orm';
import type { SecurityEvent } from '#contract/admin/security.ts';
import { securityCounts } from '../../schema/audit.ts';
import { hourMs, minuteMs, type Clock } from '../clock.ts';
import type { Db } from '../database/db.ts';
import type { Log } from '../observability/log.ts';
import type { Refusal } from '../refusal.ts';

/** Calls that sign a person in. */
const signIns: readonly string[] = [
  '/access/login',
  '/access/verify-email',
  '/access/oauth-login',
  '/access/verify',
  '/access/passkey-login',
  '/access/second-step',
];

/** Calls that change the second factor of an account. */
const factorChanges: readonly string[] = [
  '/access/totp-confirm',
  '/access/totp-remove',
  '/access/recovery-codes',
  '/access/passkey-add',
  '/access/passkey-remove',
];

/** Refusals that ask for a next step, and are no sign of an attack. */
const nextSteps: readonly string[] = ['access.secondStep', 'access.secondFactorNeeded', 'session.stepUp'];

/**
 * The meaning of a call's end for security; null for nearly all of them.
 * @param refusal null where it was answered.
 */
export function securityEventOf(
  path: string,
  refusal: Pick<Refusal, 'code' | 'reason'> | null,
): SecurityEvent | null {
  if (refusal === null) {
    if (factorChanges.includes(path)) return 'factorChanged';
    return signIns.includes(path) ? 'signedIn' : null;
  }
  if (nextSteps.includes(refusal.reason)) return null;
  if (refusal.code === 429) return 'rateLimited';
  if (refusal.reason.startsWith('key.')) return refusal.code === 422 ? null : 'keyRefused';
  if (refusal.reason === 'access.codeWrong' || refusal.reason === 'access.codeExpired') return 'codeRefused';
  if (refusal.reason === 'factor.wrong' || refusal.reason === 'factor.passkeyRefused') return 'factorRefused';
  // A person without a session asks for a page now and then; a refresh token that is not known is another
  // thing.
  if (path === '/access/refresh-token') return 'tokenRefused';
  if (signIns.includes(path) || refusal.reason === 'access.passwordWrong') return 'signInFailed';
  return refusal.code === 403 ? 'forbidden' : null;
}

/** The facts of one event. Nothing that was typed. */
export interface SecurityFacts {
  /** The call, without its query. */
  path: string;
  reason?: string;
  network: string;
  userId: string | null;
}

/**
 * Lines that one kind of event writes within a minute: of one network, and of all of them. The rest is one
 * line.
 */
const mostLines = { perNetwork: 10, perEvent: 200 };
/** Maximum networks counted separately within a minute; the others count as one. */
const mostNetworks = 1000;

interface Minute {
  endsMs: number;
  lines: number;
  /** How many events each network has had. */
  networks: Map<string, number>;
  unwritten: number;
}

export type SecurityLog = ReturnType<typeof createSecurityLog>;

/**
 * Writes security events to the log, at most `mostLines` a minute, and counts all of them by the hour. Counts
 * wait in memory until `flush`, so that an attack costs no statement for each try.
 */
export function createSecurityLog({ log, clock, db }: { log: Log; clock: Clock; db: Db }) {
  const minutes = new Map<SecurityEvent, Minute>();
  let counts = new Map<string, { event: SecurityEvent; hourAt: Date; count: number; lastAt: Date }>();

  function minuteOf(event: SecurityEvent, nowMs: number): Minute {
    const open = minutes.get(event);
    // A demo's clock may have been put back: no minute is longer than itself.
    if (open !== undefined && nowMs < open.endsMs && open.endsMs <= nowMs + minuteMs) return open;
    if (open !== undefined) writeRest(log, event, open);
    const begun = { endsMs: nowMs + minuteMs, lines: 0, networks: new Map<string, number>(), unwritten: 0 };
    minutes.set(event, begun);
    return begun;
  }

  function count(event: SecurityEvent, now: Date): void {
    const hourAt = new Date(Math.floor(now.getTime() / hourMs) * hourMs);
    const key = `${event} ${hourAt.getTime()}`;
    const counted = counts.get(key) ?? { event, hourAt, count: 0, lastAt: now };
    counts.set(key, { ...counted, count: counted.count + 1, lastAt: now });
  }

  return {
    note(event: SecurityEvent, facts: SecurityFacts): void {
      const now = clock.now();
      count(event, now);
      const minute = minuteOf(event, now.getTime());
      const isTold = minute.networks.has(facts.network) || minute.networks.size < mostNetworks;
      const network = isTold ? facts.network : 'others';
      const ofNetwork = (minute.networks.get(network) ?? 0) + 1;
      minute.networks.set(network, ofNetwork);
      // Sign-ins are of interest one by one, behind the address of an office too.
      const most = event === 'signedIn' ? mostLines.perEvent : mostLines.perNetwork;
      if (ofNetwork > most || minute.lines >= mostLines.perEvent) {
        minute.unwritten += 1;
        return;
      }
      minute.lines += 1;
      const line = { security: event, ...facts };
      if (event === 'signedIn') log.info(line, 'security');
      else log.warn(line, 'security');
    },

    /**
     * Adds what was counted to the table, and ends minutes that are over. What cannot be added now is added
     * later.
     */
    async flush(): Promise<void> {
      const nowMs = clock.now().getTime();
      for (const [event, minute] of minutes)
        if (nowMs >= minute.endsMs) {
          writeRest(log, event, minute);
          minutes.delete(event);
        }
      if (counts.size === 0) return;
      const due = counts;
      counts = new Map();
      try {
        await db
          .insert(securityCounts)
          .values([...due.values()])
          .onConflictDoUpdate({
            target: [securityCounts.event, securityCounts.hourAt],
            set: {
              count: sql`${securityCounts.count} + excluded.count`,
              lastAt: sql`greatest(${securityCounts.lastAt}, excluded.last_at)`,
            },
          });
      } catch (error) {
        for (const [key, each] of due)
          counts.set(key, { ...each, count: each.count + (counts.get(key)?.count ?? 0) });
        throw error;
      }
    },
  };
}

/** One line for the events of a minute that got none of their own. */
function writeRest(log: Log, event: SecurityEvent, { unwritten, networks }: Minute): void {
  if (unwritten === 0) return;
  const [busiest] = [...networks].toSorted(([, one], [, other]) => other - one);
  const line = { security: event, more: unwritten, networks: networks.size, busiest: busiest?.[0] };
  log.warn(line, 'security events without a line of their own');
}
