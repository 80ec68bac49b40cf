import { drillRestore } from '../e2e/restore-drill.ts';
import { say } from './bench-app.ts';

/** Destroys an installation under load and restores it from its backups (`e2e/restore-drill.ts`). */
export async function benchRestoreDrill(options: Record<string, string>): Promise<Record<string, unknown>> {
  say('Backing up under load, ending everything, restoring …');
  return { ...(await drillRestore(Number(options['seed'] ?? 1))) };
}
