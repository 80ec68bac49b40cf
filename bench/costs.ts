import { pino } from 'pino';
import { buildApp } from '../server/app.ts';
import { MovableClock } from '../server/platform/clock.ts';
import { readEnv } from '../server/platform/env.ts';
import { placeDatabase } from '../server/platform/database/database-folder.ts';
import { openPool } from '../server/platform/database/db.ts';
import { startEmbeddedPostgres } from '../server/platform/database/embedded-postgres.ts';
import { openDatabase } from '../server/platform/database/open-database.ts';
import { loadRegion } from '../server/features/geo/region.ts';
import { freePort, startServerProcess } from '../server/testing/server-process.ts';
import { newDataFolder } from '../e2e/server.ts';
import { say } from './bench-app.ts';
import { ChatLines } from './costs/chat-lines.ts';
import { CostMeter } from './costs/meter.ts';
import { Pairs } from './costs/pairs.ts';
import { residentBytes } from './costs/process-cpu.ts';

/**
 * The cost of one person, one booking and one chat line for a real server process and its database: CPU of
 * each, bytes of PostgreSQL's log, rows stored. `--count` pairs of people (default 100) publish, find each
 * other, agree, talk, ride and review each other over HTTP and sockets on 127.0.0.1, once for free and once
 * paid by card; the emulated card provider runs inside the server process. Linux only.
 */
export async function benchCosts(options: Record<string, string>): Promise<Record<string, unknown>> {
  const count = Number(options['count'] ?? 100);
  const { folder, remove } = newDataFolder();
  const env = readEnv({ NODE_ENV: 'test', LOG_LEVEL: 'silent', REGION: 'santa-cruz', DATA_DIR: folder });
  const database = await openDatabase(env, { onError: () => undefined });
  const { connection } = await startEmbeddedPostgres(placeDatabase(folder));
  const owner = openPool(connection, () => undefined);
  const server = await startServerProcess(await freePort(), { DATA_DIR: folder, LOG_LEVEL: 'silent' });
  try {
    // Makes the people, and tells when all signals have been heard; the server process does the work.
    const app = await buildApp({
      env,
      log: pino({ level: 'silent' }),
      clock: new MovableClock(),
      region: await loadRegion({ env }),
      pool: database.pool,
      withRealtime: false,
    });
    try {
      await app.http.ready();
      const { pool } = database;
      const { url, pid } = server;
      const meter = await CostMeter.open(app, { pool, owner, serverPid: pid });
      const socketBytes = await benchPairs(app, { url, pool, meter, count, pid });
      return { pairs: count, actions: meter.costs, idleMsPerSecond: meter.idleMsPerSecond, socketBytes };
    } finally {
      await app.http.close();
    }
  } finally {
    await server.stop();
    await owner.end();
    await database.close();
    remove();
  }
}

/** @returns memory of the server process per open connection of a person, in bytes */
async function benchPairs(
  app: Parameters<typeof Pairs.draw>[0],
  of: Omit<Parameters<typeof Pairs.draw>[1], 'isPaid'> & { pid: number },
): Promise<number> {
  say(`Free rides of ${of.count} pairs …`);
  const free = await Pairs.draw(app, { ...of, isPaid: false });
  await free.agree('');
  const before = residentBytes(of.pid);
  const lines = await ChatLines.open(of.url, free.people);
  const socketBytes = Math.max(0, Math.round((residentBytes(of.pid) - before) / free.people.length));
  try {
    await of.meter.measure('a chat line to one other person', lines.count, () => lines.say());
  } finally {
    lines.close();
  }
  await free.ride('');
  say(`Paid rides of ${of.count} pairs …`);
  const paid = await Pairs.draw(app, { ...of, isPaid: true });
  await paid.agree(', paid');
  await paid.ride(', paid');
  return socketBytes;
}
