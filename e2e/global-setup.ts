import type { FullConfig } from '@playwright/test';
import { newDataFolder, startServer } from './server.ts';

/**
 * A server with the demo community for each worker; their addresses reach the journeys in `E2E_URL`, a blank between them.
 * It can also name one that runs.
 */
export default async function setup({ workers }: FullConfig): Promise<(() => Promise<void>) | undefined> {
  if (process.env['E2E_URL'] !== undefined) return undefined;
  const started = await Promise.all(
    Array.from({ length: workers }, async () => {
      const { folder, remove } = newDataFolder();
      return { server: await startServer(folder), remove };
    }),
  );
  process.env['E2E_URL'] = started.map(({ server }) => server.url).join(' ');
  return async () => {
    for (const { server, remove } of started) {
      await server.stop();
      remove();
    }
  };
}
