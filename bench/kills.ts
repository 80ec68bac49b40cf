import { killOften } from '../e2e/kills.ts';
import { say } from './bench-app.ts';

/**
 * Kills the server at random moments of a busy run, `--count` times, and searches for what is lost, doubled
 * or owed wrongly.
 */
export async function benchKills(options: Record<string, string>): Promise<Record<string, unknown>> {
  const count = Number(options['count'] ?? 50);
  say(`Killing the server ${count} times …`);
  return { ...(await killOften(count, Number(options['seed'] ?? 1))) };
}
