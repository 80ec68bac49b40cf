import { setTimeout as sleep } from 'node:timers/promises';
import { openPool, databaseOf } from '../server/platform/database/db.ts';
import { newPerson } from '../server/testing/people.ts';
import { MovableClock } from '../server/platform/clock.ts';
import { say } from './bench-app.ts';
import { startCluster, type Cluster, type DatabaseName } from './nodes/cluster.ts';
import { startCrowd } from './nodes/crowd.ts';
import { installPrograms } from './nodes/packages.ts';
import type { Part } from './nodes/part.ts';
import type { Tally } from './nodes/tally.ts';

/** Pairs of people who meet at the same moment. */
const usualPairs = 6;
const usualKills = 5;
/** How long a part is away before it is started again, and how long all is well before the next kill. */
const awayMs = 1_000;
const wellMs = 2_000;
const standbyWithinMs = 180_000;

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
  const pool = openPool({ connectionString: cluster.directUrl, max: 4 }, () => undefined);
  try {
    const crowd = startCrowd({
      url: cluster.url,
      pairs: Number(options['workers'] ?? usualPairs),
      person: (name) => newPerson({ db: databaseOf(pool), clock: new MovableClock() }, name),
    });
    await sleep(2 * wellMs);
    const gaps = await killAll(cluster, crowd.tally, { kills, only: options['only'] });
    return { ...(await crowd.end(cluster.directUrl)), kills, ...gaps };
  } finally {
    await pool.end();
    await cluster.stop();
  }
}

/** Kills each part in turn, `times` times. @returns the longest gap by part, and what was waited for. */
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
