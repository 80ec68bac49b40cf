import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import type { Clock } from './clock.ts';
import { databaseOf, type Db, type Heartbeat } from './database/db.ts';
import { createKeptStatements } from './database/kept-statements.ts';
import { createLongReads } from './database/long-reads.ts';
import { watchStatements } from './database/watch-statements.ts';
import { openReplica } from './database/open-database.ts';
import { createLaggingReads } from './database/replica.ts';
import { createKeyedLock } from './database/keyed-lock.ts';
import { createTransactions } from './database/transact.ts';
import type { Env } from './env.ts';
import { outboxGauges } from './events/outbox-gauges.ts';
import { Outbox } from './events/outbox.ts';
import { prepareDrain } from './http/drain.ts';
import { createHttp, type Serving } from './http/http-server.ts';
import { idempotencyErasure } from './http/idempotency.ts';
import { guardMaintenance, staysInMaintenance } from './http/maintenance-guard.ts';
import { addressBehind } from './http/network.ts';
import { createRateLimits, type RateLimits } from './http/rate-limits.ts';
import { openSharedCounts } from './http/shared-counts.ts';
import { createTries } from './http/tries.ts';
import { serveWebApp } from './http/web-app.ts';
import { createMaintenance, type Maintenance } from './maintenance.ts';
import { createEmailSender } from './messages/email.ts';
import { createPushSender } from './messages/push.ts';
import { pushDeviceErasure } from './messages/push-devices.ts';
import { createSmsSender } from './messages/sms.ts';
import type { Log } from './observability/log.ts';
import { openTraces, type Traces } from './observability/traces.ts';
import { createMetrics, noMetrics, type Metrics } from './observability/metrics.ts';
import { createUptime } from './observability/uptime.ts';
import type { Platform } from './platform.ts';
import { listenForChangedPeople } from './realtime/person-changes.ts';
import { createRealtime, silentRealtime, type Realtime } from './realtime/realtime.ts';
import { createAuditLog } from './security/audit-log.ts';
import { auditErasure, type HasAccount } from './security/audit-store.ts';
import type { AuthenticateKey } from './security/api-key.ts';
import { createProofs, type SessionProof } from './security/proofs.ts';
import { createSeal } from './security/seal.ts';
import { createSecurityLog, type SecurityLog } from './security/security-log.ts';
import type { Authenticate } from './security/session.ts';
import { createSignedTokens } from './security/signed-token.ts';
import { createFiles } from './storage/files.ts';

export interface PlatformOptions {
  env: Env;
  log: Log;
  clock: Clock;
  pool: Pool;
  /** Finds the signed-in person: accounts and sessions belong to a feature, which provides this. */
  createAuthenticate: (db: Db, clock: Clock) => Authenticate;
  /** Finds the person that an API key acts for; a feature provides it, too. */
  createAuthenticateKey: (db: Db, clock: Clock) => AuthenticateKey;
  /** Reads when the identity was confirmed in a session; a feature provides it, too. */
  readProof: (db: Db, sessionId: string) => Promise<SessionProof | null>;
  /** Answers the audit log's questions about accounts. */
  hasAccount: HasAccount;
  /** The folder of each region's pack, by the region's name: the web app reads its map there. */
  regionFolders: ReadonlyMap<string, string>;
  /** False where no client connects: the seed, most tests. */
  withRealtime: boolean;
  /**
   * How soon a connection that listens, and has gone silent, is given up: tests wait for less than an
   * operator would.
   */
  heartbeat?: Heartbeat | undefined;
  /** The machine's clock, in milliseconds since 1970; a test that stops the server for hours moves it. */
  wallMs?: (() => number) | undefined;
}

/** The platform, and what features add their calls to. */
export interface BuiltPlatform {
  platform: Platform;
  http: FastifyInstance;
  /** Adds calls whose handlers get the app. */
  servingOf: Serving;
  /** For what is served and is no call. */
  limits: RateLimits;
  authenticateKey: AuthenticateKey;
}

/** Builds what all features stand on; nothing listens yet. What it opens ends with `http`. */
export async function buildPlatform(options: PlatformOptions): Promise<BuiltPlatform> {
  const { env, log, clock, pool, regionFolders, wallMs } = options;
  const db = databaseOf(pool);
  const authenticate = options.createAuthenticate(db, clock);
  const authenticateKey = options.createAuthenticateKey(db, clock);
  const proofs = createProofs((sessionId) => options.readProof(db, sessionId), clock, !env.DEMO);
  const security = createSecurityLog({ log, clock, db });
  const tries = createTries(db, clock);
  const shared = env.REDIS_URL === undefined ? null : openSharedCounts(env.REDIS_URL, log);
  const metrics = env.METRICS_TOKEN === undefined ? noMetrics : createMetrics(log);
  const limits = createRateLimits(tries, clock, shared);
  const { http, servingOf } = await createHttp({
    db,
    clock,
    log,
    authenticate,
    authenticateKey,
    security,
    proofs,
    trustProxy: env.TRUST_PROXY,
    limits,
    metrics,
    traces: await observe(options),
  });
  http.addHook('onClose', async () => shared?.close());
  http.addHook('onClose', () => flushLast(security, log));
  const maintenance = createMaintenance({ db, log });
  await maintenance.look();
  guardMaintenance(http, maintenance, { authenticate, authenticateKey });
  const files = createFiles(env);
  if (env.ROLES.has('web')) await serveWebApp(http, { env, files, regionFolders });
  const carriers = openCarriers(http, options, db);
  const { kept, outbox, transactions } = openWays(http, options, carriers);
  const { transact } = transactions;
  const replica = openReplicaWhile(http, env, log);
  const platform: Platform = {
    env,
    log,
    clock,
    db,
    ...transactions,
    kept,
    longRead: createLongReads(pool),
    lagging: createLaggingReads(pool, replica, log),
    outbox,
    mail: carriers.mail,
    push: carriers.push,
    redis: shared,
    realtime: realtimeOn(http, options, { authenticate, security, limits, maintenance }),
    tries,
    files,
    metrics,
    drain: prepareDrain(http),
    maintenance,
    uptime: createUptime({ transact, clock, roles: env.ROLES, maintenance }, wallMs),
    signedTokens: createSignedTokens(db, clock),
    seal: createSeal(db, env.SEAL_KEYS),
    proofs,
    security,
    audit: createAuditLog({ db, transact, clock, security, hasAccount: options.hasAccount }),
    erasure: { ...idempotencyErasure, ...pushDeviceErasure, ...auditErasure },
  };
  addOwnGauges(metrics, pool, platform);
  return { platform, http, servingOf, limits, authenticateKey };
}

/** Opens what writes to the database: transactions, the signals they emit, and prepared statements. */
function openWays(
  http: FastifyInstance,
  { pool, log, clock }: PlatformOptions,
  carriers: ReturnType<typeof openCarriers>,
) {
  const kept = createKeptStatements(pool, log);
  http.addHook('onClose', () => kept.close());
  const outbox = new Outbox(clock, carriers);
  const transactions = createTransactions(pool, createKeyedLock(), () => outbox.committed());
  return { kept, outbox, transactions };
}

/** Opens log, metrics and traces of this process, as its settings say. */
function observe({ env, log, pool }: PlatformOptions): Promise<Traces> {
  watchStatements(pool, { log, slowMs: env.DATABASE_SLOW_MS });
  return openTraces(env);
}

function openReplicaWhile(http: FastifyInstance, env: Env, log: Log) {
  const replica = openReplica(env, log);
  http.addHook('onClose', () => replica?.end());
  return replica;
}

/** The senders of emails, text messages and push messages. */
function openCarriers(http: FastifyInstance, { env, clock }: PlatformOptions, db: Db) {
  const push = createPushSender(env, db, clock);
  http.addHook('onClose', async () => push.close());
  return { mail: createEmailSender(env, db, clock), sms: createSmsSender(env, db, clock), push };
}

const flushLast = (security: SecurityLog, log: Log): Promise<void> =>
  security.flush().catch((error: unknown) => log.warn({ err: error }, 'counts of security events are lost'));

/** Gauges of this process. */
function addOwnGauges(
  metrics: Metrics,
  pool: Pool,
  { realtime, maintenance, outbox, db, clock }: Platform,
): void {
  for (const gauge of outboxGauges(db, clock, () => outbox.consumerNames)) metrics.addGauge(gauge);
  metrics.addGauge({
    name: 'sameway_database_connections',
    help: 'Connections that the calls of this process share: in use and idle; and calls that wait for one.',
    labels: ['state'],
    read: () => [
      { labels: { state: 'used' }, value: pool.totalCount - pool.idleCount },
      { labels: { state: 'idle' }, value: pool.idleCount },
      { labels: { state: 'waited for' }, value: pool.waitingCount },
    ],
  });
  metrics.addGauge({
    name: 'sameway_sockets',
    help: 'Open apps that are connected to this process.',
    read: () => [{ value: realtime.count() }],
  });
  metrics.addGauge({
    name: 'sameway_maintenance',
    help: 'Whether people are kept out while the operator works: 1 or 0.',
    read: () => [{ value: maintenance.state === null ? 0 : 1 }],
  });
}

function realtimeOn(
  http: FastifyInstance,
  { env, log, clock, pool, withRealtime, heartbeat }: PlatformOptions,
  {
    authenticate,
    security,
    limits,
    maintenance,
  }: {
    authenticate: Authenticate;
    security: SecurityLog;
    limits: RateLimits;
    maintenance: Maintenance;
  },
): Realtime {
  if (!withRealtime) return silentRealtime;
  const realtime = createRealtime(http.server, {
    authenticate,
    between: env.REDIS_URL ?? (env.LIVE_ADAPTER === 'postgres' ? pool : null),
    clock,
    heartbeat,
    addressOf: addressBehind(env.TRUST_PROXY),
    publicUrl: env.publicUrl,
    isOpenTo: (caller) => maintenance.state === null || staysInMaintenance(caller),
    log,
    security,
    limits,
  });
  maintenance.onChange((state) => state !== null && realtime.closeToOthers());
  // Rights that have ended end on open connections too; after a gap no one knows whose.
  const stopListening = listenForChangedPeople(pool, { log, heartbeat }, (userId) =>
    realtime.recheck(userId),
  );
  http.addHook('onClose', async () => stopListening());
  return realtime;
}
