import { fork } from 'node:child_process';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { appVersion } from '#contract/app/endpoints.ts';
import { buildApp, type BuiltApp } from './app.ts';
import { MovableClock, secondMs } from './platform/clock.ts';
import { databaseOf, isConnectionLost, type Db } from './platform/database/db.ts';
import { readEnv, type Env } from './platform/env.ts';
import { createLog } from './platform/observability/log.ts';
import { openDatabase } from './platform/database/open-database.ts';
import { CannotStart, explained, lastWords, rootOf } from './platform/start-trouble.ts';
import { settleDemoAdmin, type OwnPassword } from './seed/admin-password.ts';
import type { SeedTrouble } from './seed/seed-process.ts';
import { isToBeSeeded } from './seed/store.ts';
import { demoAccounts, demoPassword } from './features/demo/accounts.ts';
import { readClockOffset } from './features/demo/service.ts';
import { loadRegion } from './features/geo/region.ts';
import { webhookPath } from './features/payments/routes.ts';
import { importPlaces } from './features/geo/service.ts';
import { searchIndex, serveOwnIndex, warmOwnIndex } from './features/matching/service.ts';
import { openSetup } from './features/operations/service.ts';

const say = (sentence: string) => process.stdout.write(`${sentence}\n`);

/** Closes the opened parts, in reverse order. */
const closers: (() => Promise<void>)[] = [];
/** Closed last of all, and whatever becomes of the others. */
let closeDatabase: () => Promise<void> = async () => {};
let stopping = false;
/** Ends the process that brings in the demo community, while it is there. */
let stopSeeding: () => void = () => {};
let dataFolder = '.';

/** Shutdown timeout per component; only the database has none. */
const closeWithinMs = 30 * secondMs;

async function start(): Promise<void> {
  const env = await explained(async () => readEnv(await withFoundPort(process.env)), dataFolder);
  dataFolder = env.DATA_DIR;
  const log = createLog(env);
  const isForMatchingAlone = env.ROLES.size === 1 && env.ROLES.has('matching');
  await refuseTakenPort(isForMatchingAlone ? { PORT: env.MATCHING_PORT ?? 0, HOST: env.HOST } : env);
  say(`Sameway ${appVersion}`);
  for (const warning of env.warnings) log.warn(warning);

  const database = await explained(
    () =>
      openDatabase(env, {
        onError: (error) => log.warn({ err: error }, 'a database connection broke'),
        onFolder: (folder) => say(`Starting the database in ${folder} …`),
        say,
      }),
    dataFolder,
  );
  // Libraries that work on connections of their own may leave a cut one unawaited; they connect again by
  // themselves.
  process.on('unhandledRejection', (reason) => {
    if (!isConnectionLost(reason)) throw reason;
    log.error({ err: reason }, 'a database connection broke where nothing waited for it');
  });
  closeDatabase = () => database.close();
  if (database.ownsSchema)
    log.warn(
      'the role of DATABASE_URL owns the tables and may drop them: set DATABASE_MIGRATION_URL to its address, and DATABASE_URL to a role of its own (docs/operating.md)',
    );
  if (database.server === 'found') say('Taking over the database that an earlier run left running.');
  if (stopping) return;

  const db = databaseOf(database.pool);
  if (env.DEMO && !isForMatchingAlone) await bringInDemo(env, db);
  if (stopping) return;
  const region = await explained(() => loadRegion({ env, say }), dataFolder);
  const clock = new MovableClock(env.DEMO ? await readClockOffset(db) : 0);
  const app = await buildApp({
    env,
    log,
    clock,
    pool: database.pool,
    region,
    withRealtime: !isForMatchingAlone,
  });
  closers.push(() => app.http.close());
  await serveMatching(app);
  if (!isForMatchingAlone) await serve(app);
}

/** Answers other processes about the open orders, where this one has a port for it. */
async function serveMatching({ platform }: BuiltApp): Promise<void> {
  const { env, log } = platform;
  const { MATCHING_PORT: port, MATCHING_SECRET: secret } = env;
  if (port === undefined || secret === undefined) return;
  const warmed = warmOwnIndex(platform);
  const server = await serveOwnIndex(platform, { port, secret });
  closers.push(() => server.close());
  say(`Other processes may ask this one for open orders: http://${env.HOST}:${server.port}`);
  warmed.then(
    () => say('The open orders are read.'),
    (error: unknown) => log.error({ err: error }, 'the index of orders cannot be built'),
  );
}

/** Answers people, and does the rest of what this process is there for. */
async function serve(app: BuiltApp): Promise<void> {
  const { env, log } = app.platform;
  await importPlaces(app.platform, say);
  const demoAdmin = env.DEMO ? await explained(() => settleDemoAdmin(app), dataFolder) : null;
  const setupAddress = !env.DEMO && env.ROLES.has('web') ? await openSetup(app.platform) : null;

  await app.platform.uptime.beat();
  const warmedFrom = performance.now();
  // Not waited for: everything but searches is served meanwhile, and a search says so.
  const warmed = searchIndex(app.platform)
    .warm()
    .catch((error: unknown) => log.error({ err: error }, 'the index of orders cannot be built'));
  if (env.ROLES.has('worker')) {
    // Only this process serves an embedded database.
    await app.platform.outbox.start(app.pool, log, { isAlone: env.DATABASE_URL === undefined });
    closers.push(() => app.platform.outbox.stop());
  }
  app.scheduler.start();
  closers.push(async () => {
    // The scheduler makes calls of their own over this process's port, so it ends while that still answers.
    await app.scheduler.stop();
    await app.platform.drain.run(() => app.platform.realtime.close());
  });
  await app.http.listen({ port: env.PORT, host: env.HOST });
  const address = app.http.server.address();
  // The sandbox is a part of this process: its events are sent directly, past any proxy in front.
  if (typeof address === 'object' && address !== null)
    app.platform.payments.sendEventsTo(`http://127.0.0.1:${address.port}${webhookPath}`);
  if (env.production && env.SMTP_URL === undefined)
    say('No mail server is configured, so people can’t get a code to sign up. Set SMTP_URL.');
  if (env.production && env.STRIPE_SECRET_KEY === undefined)
    say(
      'No Stripe account is configured, so no cards are accepted and every ride is free. Set STRIPE_SECRET_KEY.',
    );
  if (env.ROLES.has('web')) greet(env, demoAdmin, setupAddress);
  else
    say(
      `This process works for the others; whether it is ready is asked at http://${env.HOST}:${env.PORT}/ready`,
    );
  if (searchIndex(app.platform).isReady) return;
  say('Searches are getting ready: the open orders are being read …');
  void warmed.then(() => {
    const seconds = ((performance.now() - warmedFrom) / secondMs).toFixed(1);
    if (!stopping) say(`Searches are ready, ${seconds} s after the start.`);
  });
}

/**
 * Brings in the demo community where it is not there yet. A process of its own builds the road network and
 * lives through the community's past: both take twice the memory of the server that follows, and only the end
 * of a process gives all of it back.
 */
async function bringInDemo(env: Env, db: Db): Promise<void> {
  if (env.REGION === '' || !(await isToBeSeeded(db))) return;
  const seeding = fork(path.join(import.meta.dirname, 'seed', 'seed-process.ts'), {
    env: { ...process.env, PORT: String(env.PORT) },
  });
  stopSeeding = () => seeding.kill('SIGTERM');
  let trouble = 'The process that brings in the demo community ended without a word.';
  seeding.on('message', (said: SeedTrouble) => (trouble = said.trouble));
  const code = await new Promise<number | null>((resolve, reject) =>
    seeding.once('error', reject).once('exit', resolve),
  );
  stopSeeding = () => {};
  if (code !== 0 && !stopping) throw new CannotStart(trouble);
}

/** Port 0 is any free one; it must be known before the addresses that are made of it. */
async function withFoundPort(source: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  if (source['PORT'] === undefined || Number(source['PORT']) !== 0 || source['PORT'].trim() === '')
    return source;
  const probe = net.createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject);
    probe.listen(0, source['HOST'] || '127.0.0.1', resolve);
  });
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return { ...source, PORT: String(typeof address === 'object' && address !== null ? address.port : 0) };
}

/**
 * @throws CannotStart when another process listens where this one should: better said before anything is
 *   prepared.
 */
async function refuseTakenPort({ PORT: port, HOST: host }: Pick<Env, 'PORT' | 'HOST'>): Promise<void> {
  if (port === 0) return;
  await new Promise<void>((resolve, reject) => {
    const probe = net.createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const words: Record<string, string> = {
        EADDRINUSE: `Port ${port} is already in use on ${host}; is Sameway running already? Stop that process, or choose another port: PORT=${port + 1} npm start`,
        EACCES: `Port ${port} needs more rights than this user has. Choose another one: PORT=3020 npm start`,
        EADDRNOTAVAIL: `This machine has no address ${host}. Choose another one: HOST=127.0.0.1 npm start`,
      };
      reject(
        new CannotStart(words[error.code ?? ''] ?? `Cannot listen on ${host}:${port}: ${error.message}`),
      );
    });
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}

function greet(env: Env, admin: OwnPassword | null, setupAddress: string | null): void {
  const lines = [`Sameway is ready: ${env.publicUrl}`];
  if (setupAddress !== null)
    lines.push(
      '',
      'This installation has no owner yet. Become its owner, and try what you have configured, at',
      setupAddress,
    );
  if (env.DEMO) {
    lines.push('', `Sign in to the demo with the password ${demoPassword} as`);
    for (const { role, name, email } of demoAccounts)
      if (!env.isPublicDemo || role !== 'admin') lines.push(`  ${role.padEnd(10)} ${email}  (${name})`);
  }
  if (env.isPublicDemo) lines.push('', ...publicDemoWarning(admin));
  const width = Math.max(...lines.map((line) => line.length));
  say(['', '─'.repeat(width), ...lines, '─'.repeat(width), 'Stop with Ctrl-C.', ''].join('\n'));
}

function publicDemoWarning(admin: OwnPassword | null): string[] {
  const warning = [
    'WARNING: other machines can reach this demo. Each visitor can sign in as its driver and its passenger,',
    'read the emails it sends to people, codes included, and move its clock. Enter no real data here.',
    'To serve people, start with NODE_ENV=production.',
  ];
  if (admin === null) return warning;
  const { email } = demoAccounts.find(({ role }) => role === 'admin')!;
  const where = admin.fresh === null ? `lies in ${admin.file}` : `is ${admin.fresh}  (kept in ${admin.file})`;
  return [...warning, `The password of its admin, ${email}, ${where}`];
}

/** Closes everything in reverse order, the database last and in any case, and ends the process. */
async function stop(exitCode: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  let code = exitCode;
  const closed = async (what: Promise<unknown>) => {
    const late = sleep(closeWithinMs, 'late', { ref: false });
    try {
      if ((await Promise.race([what, late])) !== 'late') return;
      process.stderr.write('While stopping: something did not end in time.\n');
    } catch (error) {
      process.stderr.write(`While stopping: ${String(rootOf(error))}\n`);
    }
    code ||= 1;
  };
  stopSeeding();
  await closed(started.catch(() => undefined));
  for (const close of closers.toReversed()) await closed(close());
  await closeDatabase().catch((error: unknown) =>
    process.stderr.write(`While stopping: ${String(rootOf(error))}\n`),
  );
  process.exit(code);
}

const onSignal = () => {
  if (!stopping) say('Stopping …');
  void stop(0);
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, onSignal);
// Started by another process, this one ends with it.
process.on('disconnect', onSignal);

const started = start();
started.catch(async (error: unknown) => {
  process.stderr.write(`${lastWords(error, dataFolder)}\n`);
  await stop(1);
});
