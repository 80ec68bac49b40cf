// `npm run build`: does what `npm start` does before it starts the server; for servers and images.
import { buildWebApp, install, StepFailed } from './setup.mjs';

try {
  await install({ tools: false });
  await buildWebApp();
} catch (error) {
  if (!(error instanceof StepFailed)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error.exitCode;
}
