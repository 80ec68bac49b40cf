// Whether the server of this container is alive: ends with 0 or 1. A process for matching alone answers on a
// port of its own.
const { PORT = '3020', MATCHING_PORT = '', ROLES = '' } = process.env;
const isForMatchingAlone = ROLES.trim() === 'matching';
const url = isForMatchingAlone
  ? `http://127.0.0.1:${MATCHING_PORT}/ready`
  : `http://127.0.0.1:${PORT}/health`;
try {
  // The matching process answers others with a refusal; that it answers is what is asked.
  const { status } = await fetch(url, { signal: AbortSignal.timeout(4000) });
  process.exitCode = status < 500 ? 0 : 1;
} catch {
  process.exitCode = 1;
}
