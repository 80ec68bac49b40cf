import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { openPool } from '../../server/platform/database/db.ts';
import { migrateDatabase } from '../../server/platform/database/migrate.ts';
import { freePort, startServerProcess } from '../../server/testing/server-process.ts';
import { say } from '../bench-app.ts';
import { withFormerRelease } from './former-release.ts';

/** The main path: two people sign up, share a ride, pay, chat and review each other. */
const mainPath = ['first-shared-ride', 'paid-ride', 'chat'];
const report = z.object({ stats: z.object({ expected: z.number(), unexpected: z.number() }) });

/**
 * Starts a server of the former release with the demo community, migrates its database to this release's
 * schema while it runs, and walks that release's own journeys of the main path on it, in its own web app.
 */
export const walkFormerJourneys = () =>
  withFormerRelease(async ({ former, folder, databaseUrl }) => {
    say('Building the web app of the former release …');
    const built = spawnSync(process.execPath, ['node_modules/vite/bin/vite.js', 'build'], {
      cwd: former.folder,
      encoding: 'utf8',
    });
    if (built.status !== 0) throw new Error(`The former web app cannot be built: ${built.stderr}`);
    say('Starting it with the demo community …');
    const settings = { DATABASE_URL: databaseUrl, DEMO: '1', DATA_DIR: `${folder}/data` };
    const server = await startServerProcess(await freePort(), settings, former.main);
    const pool = openPool({ connectionString: databaseUrl, max: 2 }, () => undefined);
    try {
      await migrateDatabase(pool);
      say('Walking its journeys on the new schema …');
      const words = ['node_modules/@playwright/test/cli.js', 'test', ...mainPath, '--reporter=json'];
      const walking = spawn(process.execPath, words, {
        cwd: former.folder,
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, E2E_URL: server.url },
      });
      const [said] = await Promise.all([text(walking.stdout), once(walking, 'exit')]);
      const { stats } = report.parse(JSON.parse(said));
      if (stats.unexpected > 0) say(said);
      return { passed: stats.expected, failed: stats.unexpected };
    } finally {
      await server.stop();
      await pool.end();
    }
  });
