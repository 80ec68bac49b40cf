// Guards a process that works in a throw-away folder: when that process ends, however it ends, this ends the
// PostgreSQL that is left in the folder and removes it. The pipe on standard input breaks with the other
// process; nothing is ever written to it.
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const [folder = ''] = process.argv.slice(2);
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

process.stdin.resume();
await new Promise((resolve) => process.stdin.once('close', resolve));
for (const place of ['postgres/data', 'data']) {
  const file = path.join(folder, place, 'postmaster.pid');
  const pid = fs.existsSync(file) ? Number(fs.readFileSync(file, 'utf8').split('\n')[0]) : Number.NaN;
  // Nothing in the folder is worth a checkpoint: SIGQUIT ends PostgreSQL at once.
  if (Number.isInteger(pid) && isAlive(pid)) process.kill(pid, 'SIGQUIT');
  for (let waitedMs = 0; waitedMs < 30_000 && isAlive(pid); waitedMs += 50) await sleep(50);
}
fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
