import { newDataFolder, startServer } from './server.ts';

/** One server with the demo community for all journeys; its address reaches them in `E2E_URL`, which can also name one that runs. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['E2E_URL'] !== undefined) return undefined;
  const { folder, remove } = newDataFolder();
  const server = await startServer(folder);
  process.env['E2E_URL'] = server.url;
  return async () => {
    await server.stop();
    remove();
  };
}
