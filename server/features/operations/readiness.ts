import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../../app-type.ts';
import { secondMs } from '../../platform/clock.ts';
import type { GaugeSource } from '../../platform/observability/metrics.ts';
import { searchIndex } from '../matching/service.ts';
import type { DatabaseState } from './state.ts';
import { readDatabaseState } from './store.ts';

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
    database: DatabaseState;
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

/** Shorter than the time that a proxy or an orchestrator waits. */
const databaseWithinMs = 2 * secondMs;

export async function readReadiness(app: App): Promise<Readiness> {
  const { drain, mail, redis, operations } = app;
  const deciding = {
    process: drain.isUnderWay ? ('ending' as const) : ('ready' as const),
    database: await databaseState(app),
    searches: searchIndex(app).isReady ? ('ready' as const) : ('starting' as const),
  };
  const parts: Readiness['parts'] = { ...deciding, mail: await mail.state() };
  if (redis !== null) parts.redis = redis.isConnected() ? 'ready' : 'away';
  const ready = Object.values(deciding).every((state) => state === 'ready');
  return { ready, parts, warnings: operations.ownsTables ? ['databaseOwner'] : [] };
}

const databaseState = (app: App): Promise<DatabaseState> =>
  (app.operations.asking ??= askDatabase(app).finally(() => (app.operations.asking = null)));

async function askDatabase({ db, log, operations }: App): Promise<DatabaseState> {
  try {
    const answer = await Promise.race([readDatabaseState(db), sleep(databaseWithinMs, null, { ref: false })]);
    if (answer === null) return 'away';
    operations.ownsTables = answer.owns;
    return answer.standby ? 'readOnly' : 'ready';
  } catch (error) {
    log.warn({ err: error }, 'the database does not answer');
    return 'away';
  }
}

export const readyGauge = (app: App): GaugeSource => ({
  name: 'sameway_ready',
  help: 'Whether each part of this process is ready: 1 or 0.',
  labels: ['part'],
  async read() {
    const { parts } = await readReadiness(app);
    return Object.entries(parts).map(([part, state]) => ({
      labels: { part },
      value: state === 'ready' ? 1 : 0,
    }));
  },
});
