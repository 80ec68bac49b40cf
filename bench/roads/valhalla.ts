import { execFile, fork } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { LonLat } from '../../roads/graph/geometry.ts';
import { say } from '../bench-app.ts';
import { valhallaConfig, type ValhallaAlgorithm } from './valhalla-config.ts';

/** One question: the drives from each of some points to each of others. */
export interface TableQuestion {
  from: readonly LonLat[];
  to: readonly LonLat[];
}

export interface ValhallaJob {
  modulePath: string;
  config: Record<string, unknown>;
  /** Asked first and not measured. */
  warmUp: TableQuestion[];
  tables: TableQuestion[];
}

export interface ValhallaAnswer {
  tookMs: number;
  /** By row and column; no row where the table was refused. */
  seconds: (number | null)[][];
}

/** Where Valhalla's npm package is; null where it is absent. */
function findValhalla(): string | null {
  const require = createRequire(import.meta.url);
  try {
    return require.resolve('@valhallajs/valhallajs');
  } catch {
    return null;
  }
}

/** Runs `work` with Valhalla's own tiles of an extract; null, loudly, where Valhalla is absent. */
export async function withValhalla<T>(
  pbfFile: string,
  work: (
    ask: (
      algorithm: ValhallaAlgorithm,
      job: Pick<ValhallaJob, 'warmUp' | 'tables'>,
    ) => Promise<ValhallaAnswer[]>,
  ) => Promise<T>,
): Promise<T | null> {
  const modulePath = findValhalla();
  if (modulePath === null) {
    say('SKIPPED: Valhalla is not measured; its package @valhallajs/valhallajs is not installed.');
    return null;
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'valhalla-'));
  try {
    say('Building Valhalla’s tiles of the extract …');
    const configFile = path.join(folder, 'config.json');
    fs.writeFileSync(configFile, JSON.stringify(valhallaConfig(folder, 'timedistancematrix')));
    const cli = path.join(path.dirname(modulePath), 'bin', 'valhalla-cli.js');
    await promisify(execFile)(
      process.execPath,
      [cli, 'build_tiles', '-c', configFile, path.resolve(pbfFile)],
      {
        maxBuffer: 64 * 2 ** 20,
        // It leaves a file of its own where it runs.
        cwd: folder,
      },
    );
    return await work((algorithm, tables) =>
      inChild({ modulePath, config: valhallaConfig(folder, algorithm), ...tables }),
    );
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function inChild(job: ValhallaJob): Promise<ValhallaAnswer[]> {
  return new Promise((resolve, reject) => {
    // Valhalla's output must not mix with the figures on standard output.
    const child = fork(fileURLToPath(import.meta.resolve('./valhalla-child.ts')), {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    child.once('message', (answers) => resolve(answers as ValhallaAnswer[]));
    child.once('error', reject);
    child.once('exit', (code, signal) => reject(new Error(`Valhalla ended with ${signal ?? code}`)));
    child.send(job);
  });
}
