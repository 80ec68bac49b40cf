import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type Pool } from 'pg';
import { secondMs } from '../clock.ts';
import { archivingSettings } from '../backup/log-archive.ts';
import { placeDatabase } from './database-folder.ts';
import { ownsSchema, type CallsRole } from './calls-role.ts';
import {
  isConnectionLost,
  openPool,
  openPoolByPooler,
  sqlState,
  usualLimits,
  type DatabaseLimits,
  type PoolConfig,
} from './db.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.ts';
import type { Env } from '../env.ts';
import { errorText } from '../error-text.ts';
import type { Log } from '../observability/log.ts';
import { migrateDatabase } from './migrate.ts';

export interface OpenDatabase {
  pool: Pool;
  /**
   * Whether the pool's role owns the schema and could drop it, because no other role was configured for
   * migrations.
   */
  ownsSchema: boolean;
  /** `given` by `DATABASE_URL`, the embedded one `started` by this process, or `found` running. */
  server: 'given' | 'started' | 'found';
  /** Ends the pool, and the embedded server too unless another process still works on it. */
  close(): Promise<void>;
}

export interface OpenDatabaseOptions {
  onError: (error: Error) => void;
  onFolder?: (folder: string) => void;
  say?: (sentence: string) => void;
}

type LimitsEnv = Partial<
  Pick<
    Env,
    | 'DATABASE_POOL_SIZE'
    | 'DATABASE_LOCK_TIMEOUT_MS'
    | 'DATABASE_STATEMENT_TIMEOUT_MS'
    | 'DATABASE_IDLE_TIMEOUT_MS'
    | 'DATABASE_CONNECT_TIMEOUT_MS'
  >
>;

type DatabaseEnv = Pick<Env, 'DATABASE_URL' | 'DATA_DIR'> &
  Partial<
    Pick<
      Env,
      | 'DATABASE_DIRECT_URL'
      | 'DATABASE_MIGRATION_URL'
      | 'DATABASE_WAIT_SECONDS'
      | 'BACKUP_TO'
      | 'BACKUP_LOG_SECONDS'
    >
  > &
  LimitsEnv;

/**
 * Opens the database of this installation and migrates it: the one `DATABASE_URL` names, else the embedded
 * one in `DATA_DIR`, started when it does not run yet.
 * @param onError gets the errors of connections that broke while idle.
 * @param onFolder gets the folder of the embedded database, before it is started.
 * @param say gets a sentence while a database that starts or recovers is waited for.
 * @throws Error when the embedded server does not come up, or the given one does not answer.
 */
export async function openDatabase(
  env: DatabaseEnv,
  { onError, onFolder = () => {}, say = () => {} }: OpenDatabaseOptions,
): Promise<OpenDatabase> {
  let embedded: EmbeddedPostgres | null = null;
  if (env.DATABASE_URL === undefined) {
    const folder = placeDatabase(env.DATA_DIR);
    onFolder(folder);
    const everySeconds = env.BACKUP_TO === undefined ? null : (env.BACKUP_LOG_SECONDS ?? 60);
    embedded = await startEmbeddedPostgres(
      folder,
      everySeconds === null ? {} : archivingSettings(folder, everySeconds),
    );
  }
  const { connection, owner, role } = rolesOf(env, embedded);
  const pool =
    env.DATABASE_DIRECT_URL === undefined
      ? openPool(connection, onError, limitsOf(env))
      : openPoolByPooler(connection, { connectionString: env.DATABASE_DIRECT_URL }, onError, limitsOf(env));
  const migrating = owner === null ? pool : openPool({ ...owner, max: 2 }, onError, limitsOf(env));
  const close = async () => {
    await pool.end();
    if (embedded !== null && !(await isUsedByOthers(embedded.connection))) await embedded.stop();
  };
  try {
    await untilItAnswers(migrating, (env.DATABASE_WAIT_SECONDS ?? 0) * secondMs, say);
    await migrateDatabase(migrating, role);
    if (migrating !== pool) await migrating.end();
    return {
      pool,
      ownsSchema: await ownsSchema(pool),
      server: embedded === null ? 'given' : embedded.attached ? 'found' : 'started',
      close,
    };
  } catch (error) {
    if (migrating !== pool && !migrating.ending) await migrating.end();
    await close();
    throw new Error(`The database cannot be used. ${errorText(error)}`, { cause: error });
  }
}

/** The app's role in the embedded database, whose owner is `app`. */
const embeddedRole = 'sameway';

interface Roles {
  /** The pool that the process uses. */
  connection: PoolConfig;
  /** The pool for migrations; null if it is the same. */
  owner: PoolConfig | null;
  role: CallsRole | null;
}

function rolesOf(env: DatabaseEnv, embedded: EmbeddedPostgres | null): Roles {
  if (embedded !== null) {
    const owner = embedded.connection;
    return {
      connection: { ...owner, user: embeddedRole },
      owner,
      role: { name: embeddedRole, password: owner.password },
    };
  }
  const connection = { connectionString: env.DATABASE_URL };
  if (env.DATABASE_MIGRATION_URL === undefined) return { connection, owner: null, role: null };
  const { username, password } = new URL(env.DATABASE_URL ?? '');
  return {
    connection,
    owner: { connectionString: env.DATABASE_MIGRATION_URL },
    role: {
      name: decodeURIComponent(username),
      password: password === '' ? null : decodeURIComponent(password),
    },
  };
}

/** The replica that `DATABASE_REPLICA_URL` names; it may be away. Null where it names none. */
export const openReplica = (env: LimitsEnv & Pick<Env, 'DATABASE_REPLICA_URL'>, log: Log): Pool | null =>
  env.DATABASE_REPLICA_URL === undefined
    ? null
    : openPool(
        { connectionString: env.DATABASE_REPLICA_URL, application_name: 'sameway replica' },
        (error) => log.warn({ err: error }, 'a connection to the replica broke'),
        limitsOf(env),
      );

const limitsOf = (env: LimitsEnv): DatabaseLimits => ({
  poolSize: env.DATABASE_POOL_SIZE ?? usualLimits.poolSize,
  lockTimeoutMs: env.DATABASE_LOCK_TIMEOUT_MS ?? usualLimits.lockTimeoutMs,
  statementTimeoutMs: env.DATABASE_STATEMENT_TIMEOUT_MS ?? usualLimits.statementTimeoutMs,
  idleTimeoutMs: env.DATABASE_IDLE_TIMEOUT_MS ?? usualLimits.idleTimeoutMs,
  connectTimeoutMs: env.DATABASE_CONNECT_TIMEOUT_MS ?? usualLimits.connectTimeoutMs,
});

const askEveryMs = 500;
/**
 * A server that refuses connections may just be starting as well; a wrong address is not worth a long wait.
 */
const longestRefusedMs = 10 * secondMs;

/**
 * Waits for a database that says that it is starting, stopping or recovering, or that refuses connections for
 * a moment.
 */
async function untilItAnswers(pool: Pool, waitMs: number, say: (sentence: string) => void): Promise<void> {
  const startedMs = Date.now();
  let isSaid = false;
  for (;;) {
    try {
      await pool.query('select 1');
      if (isSaid) say('The database answers.');
      return;
    } catch (error) {
      const isStarting = sqlState(error) === '57P03';
      const limitMs = isStarting ? waitMs : Math.min(waitMs, longestRefusedMs);
      if (!isConnectionLost(error) || Date.now() - startedMs >= limitMs) throw error;
      if (!isSaid)
        say(
          `The database does not take connections yet (${errorText(error)}). Waiting for it, at most ${waitMs / secondMs} seconds …`,
        );
      isSaid = true;
      await sleep(askEveryMs);
    }
  }
}

/** Whether another process, such as a second server or `npm run admin`, is connected. */
async function isUsedByOthers(connection: PoolConfig): Promise<boolean> {
  const client = new Client(connection);
  try {
    await client.connect();
    // The connections of the pool just ended take a moment to go.
    for (let waited = 0; waited < 500; waited += 50) {
      const { rows } = await client.query<{ others: number }>(
        `select count(*)::int as others from pg_stat_activity
         where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      );
      if (rows[0]?.others === 0) return false;
      await sleep(50);
    }
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
