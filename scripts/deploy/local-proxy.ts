import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../server/testing/server-process.ts';
import { makeCertificate, type Certificate } from './certificate.ts';
import { readDeployFile } from './deploy-files.ts';

const startWithinMs = 20_000;

/**
 * The shipped Caddyfile for another address, with these upstreams instead of the name that compose resolves.
 */
const caddyfile = (site: string, upstreams: string): string =>
  readDeployFile('compose/Caddyfile')
    .replace(/^http:\/\/\{\$DOMAIN\} \{[^]*?\n\}\n/m, '')
    .replace('{$DOMAIN} {', site)
    .replace(/\tdynamic a \{[^}]*\}/, `\tto ${upstreams}`);

/** nginx reads this server's file inside its own. */
function aroundSite(site: string, folder: string): string {
  const include = path.join(folder, 'proxy.conf');
  fs.writeFileSync(include, readDeployFile('nginx/sameway-proxy.conf'));
  const head = `daemon off;\npid ${folder}/nginx.pid;\nerror_log ${folder}/nginx.log;\nevents {}\n`;
  const text = site.replaceAll('/etc/nginx/snippets/sameway-proxy.conf', include);
  return `${head}http {\naccess_log off;\nclient_body_temp_path ${folder}/body;\nproxy_temp_path ${folder}/proxy;\n${text}\n}\n`;
}

/** Adapts the shipped examples to one machine: other ports, and no TLS. */
const filesOf = {
  haproxy: (port: number) =>
    readDeployFile('haproxy/haproxy.cfg')
      .replace(/^ {2}(bind :443|.*\{ ssl_fc \}).*\n/gm, '')
      .replace('bind :80', `bind 127.0.0.1:${port}`),
  nginx: (port: number, folder: string) =>
    aroundSite(
      readDeployFile('nginx/sameway.conf')
        .replace(/^server \{\n {2}listen 80;[^]*?\n\}\n/m, '')
        .replace(/^ {2}(listen \[|ssl_).*\n/gm, '')
        .replace('listen 443 ssl http2', `listen 127.0.0.1:${port}`),
      folder,
    ),
  caddy: (port: number) =>
    caddyfile(`{\nadmin off\n}\nhttp://127.0.0.1:${port} {`, '127.0.0.1:3020 127.0.0.1:3021'),
} as const;

export type Proxy = keyof typeof filesOf;
export const proxies = Object.keys(filesOf) as Proxy[];

const argumentsOf: Record<Proxy, (file: string, folder: string) => string[]> = {
  haproxy: (file) => ['-db', '-f', file],
  nginx: (file, folder) => ['-c', file, '-p', folder],
  caddy: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
};

/** Whether Debian's package of the proxy is installed. */
export const isInstalled = (program: Proxy): boolean => spawnSync(program, ['-v']).error === undefined;

/** The first Caddy that passes a call with a body on. Debian 12 has an older one. */
const caddyRetriesBodiesFrom = '2.11.2';

/**
 * Whether a proxy passes a call with a body on to the next process when the first one accepts no connection.
 * Older versions of Caddy close the body with the first attempt and then fail the call.
 */
export function retriesBodies(program: Proxy): boolean {
  if (program !== 'caddy') return true;
  const version = spawnSync('caddy', ['version'], { encoding: 'utf8' }).stdout.replace(/^v/, '').trim();
  return version.localeCompare(caddyRetriesBodiesFrom, 'en', { numeric: true }) >= 0;
}

const lenientOpenssl = `openssl_conf = all
[all]
ssl_conf = modules
[modules]
system_default = lenient
[lenient]
MinProtocol = TLSv1
CipherString = DEFAULT@SECLEVEL=0
`;

/** Runs a proxy and waits until it serves. @returns what stops it */
async function run(
  program: Proxy,
  { file, folder, isServing }: { file: string; folder: string; isServing: () => Promise<boolean> },
): Promise<() => Promise<void>> {
  // Caddy keeps its certificates under the home folder. What the machine's OpenSSL forbids in general must
  // not hide what the file allows.
  const openssl = path.join(folder, 'openssl.cnf');
  fs.writeFileSync(openssl, lenientOpenssl);
  const homes = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const env = { ...process.env, ...homes, OPENSSL_CONF: openssl };
  const proxy = spawn(program, argumentsOf[program](file, folder), { stdio: 'ignore', env });
  const ended = new Promise((resolve) => proxy.once('exit', resolve));
  const stop = async () => {
    proxy.kill('SIGTERM');
    await ended;
  };
  for (let waited = 0; !(await isServing()); waited += 100) {
    if (waited > startWithinMs || proxy.exitCode !== null) {
      await stop();
      throw new Error(`${program} does not answer.`);
    }
    await sleep(100);
  }
  return stop;
}

/**
 * Starts Caddy with its shipped configuration in front of one process on this machine, over TLS and HTTP/2
 * with a certificate of its own, at `https://localhost:port`.
 * @param folder for its files
 * @returns what stops it
 */
export async function openCaddyWithTls(
  folder: string,
  port: number,
  upstreamPort: number,
): Promise<() => Promise<void>> {
  const file = path.join(folder, 'Caddyfile');
  const options = '{\nadmin off\nskip_install_trust\nauto_https disable_redirects\n}\n';
  const site = `${options}https://localhost:${port} {\ntls internal\n`;
  fs.writeFileSync(file, caddyfile(site, `127.0.0.1:${upstreamPort}`));
  const certificate = path.join(folder, 'caddy', 'pki', 'authorities', 'local', 'root.crt');
  return run('caddy', { file, folder, isServing: async () => fs.existsSync(certificate) });
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
  const url = `http://127.0.0.1:${port}`;
  const isServing = async () => (await fetch(`${url}/app/version`).catch(() => null))?.ok === true;
  const stop = await run(program, { file, folder, isServing });
  return { url, stop };
}

/** Where a proxy listens on this machine: for plain http, and for TLS. */
interface Ports {
  http: number;
  https: number;
}

/** The shipped files with other ports and the paths of a certificate; everything else is as shipped. */
const filesWithTls: Record<Proxy, (ports: Ports, folder: string, certificate: Certificate) => string> = {
  haproxy: ({ http, https }, _folder, { both }) =>
    readDeployFile('haproxy/haproxy.cfg')
      .replace('bind :80', `bind 127.0.0.1:${http}`)
      .replace('bind :443', `bind 127.0.0.1:${https}`)
      .replace('/etc/haproxy/certs/', both),
  nginx: ({ http, https }, folder, { key, chain }) =>
    aroundSite(
      readDeployFile('nginx/sameway.conf')
        .replace(/^ {2}listen \[.*\n/gm, '')
        .replace('listen 80', `listen 127.0.0.1:${http}`)
        .replace('listen 443', `listen 127.0.0.1:${https}`)
        .replace('/etc/ssl/sameway/fullchain.pem', chain)
        .replace('/etc/ssl/sameway/privkey.pem', key),
      folder,
    ),
  caddy: ({ http, https }) => {
    const ports = `http_port ${http}\nhttps_port ${https}\ndefault_bind 127.0.0.1`;
    const options = `{\nadmin off\nskip_install_trust\n${ports}\n}\n`;
    return `${options}${readDeployFile('compose/Caddyfile').replaceAll('{$DOMAIN}', 'localhost')}`;
  },
};

/**
 * Starts a proxy with its shipped configuration, TLS and plain http, with nothing behind it.
 * @param change of the configuration, to see what it does
 */
export async function openProxyWithTls(
  program: Proxy,
  folder: string,
  change: (text: string) => string = (text) => text,
): Promise<{ ports: Ports; stop: () => Promise<void> }> {
  const ports = { http: await freePort(), https: await freePort() };
  const file = path.join(folder, `${program}.conf`);
  const certificate = makeCertificate(folder, 'localhost');
  fs.writeFileSync(file, change(filesWithTls[program](ports, folder, certificate)));
  const isServing = async () => (await listens(ports.http)) && (await listens(ports.https));
  return { ports, stop: await run(program, { file, folder, isServing }) };
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
