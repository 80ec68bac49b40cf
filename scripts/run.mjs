// Runs a TypeScript script of this project with a Node version that supports it:
// node scripts/run.mjs scripts/check.ts --json
// `--build` before it builds the web app first; `--served` installs only the packages that a server needs,
// for commands of an operator.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildWebApp, ended, install, onNpmGone, projectNode, root, StepFailed } from './setup.mjs';

try {
  const given = process.argv.slice(2);
  const [first] = given;
  const args = first === '--build' || first === '--served' ? given.slice(1) : given;
  await install({ tools: first !== '--served' });
  if (first === '--build') await buildWebApp();
  const withParent = pathToFileURL(path.join(root, 'scripts', 'end-with-parent.mjs')).href;
  const flags = ['--disable-warning=ExperimentalWarning', '--import', withParent];
  const child = spawn(projectNode(), [...flags, ...args], {
    cwd: root,
    env: { ...process.env, ENDS_WITH: String(process.pid) },
    // Over the channel the script notices the end of this process, however it comes.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  onNpmGone(() => child.kill('SIGTERM'));
  const { code } = await ended(child);
  process.exitCode = code ?? 1;
} catch (error) {
  if (!(error instanceof StepFailed)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error.exitCode;
}
