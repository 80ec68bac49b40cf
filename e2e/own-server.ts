import { copyOfDemo, startServer } from './server.ts';

/**
 * Starts a server for the journeys of one file, with the demo community as it is on its first day: other
 * journeys have moved the clocks of the servers that they share. All calls of this file go to it.
 * @returns ends it, and gives the calls back to the server that the journeys share.
 */
export async function startOwnServer(settings: Record<string, string> = {}): Promise<() => Promise<void>> {
  const before = process.env['E2E_URL'];
  const data = copyOfDemo();
  const server = await startServer(data.folder, settings);
  process.env['E2E_URL'] = Array.from({ length: 9 }, () => server.url).join(' ');
  return async () => {
    process.env['E2E_URL'] = before;
    await server.stop();
    data.remove();
  };
}
