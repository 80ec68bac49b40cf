import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { appVersion } from '#contract/app/endpoints.ts';
import type { App } from '../../app-type.ts';
import { secondMs } from '../../platform/clock.ts';
import { mayChangeSchema } from '../../platform/database/calls-role.ts';
import type { MatchingService } from '../matching/service.ts';
import { maintain, queueOf, settingsOf } from './admin.ts';
import { createSetup } from './setup/service.ts';

export type OperationsService = ReturnType<typeof createOperations>;

/**
 * The state of each part of a process. Proxies send no calls to a process that is not `ready`: one whose
 * process, database or searches are not. The mail server and Redis do not decide it, because calls are
 * answered without them, and every process would stop at the same time.
 */
export interface Readiness {
  ready: boolean;
  parts: {
    /** `ending`: from the signal to stop until the last answer. */
    process: 'ready' | 'ending';
    /** `readOnly`: the database is a standby. */
    database: 'ready' | 'away' | 'readOnly';
    /** `starting`: while the process reads the open orders; calls other than searches work. */
    searches: 'ready' | 'starting';
    /** `away`: this process could not reach the mail server, or its login was refused. */
    mail: 'ready' | 'away';
    /** Only with `REDIS_URL`. */
    redis?: 'ready' | 'away';
  };
  /** Configuration problems, which do not stop calls. */
  warnings: Warning[];
}

/** `databaseOwner`: the app uses the role that owns the tables, and could change or drop them. */
export type Warning = 'databaseOwner';

type DatabaseState = Readiness['parts']['database'];

/** Shorter than the time that a proxy or an orchestrator waits. */
const databaseWithinMs = 2 * secondMs;

/** The answers for the operator's monitoring. */
export function createOperations(platform: App, { matching }: { matching: Pick<MatchingService, 'index'> }) {
  const { db, drain, metrics, log, mail, redis } = platform;
  const { index } = matching;
  let asking: Promise<DatabaseState> | null = null;
  let isOwner = false;
  /** Concurrent requests share one query. */
  const database = (): Promise<DatabaseState> => (asking ??= askDatabase().finally(() => (asking = null)));

  async function askDatabase(): Promise<DatabaseState> {
    try {
      const asked = db.execute<{ standby: boolean; owns: boolean }>(
        sql`select pg_is_in_recovery() as standby, ${mayChangeSchema} as owns`,
      );
      const answer = await Promise.race([asked, sleep(databaseWithinMs, null, { ref: false })]);
      if (answer === null) return 'away';
      isOwner = answer.rows[0]?.owns === true;
      return answer.rows[0]?.standby === true ? 'readOnly' : 'ready';
    } catch (error) {
      log.warn({ err: error }, 'the database does not answer');
      return 'away';
    }
  }

  metrics.addGauge({
    name: 'sameway_ready',
    help: 'Whether each part of this process is ready: 1 or 0.',
    labels: ['part'],
    async read() {
      const { parts } = await readiness();
      return Object.entries(parts).map(([part, state]) => ({
        labels: { part },
        value: state === 'ready' ? 1 : 0,
      }));
    },
  });

  async function readiness(): Promise<Readiness> {
    const deciding = {
      process: drain.isUnderWay ? ('ending' as const) : ('ready' as const),
      database: await database(),
      searches: index.isReady ? ('ready' as const) : ('starting' as const),
    };
    const parts: Readiness['parts'] = { ...deciding, mail: await mail.state() };
    if (redis !== null) parts.redis = redis.isConnected() ? 'ready' : 'away';
    const ready = Object.values(deciding).every((state) => state === 'ready');
    return { ready, parts, warnings: isOwner ? ['databaseOwner'] : [] };
  }

  return {
    /** An answer is enough. A process that does not answer must be restarted. */
    health: () => ({ alive: true, version: appVersion }),
    readiness,
    metrics: () => metrics.text(),
    settings: (adminId: string) => settingsOf(platform, adminId),
    queue: () => queueOf(platform, platform.outbox.consumerNames),
    maintain: (adminId: string, asked: Parameters<typeof maintain>[2]) => maintain(platform, adminId, asked),
    setup: createSetup(platform),
  };
}
