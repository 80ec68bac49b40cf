// Runs a TypeScript script of this project with the Node that can: node scripts/run.mjs scripts/check.ts --json
import { spawn } from 'node:child_process';
import { ended, install, projectNode, root, StepFailed } from './setup.mjs';

try {
  await install();
  const child = spawn(projectNode(), ['--disable-warning=ExperimentalWarning', ...process.argv.slice(2)], {
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
