// Runs a TypeScript script of this project with the Node that can: node scripts/run.mjs scripts/check.ts --json
// `--build` before it brings the web app up to date first.
import { spawn } from 'node:child_process';
import { buildWebApp, ended, install, projectNode, root, StepFailed } from './setup.mjs';

try {
  const [build, ...rest] = process.argv.slice(2);
  const args = build === '--build' ? rest : process.argv.slice(2);
  await install();
  if (build === '--build') await buildWebApp();
  const child = spawn(projectNode(), ['--disable-warning=ExperimentalWarning', ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  const { code } = await ended(child);
  process.exitCode = code ?? 1;
} catch (error) {
  if (!(error instanceof StepFailed)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error.exitCode;
}
