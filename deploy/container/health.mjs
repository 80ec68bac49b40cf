// Checks whether the server of this container is alive, and exits with 0 or 1. A process that does only
// matching listens on its own port.
const { PORT = '3020', MATCHING_PORT = '', ROLES = '' } = process.env;
const isForMatchingAlone = ROLES.trim() === 'matching';
const url = isForMatchingAlone
  ? `http://127.0.0.1:${MATCHING_PORT}/ready`
  : `http://127.0.0.1:${PORT}/health`;
try {
  // The matching process refuses this request, but any answer shows that it is alive.
  const { status } = await fetch(url, { signal: AbortSignal.timeout(4000) });
  process.exitCode = status < 500 ? 0 : 1;
} catch {
  process.exitCode = 1;
}
