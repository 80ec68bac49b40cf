import net from 'node:net';
import { appVersion } from '#contract/app/endpoints.ts';
import { buildHouse } from './app.ts';
import { MovableClock, secondMs } from './base/clock.ts';
import { databaseOf } from './base/db.ts';
import { readEnv, type Env } from './base/env.ts';
import { createLog } from './base/log.ts';
import { openDatabase } from './base/open-database.ts';
import { seedDemoCommunity } from './demo/seed.ts';
import { demoAccounts, demoPassword } from './rooms/demo/accounts.ts';
import { loadClockOffset } from './rooms/demo/service.ts';
import { loadRegion } from './rooms/geo/region.ts';
import { webhookPath } from './rooms/payments/routes.ts';

const say = (sentence: string) => process.stdout.write(`${sentence}\n`);

/** A trouble that one sentence explains, without a stack. */
class CannotStart extends Error {}

/** What has been opened, to be closed in reverse order. */
const closers: (() => Promise<void>)[] = [];
let stopping = false;

const stopWithinMs = 10 * secondMs;

async function start(): Promise<void> {
  const env = await explained(() => readEnv());
  const log = createLog(env);
  await refuseTakenPort(env);
  say(`Sameway ${appVersion}`);

  if (env.DATABASE_URL === undefined) say(`Starting the database in ${env.DATA_DIR} …`);
  const database = await explained(() =>
    openDatabase(env, (error) => log.warn({ err: error }, 'a database connection broke')),
  );
  closers.push(() => database.close());
  if (database.server === 'found') say('Taking over the database that an earlier run left running.');
  if (stopping) return;

  const region = await explained(() => loadRegion({ env, say }));
  const clock = new MovableClock(env.DEMO ? await loadClockOffset(databaseOf(database.pool)) : 0);
  const house = await buildHouse({
    env,
    log,
    clock,
    pool: database.pool,
    region,
    withLive: true,
    withMemory: true,
  });
  closers.push(() => house.app.close());
  await house.rooms.geo.importPlaces(say);
  // Everything is ready, nothing runs yet, nobody can connect: the demo community may set the clock back to its past.
  if (env.DEMO) await seedDemoCommunity({ house, say, stopped: () => stopping });
  if (stopping) return;

  // Not waited for: whoever asks before it is ready does.
  house.rooms.matching.index
    .warm()
    .catch((error: unknown) => log.error({ err: error }, 'the index of orders cannot be built'));
  await house.base.outbox.start(database.pool, log);
  closers.push(() => house.base.outbox.stop());
  house.timers.start();
  closers.push(() => house.timers.stop());
  closers.push(async () => {
    // Connections that a browser keeps open must not keep the process.
    const cut = setTimeout(() => house.app.server.closeAllConnections(), 2 * secondMs);
    await house.base.live.close();
    await house.app.close();
    clearTimeout(cut);
  });
  await house.app.listen({ port: env.PORT, host: env.HOST });
  const address = house.app.server.address();
  // The sandbox is a part of this process: its events take the short way, whatever stands in front.
  if (typeof address === 'object' && address !== null)
    house.rooms.payments.sendEventsTo(`http://127.0.0.1:${address.port}${webhookPath}`);
  if (env.production && env.SMTP_URL === undefined)
    say('No mail server is configured, so nobody can receive a code and sign up. Set SMTP_URL.');
  if (env.production && env.STRIPE_SECRET_KEY === undefined)
    say('No Stripe account is configured, so card payments are made with test money. Set STRIPE_SECRET_KEY.');
  greet(env, address);
}

/** Runs a step whose errors are sentences for the person who starts the server. */
async function explained<T>(step: () => T | Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw new CannotStart(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** @throws CannotStart when another process listens where this one should: better said before anything is prepared. */
async function refuseTakenPort({ PORT: port, HOST: host }: Env): Promise<void> {
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

function greet(env: Env, address: net.AddressInfo | string | null): void {
  const port = typeof address === 'object' && address !== null ? address.port : env.PORT;
  const host = ['0.0.0.0', '::', '127.0.0.1'].includes(env.HOST) ? 'localhost' : env.HOST;
  const url = env.PUBLIC_URL ?? `http://${host}:${port}`;
  const lines = [`Sameway is ready: ${url}`];
  if (env.DEMO) {
    lines.push('', `Sign in to the demo with the password ${demoPassword} as`);
    for (const { role, name, email } of demoAccounts) lines.push(`  ${role.padEnd(10)} ${email}  (${name})`);
  }
  const width = Math.max(...lines.map((line) => line.length));
  say(['', '─'.repeat(width), ...lines, '─'.repeat(width), 'Stop with Ctrl-C.', ''].join('\n'));
}

/** Closes everything in reverse order and ends the process, at the latest after ten seconds. */
async function stop(exitCode: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  setTimeout(() => process.exit(exitCode === 0 ? 1 : exitCode), stopWithinMs).unref();
  await started.catch(() => undefined);
  for (const close of closers.toReversed()) {
    try {
      await close();
    } catch (error) {
      process.stderr.write(`While stopping: ${String(error)}\n`);
    }
  }
  process.exit(exitCode);
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
  const text = error instanceof CannotStart || !(error instanceof Error) ? String(error) : error.stack;
  process.stderr.write(`${text?.replace(/^Error: /, '') ?? ''}\n`);
  await stop(1);
});
