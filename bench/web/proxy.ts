import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readDeployFile } from '../../scripts/deploy/deploy-files.ts';

const startWithinMs = 20_000;

/** Whether people can be served as an installation serves them: over TLS and HTTP/2, by Caddy. */
export const hasCaddy = (): boolean => spawnSync('caddy', ['version']).error === undefined;

/** The Caddyfile of `deploy/compose` for one process on this machine, with a certificate of Caddy's own. */
const configOf = (port: number, upstreamPort: number): string =>
  readDeployFile('compose/Caddyfile')
    .replace(/^http:\/\/\{\$DOMAIN\} \{[^]*?\n\}\n/m, '')
    .replace(
      '{$DOMAIN} {',
      `{\nadmin off\nskip_install_trust\nauto_https disable_redirects\n}\nhttps://localhost:${port} {\ntls internal\n`,
    )
    .replace(/\tdynamic a \{[^}]*\}/, `\tto 127.0.0.1:${upstreamPort}`);

/**
 * Starts Caddy with its shipped configuration in front of a server on this machine.
 * @param folder for its files
 */
export async function openCaddy(
  folder: string,
  port: number,
  upstreamPort: number,
): Promise<{ stop: () => Promise<void> }> {
  const file = path.join(folder, 'Caddyfile');
  fs.writeFileSync(file, configOf(port, upstreamPort));
  const caddy = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
    stdio: 'ignore',
    // It keeps its certificates under the home folder.
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  });
  const ended = new Promise((resolve) => caddy.once('exit', resolve));
  const stop = async () => {
    caddy.kill('SIGTERM');
    await ended;
  };
  const root = path.join(folder, 'caddy', 'pki', 'authorities', 'local', 'root.crt');
  for (let waited = 0; !fs.existsSync(root); waited += 100) {
    if (waited > startWithinMs || caddy.exitCode !== null) {
      await stop();
      throw new Error('Caddy does not start.');
    }
    await sleep(100);
  }
  return { stop };
}
