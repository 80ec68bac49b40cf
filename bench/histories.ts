import { fork, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { scratchFolder } from '../server/platform/database/database-folder.ts';
import { openPool } from '../server/platform/database/db.ts';
import { startEmbeddedPostgres } from '../server/platform/database/embedded-postgres.ts';
import { migrateDatabase } from '../server/platform/database/migrate.ts';
import { addTo } from '../server/testing/histories/play.ts';
import type { Chunk, Told } from './histories/player.ts';
import { rounded, say } from './bench-app.ts';

/** Histories per app and database; the first twenty of each take twice as long as the rest. */
const chunkSize = 250;
const sayEvery = 10;
const mostTraces = 5;
const template = 'histories_template';

/**
 * Plays random histories of two drivers and five passengers (`server/testing/histories`) in several
 * processes, each history from a seed of its own: `--seed` is the first, and
 * `HISTORIES_SEED=N HISTORIES=1 npx vitest run histories` plays one again and searches for the shortest that
 * still fails. Traces of violations go to standard error.
 */
export async function benchHistories(options: Record<string, string>): Promise<Record<string, unknown>> {
  const count = Number(options['count'] ?? 10_000);
  const firstSeed = Number(options['seed'] ?? 1);
  const workers = Math.min(
    Number(options['workers'] ?? os.availableParallelism()),
    Math.ceil(count / chunkSize),
  );
  const folder = scratchFolder('sameway-bench-', 2 * 1024 ** 3);
  // Nothing here has to survive a power cut.
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    wal_level: 'minimal',
    max_wal_senders: '0',
    autovacuum: 'off',
    jit: 'off',
    // Plans for the values at hand, of tables this small, take two thirds of its time.
    plan_cache_mode: 'force_generic_plan',
    max_connections: '300',
  };
  const postgres = await startEmbeddedPostgres(path.join(folder, 'postgres'), settings);
  const players: ChildProcess[] = [];
  try {
    await makeTemplate(postgres.connection);

    const startedAt = performance.now();
    const chunks: Chunk[] = [];
    for (let first = 0; first < count; first += chunkSize)
      chunks.push({ firstSeed: firstSeed + first, count: Math.min(chunkSize, count - first) });
    const total = { histories: 0, steps: 0, violations: 0 };
    const moves: Record<string, number> = {};
    const refused: Record<string, number> = {};
    const ended: Record<string, number> = {};
    const seeds: number[] = [];
    const hear = ({ seed, played, trace }: Told) => {
      total.histories++;
      total.steps += played?.steps ?? 0;
      addTo(moves, played?.moves ?? {});
      addTo(refused, played?.refused ?? {});
      addTo(ended, played?.ended ?? {});
      if (trace !== null) {
        if (seeds.length < mostTraces) say(`\nSeed ${seed}:\n${trace}\n`);
        seeds.push(seed);
        total.violations = seeds.length;
      }
      if (total.histories % sayEvery !== 0) return;
      const seconds = Math.round((performance.now() - startedAt) / 1000);
      say(`${total.histories} of ${count} histories, ${total.violations} violations, ${seconds} s`);
    };
    const work = async () => {
      const given = JSON.stringify({ connection: postgres.connection, template, folder });
      const player = fork(path.join(import.meta.dirname, 'histories', 'player.ts'), [given]);
      players.push(player);
      for (let chunk = chunks.shift(); chunk !== undefined; chunk = chunks.shift())
        await ask(player, chunk, hear);
      player.disconnect();
    };
    await Promise.all(Array.from({ length: workers }, work));
    const seconds = rounded((performance.now() - startedAt) / 1000);
    const counts = { moves: sorted(moves), refused: sorted(refused), ended: sorted(ended) };
    return { ...total, seeds, ...counts, workers, seconds };
  } finally {
    for (const player of players) player.kill();
    await postgres.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** A migrated database that is copied for each app. */
async function makeTemplate(
  connection: Awaited<ReturnType<typeof startEmbeddedPostgres>>['connection'],
): Promise<void> {
  const admin = openPool({ ...connection, max: 1 }, () => undefined);
  await admin.query(`create database ${template}`);
  await admin.end();
  const pool = openPool({ ...connection, database: template }, () => undefined);
  await migrateDatabase(pool);
  await pool.end();
}

function ask(player: ChildProcess, chunk: Chunk, hear: (told: Told) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`A player ended with ${String(code)}.`));
    const listen = (message: unknown) => {
      const told = message as Told;
      hear(told);
      if (!told.isLast) return;
      player.off('exit', ended).off('message', listen);
      resolve();
    };
    player.once('exit', ended).on('message', listen);
    player.send(chunk);
  });
}

const sorted = (counts: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(counts).toSorted(([, a], [, b]) => b - a));
