import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { scratchFolder } from '../server/platform/database/database-folder.ts';

const root = path.resolve(import.meta.dirname, '..');
// A first start on a machine that others keep busy takes minutes.
const startWithinMs = 900_000;

/** A server process of its own, on a data folder of its own. */
export interface RunningServer {
  url: string;
  /** Whether the process has ended by itself. */
  hasEnded(): boolean;
  /** Ends the process as a power cut would, without a signal that it could handle. */
  kill(): Promise<void>;
  /** Ends the process as Ctrl-C would. */
  stop(): Promise<void>;
}

/** A data folder for one run; `remove` it afterwards. */
export function newDataFolder(): { folder: string; remove: () => void } {
  const folder = scratchFolder('sameway-e2e-', 1024 ** 3);
  return { folder, remove: () => fs.rmSync(folder, { recursive: true, force: true }) };
}

/**
 * A data folder in which the demo community lives already, as `global-setup.ts` brought it in; `remove` it
 * afterwards.
 */
export function copyOfDemo(): { folder: string; remove: () => void } {
  const copy = newDataFolder();
  const demo = process.env['E2E_DEMO'] ?? '';
  // The database may belong to another user, and is refused when it belongs to any other user.
  if (process.platform === 'win32') fs.cpSync(demo, copy.folder, { recursive: true });
  else if (spawnSync('cp', ['-a', `${demo}/.`, copy.folder]).status !== 0)
    throw new Error(`The demo community in ${demo} cannot be copied to ${copy.folder}.`);
  return copy;
}

/**
 * Starts the real server, with the demo community unless `settings` say otherwise, and waits until it says
 * where people open it.
 */
export async function startServer(
  dataFolder: string,
  settings: Record<string, string> = {},
): Promise<RunningServer> {
  const logFile = path.join(dataFolder, 'server.log');
  const said = fs.existsSync(logFile) ? fs.statSync(logFile).size : 0;
  const log = fs.openSync(logFile, 'a');
  const server = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', path.join(root, 'server', 'main.ts')],
    {
      cwd: root,
      // Over the channel it notices the end of this process.
      stdio: ['ignore', log, log, 'ipc'],
      env: {
        ...process.env,
        NODE_ENV: 'test',
        PORT: '0',
        DATA_DIR: dataFolder,
        DEMO: '1',
        // The journeys know its streets.
        REGION: 'santa-cruz',
        LOG_LEVEL: 'warn',
        WEBHOOKS_TO_LOOPBACK: '1',
        ...settings,
      },
    },
  );
  fs.closeSync(log);
  for (let waited = 0; waited < startWithinMs; waited += 100) {
    if (server.exitCode !== null) break;
    const url = printedAddress(logFile, said);
    if (url !== null)
      return {
        url,
        hasEnded: () => server.exitCode !== null || server.signalCode !== null,
        kill: () => end(server, 'SIGKILL'),
        stop: () => end(server, 'SIGINT'),
      };
    await sleep(100);
  }
  await end(server, 'SIGKILL');
  throw new Error(`The server did not start:\n${fs.readFileSync(logFile, 'utf8').slice(-3000)}`);
}

/**
 * The address that a server prints for people when it is ready; null until then. Journeys are walked on it.
 */
function printedAddress(logFile: string, from: number): string | null {
  const log = fs.readFileSync(logFile).subarray(from).toString('utf8');
  return /^Sameway is ready: (\S+)$/m.exec(log)?.[1] ?? null;
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill(signal);
  await ended;
}
