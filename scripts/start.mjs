// `npm start`: everything from a fresh clone to a running server, then that server until it is stopped.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { buildWebApp, ended, install, onNpmGone, projectNode, root, say, StepFailed } from './setup.mjs';

// With a small young generation the server needs 100 MB less (decision 0165).
const flags = JSON.parse(fs.readFileSync(path.join(import.meta.dirname, 'server-flags.json'), 'utf8'));
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

async function start() {
  await install({ tools: false });
  await buildWebApp();
  const production = process.env.NODE_ENV === 'production';
  const server = spawn(projectNode(), [...flags, path.join(root, 'server', 'main.ts')], {
    cwd: root,
    env: { ...process.env, DEMO: process.env.DEMO || (production ? '0' : '1') },
    // Over the channel the server notices the end of this process, however it comes.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  // A terminal signals the whole group, other senders this process alone; the server takes the second one
  // calmly.
  for (const signal of stopSignals) process.on(signal, () => server.kill(signal));
  onNpmGone(() => server.kill('SIGTERM'));
  const { code, signal } = await ended(server);
  if (signal !== null) say(`The server was ended by ${signal}.`);
  return code ?? 1;
}

try {
  process.exitCode = await start();
} catch (error) {
  if (!(error instanceof StepFailed)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error.exitCode;
}
