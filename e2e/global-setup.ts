import type { FullConfig } from '@playwright/test';
import { copyOfDemo, newDataFolder, startServer } from './server.ts';

/**
 * A server with the demo community for each worker; their addresses reach the journeys in `E2E_URL`, a blank
 * between them. It can also name one that runs. The community is brought in once, in a folder that `E2E_DEMO`
 * names; each gets a copy.
 */
export default async function setup({ workers }: FullConfig): Promise<(() => Promise<void>) | undefined> {
  const demo = newDataFolder();
  process.env['E2E_DEMO'] = demo.folder;
  if (process.env['E2E_URL'] !== undefined) return async () => demo.remove();
  const first = await startServer(demo.folder);
  await first.stop();
  const copies = Array.from({ length: workers }, copyOfDemo);
  const servers = await Promise.all(copies.map(({ folder }) => startServer(folder)));
  process.env['E2E_URL'] = servers.map(({ url }) => url).join(' ');
  return async () => {
    await Promise.all(servers.map((server) => server.stop()));
    for (const { remove } of [demo, ...copies]) remove();
  };
}
