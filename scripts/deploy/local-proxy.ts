import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../server/testing/server-process.ts';
import { readDeployFile } from './deploy-files.ts';

const startWithinMs = 20_000;

/** Adapts the shipped examples to one machine: other ports, and no TLS. */
const filesOf = {
  haproxy: (port: number) =>
    readDeployFile('haproxy/haproxy.cfg')
      .replace(/^ {2}(bind :443|.*\{ ssl_fc \}).*\n/gm, '')
      .replace('bind :80', `bind 127.0.0.1:${port}`),
  nginx: (port: number, folder: string) => {
    const include = path.join(folder, 'proxy.conf');
    fs.writeFileSync(include, readDeployFile('nginx/sameway-proxy.conf'));
    const site = readDeployFile('nginx/sameway.conf')
      .replace(/^server \{\n {2}listen 80;[^]*?\n\}\n/m, '')
      .replace(/^ {2}(listen \[|ssl_).*\n/gm, '')
      .replace('listen 443 ssl http2', `listen 127.0.0.1:${port}`)
      .replaceAll('/etc/nginx/snippets/sameway-proxy.conf', include);
    const head = `daemon off;\npid ${folder}/nginx.pid;\nerror_log ${folder}/nginx.log;\nevents {}\n`;
    return `${head}http {\naccess_log off;\nclient_body_temp_path ${folder}/body;\nproxy_temp_path ${folder}/proxy;\n${site}\n}\n`;
  },
  caddy: (port: number) =>
    readDeployFile('compose/Caddyfile')
      .replace(/^http:\/\/\{\$DOMAIN\} \{[^]*?\n\}\n/m, '')
      .replace('{$DOMAIN} {', `{\nadmin off\n}\nhttp://127.0.0.1:${port} {`)
      // In compose, the network's DNS resolves `web`.
      .replace(/\tdynamic a \{[^}]*\}/, '\tto 127.0.0.1:3020 127.0.0.1:3021'),
} as const;

export type Proxy = keyof typeof filesOf;
export const proxies = Object.keys(filesOf) as Proxy[];

const argumentsOf: Record<Proxy, (file: string, folder: string) => string[]> = {
  haproxy: (file) => ['-db', '-f', file],
  nginx: (file, folder) => ['-c', file, '-p', folder],
  caddy: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
};

/** Debian's Caddy is older than the one of `deploy/compose`; this version came with the fix. */
const caddyRetriesBodiesFrom = [2, 11, 2] as const;

/**
 * Whether a proxy passes a call with a body on to the next process when the first one accepts no connection.
 * Caddy before 2.11.2 closes the body with the first attempt and then fails the call.
 */
export function retriesBodies(program: Proxy): boolean {
  if (program !== 'caddy') return true;
  const words = spawnSync('caddy', ['version'], { encoding: 'utf8' })
    .stdout.replace(/^v/, '')
    .split(/[.\s-]/);
  const [major, minor, patch] = caddyRetriesBodiesFrom;
  const version = words.slice(0, 3).map(Number);
  const by = [major, minor, patch].map((least, place) => (version[place] ?? 0) - least);
  return (by.find((difference) => difference !== 0) ?? 0) >= 0;
}

/**
 * Starts a proxy with its shipped configuration in front of two processes on this machine, and waits until it
 * serves.
 * @param folder for the configuration and the proxy's own files
 */
export async function openProxy(
  program: Proxy,
  folder: string,
  [first, second]: readonly [number, number],
): Promise<{ url: string; stop: () => Promise<void> }> {
  const port = await freePort();
  const file = path.join(folder, `${program}.conf`);
  const text = filesOf[program](port, folder)
    .replaceAll('127.0.0.1:3020', `127.0.0.1:${first}`)
    .replaceAll('127.0.0.1:3021', `127.0.0.1:${second}`);
  fs.writeFileSync(file, text);
  const env = { ...process.env, HOME: folder };
  const proxy = spawn(program, argumentsOf[program](file, folder), { stdio: 'ignore', env });
  const ended = new Promise((resolve) => proxy.once('exit', resolve));
  const url = `http://127.0.0.1:${port}`;
  const stop = async () => {
    proxy.kill('SIGTERM');
    await ended;
  };
  for (let waited = 0; (await fetch(`${url}/app/version`).catch(() => null))?.ok !== true; waited += 100) {
    if (waited > startWithinMs || proxy.exitCode !== null) {
      await stop();
      throw new Error(`${program} does not answer.`);
    }
    await sleep(100);
  }
  return { url, stop };
}
