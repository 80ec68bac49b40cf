import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { openPool, databaseOf } from '../server/platform/database/db.ts';
import { newPerson, type TestPerson } from '../server/testing/people.ts';
import { MovableClock } from '../server/platform/clock.ts';
import { say } from './bench-app.ts';
import { startCluster, type Cluster, type DatabaseName } from './nodes/cluster.ts';
import { compare } from './nodes/compare.ts';
import { installPrograms } from './nodes/packages.ts';
import type { Part } from './nodes/part.ts';
import { meet, newPairing, type Pairing } from './nodes/people.ts';
import { Tally } from './nodes/tally.ts';

/** So many pairs of people meet at the same moment. */
const usualPairs = 6;
const usualKills = 5;
/** How long a part is away before it is started again, and how long all is well before the next kill. */
const awayMs = 1_000;
const wellMs = 2_000;
const standbyWithinMs = 180_000;
const endWithinMs = 120_000;

/**
 * A whole installation on this machine: HAProxy, two web processes, a worker, two matching processes,
 * PgBouncer, Redis, and two PostgreSQL under Patroni with etcd. People publish, search, ask, accept and talk
 * while each part is killed (`--count` times, 5 if left out; `--only NAME` one part alone) and started again.
 */
export async function benchNodes(options: Record<string, string>): Promise<Record<string, unknown>> {
  const trouble = installPrograms();
  if (trouble !== null) {
    say(`SKIPPED: ${trouble}`);
    return { skipped: trouble };
  }
  const kills = Number(options['count'] ?? usualKills);
  const cluster = await startCluster();
  const tally = new Tally();
  const pool = openPool({ connectionString: cluster.directUrl, max: 4 }, () => undefined);
  try {
    const run = { isOver: false, isGivenUp: false };
    const all: Pairing[] = [];
    const refused: string[] = [];
    const town = { url: cluster.url, tally, isGivenUp: () => run.isGivenUp };
    const person = async (name: string): Promise<TestPerson> =>
      newPerson({ db: databaseOf(pool), clock: new MovableClock() }, name);
    const goOn = async () => {
      while (!run.isOver) {
        const [driver, passenger] = [
          await patiently(() => person('Ana')),
          await patiently(() => person('Pia')),
        ];
        const met = newPairing(driver, passenger);
        all.push(met);
        await meet(town, driver, passenger, met).catch((error: unknown) => refused.push(String(error)));
      }
    };
    const pairs = Array.from({ length: Number(options['workers'] ?? usualPairs) }, goOn);
    await sleep(2 * wellMs);
    const gaps = await killAll(cluster, tally, { kills, only: options['only'] });
    run.isOver = true;
    const giveUp = setTimeout(() => (run.isGivenUp = true), endWithinMs);
    await Promise.all(pairs);
    clearTimeout(giveUp);
    const client = new Client(cluster.directUrl);
    await client.connect();
    const { lost, doubled, reordered } = await compare(client, all);
    await client.end();
    for (const words of [...lost, ...doubled, ...reordered, ...refused].slice(0, 20)) say(words);
    say(JSON.stringify(Object.fromEntries(tally.errors)));
    return {
      acknowledged: tally.acknowledged,
      pairs: all.length,
      lost: lost.length,
      doubled: doubled.length,
      reordered: reordered.length,
      // What was not lost, but never done: an answer that no repetition changes, or none at all.
      unfinished: all.filter(({ isDone }) => !isDone).length,
      errorsSeen: tally.errorsSeen,
      kills,
      ...gaps,
    };
  } finally {
    await pool.end();
    await cluster.stop();
  }
}

/** People are drawn past the server: while the database is away that waits. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch {
      await sleep(200);
    }
  }
}

/** Kills each part in turn, so many times. @returns the longest gap by part, and what was waited for. */
async function killAll(
  cluster: Cluster,
  tally: Tally,
  { kills, only }: { kills: number; only: string | undefined },
): Promise<{ longestGapMs: Record<string, number>; waitedFor: Record<string, string> }> {
  const gaps = new Map<string, { deed: string; ms: number }>();
  const kinds = [
    ...cluster.parts.map((part) => ({ name: part.name, killOnce: () => killPart(part) })),
    { name: 'standby', killOnce: () => killDatabase(cluster, 'synchronous') },
    { name: 'primary', killOnce: () => killDatabase(cluster, 'primary') },
  ].filter(({ name }) => only === undefined || name.startsWith(only));
  for (let round = 0; round < kills; round++)
    for (const { name, killOnce } of kinds) {
      const fromMs = performance.now();
      await killOnce();
      await sleep(wellMs);
      const gap = tally.longestGapMs(fromMs, performance.now());
      say(`${name}, kill ${round + 1}: no ${gap.deed} for ${Math.round(gap.ms)} ms`);
      if (gap.ms > (gaps.get(name)?.ms ?? 0)) gaps.set(name, gap);
    }
  return {
    longestGapMs: Object.fromEntries([...gaps].map(([name, { ms }]) => [name, Math.round(ms)])),
    waitedFor: Object.fromEntries([...gaps].map(([name, { deed }]) => [name, deed])),
  };
}

async function killPart(part: Part): Promise<void> {
  await part.kill();
  await sleep(awayMs);
  await part.start();
}

/** Kills the machine of a database; a primary comes back when the other one has taken its place. */
async function killDatabase(cluster: Cluster, what: 'primary' | 'synchronous'): Promise<void> {
  const names: DatabaseName[] = ['one', 'two'];
  let killed: DatabaseName | undefined;
  for (const name of names) if (await cluster.is(name, what)) killed = name;
  if (killed === undefined) throw new Error(`No database is ${what}.`);
  const other = killed === 'one' ? 'two' : 'one';
  await cluster.nodes[killed].kill();
  if (what === 'primary') await until(() => cluster.is(other, 'primary'));
  else await sleep(awayMs);
  await cluster.nodes[killed].start();
  await until(() => cluster.is(killed, 'synchronous'));
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const endsMs = performance.now() + standbyWithinMs;
  while (!(await holds())) {
    if (performance.now() > endsMs) throw new Error('A database did not come back.');
    await sleep(100);
  }
}
