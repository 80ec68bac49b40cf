import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { scratchFolder } from '../../server/platform/database/database-folder.ts';
import {
  bearerOf,
  dialectHeader,
  dialectOf,
  readyPath,
} from '../../server/features/matching/processes/wire.ts';
import { testCacheFolder } from '../../server/testing/cache-folder.ts';
import { freePort } from '../../server/testing/server-process.ts';
import { say } from '../bench-app.ts';
import { bouncerFile, patroniFile, proxyFile, type ClusterPorts } from './configuration.ts';
import { programs } from './packages.ts';
import { answers, Part, withChildren } from './part.ts';

/** The user that runs PostgreSQL on Debian. */
const databaseUser = 'postgres';
const secret = 'known to all processes of the cluster';
const region = 'santa-cruz';
const mostTries = 20;
const againAfterMs = 1_000;
const databases = ['one', 'two'] as const;
export type DatabaseName = (typeof databases)[number];

/** The whole installation on one machine, in the order in which it starts. */
export interface Cluster {
  /** The address that people open. */
  url: string;
  /** Past the pooler, to whichever database is primary. */
  directUrl: string;
  parts: readonly Part[];
  nodes: Readonly<Record<DatabaseName, Part>>;
  /** Whether a database is the primary, or a standby that has all that the primary has acknowledged. */
  is: (name: DatabaseName, what: 'primary' | 'synchronous') => Promise<boolean>;
  /** Ends all of it and removes its files. */
  stop(): Promise<void>;
}

/** Starts etcd, two PostgreSQL under Patroni, HAProxy, PgBouncer, Redis and five processes of Sameway. */
export async function startCluster(): Promise<Cluster> {
  const folder = scratchFolder('sameway-nodes-');
  const ports = await findPorts();
  const started: Part[] = [];
  const start = async (part: Part) => {
    started.push(part);
    const began = performance.now();
    await part.start();
    say(`${part.name} is up after ${Math.round(performance.now() - began)} ms`);
    return part;
  };
  const stop = async () => {
    for (const part of started.toReversed()) await part.kill();
    fs.rmSync(folder, { recursive: true, force: true });
  };
  const is: Cluster['is'] = (name, what) =>
    answers(`http://127.0.0.1:${ports[name].rest}/${what}`).catch(() => false);
  try {
    const etcd = await start(etcdPart(folder, ports));
    const one = await start(databasePart(folder, ports, 'one'));
    const two = await start(databasePart(folder, ports, 'two'));
    const proxy = await start(proxyPart(folder, ports));
    await createDatabase(ports);
    const pooler = await start(poolerPart(folder, ports));
    const redis = await start(redisPart(folder, ports));
    const processes: Part[] = [];
    for (const made of samewayParts(folder, ports)) processes.push(await start(made));
    return {
      url: `http://127.0.0.1:${ports.web}`,
      directUrl: urlOf(ports.primary),
      parts: [...processes, redis, pooler, proxy, etcd],
      nodes: { one, two },
      is,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function findPorts(): Promise<ClusterPorts> {
  const database = async () => ({ postgres: await freePort(), rest: await freePort() });
  return {
    etcd: await freePort(),
    etcdPeers: await freePort(),
    one: await database(),
    two: await database(),
    primary: await freePort(),
    pooler: await freePort(),
    redis: await freePort(),
    web: await freePort(),
    webs: [await freePort(), await freePort()],
    worker: await freePort(),
    matching: [await freePort(), await freePort()],
  };
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => socket.destroy());
    socket.setTimeout(1000, () => socket.destroy());
    socket.once('connect', () => socket.end());
  });

function etcdPart(folder: string, ports: ClusterPorts): Part {
  const client = `http://127.0.0.1:${ports.etcd}`;
  const peer = `http://127.0.0.1:${ports.etcdPeers}`;
  const args = ['--name', 'one', '--data-dir', path.join(folder, 'etcd'), '--listen-client-urls', client];
  const peers = ['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer];
  return new Part({
    name: 'etcd',
    command: programs.etcd.file,
    args: [...args, '--advertise-client-urls', client, ...peers, '--initial-cluster', `one=${peer}`],
    logFile: path.join(folder, 'etcd.log'),
    isUp: () => answers(`${client}/health`),
  });
}

function databasePart(folder: string, ports: ClusterPorts, name: DatabaseName): Part {
  const home = path.join(folder, name);
  fs.mkdirSync(home);
  const file = path.join(home, 'patroni.json');
  fs.writeFileSync(file, patroniFile({ home, name, ports }));
  spawnSync('chown', ['-R', `${databaseUser}:${databaseUser}`, home]);
  const { rest } = ports[name];
  return new Part({
    name: `database ${name}`,
    command: programs.patroni.file,
    args: [file],
    user: databaseUser,
    logFile: path.join(folder, `${name}.log`),
    // The first one is the primary; the other is up when the first waits for it at each commit.
    isUp: async () =>
      (await answers(`http://127.0.0.1:${rest}/primary`)) ||
      (await answers(`http://127.0.0.1:${rest}/synchronous`)),
    // Patroni dies alone: the machine takes PostgreSQL with it.
    others: () => {
      const pidFile = path.join(home, 'data', 'postmaster.pid');
      if (!fs.existsSync(pidFile)) return [];
      return withChildren(Number(fs.readFileSync(pidFile, 'utf8').split('\n')[0]));
    },
  });
}

function proxyPart(folder: string, ports: ClusterPorts): Part {
  const file = path.join(folder, 'haproxy.cfg');
  fs.writeFileSync(file, proxyFile(ports));
  return new Part({
    name: 'haproxy',
    command: programs.haproxy.file,
    args: ['-db', '-f', file],
    logFile: path.join(folder, 'haproxy.log'),
    isUp: () => accepts(urlOf(ports.primary, 'postgres', 'postgres')),
  });
}

function poolerPart(folder: string, ports: ClusterPorts): Part {
  const file = path.join(folder, 'pgbouncer.ini');
  fs.writeFileSync(file, bouncerFile(ports));
  return new Part({
    name: 'pgbouncer',
    command: programs.pgbouncer.file,
    args: [file],
    user: databaseUser,
    logFile: path.join(folder, 'pgbouncer.log'),
    isUp: () => accepts(urlOf(ports.pooler)),
  });
}

function redisPart(folder: string, ports: ClusterPorts): Part {
  return new Part({
    name: 'redis',
    command: programs.redis.file,
    args: ['--port', String(ports.redis), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    logFile: path.join(folder, 'redis.log'),
    isUp: () => listens(ports.redis),
  });
}

/** The processes of Sameway; the first of them migrates, and builds the roads for all. */
function samewayParts(folder: string, ports: ClusterPorts): Part[] {
  const common = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'warn',
    HOST: '127.0.0.1',
    REGION: region,
    // Its roads are there already where tests have run.
    DATA_DIR: testCacheFolder,
    DATABASE_URL: urlOf(ports.pooler),
    DATABASE_DIRECT_URL: urlOf(ports.primary),
    DATABASE_POOL_SIZE: '8',
    REDIS_URL: `redis://127.0.0.1:${ports.redis}`,
    MATCHING_SECRET: secret,
    TRUST_PROXY: '1',
  };
  const main = path.resolve(import.meta.dirname, '..', '..', 'server', 'main.ts');
  const made = (name: string, settings: Record<string, string>, isUp: () => Promise<boolean>) =>
    new Part({
      name,
      command: process.execPath,
      args: ['--disable-warning=ExperimentalWarning', main],
      env: { ...common, ...settings },
      logFile: path.join(folder, `${name.replaceAll(' ', '-')}.log`),
      isUp,
    });
  const asked = { authorization: bearerOf(secret), [dialectHeader]: dialectOf({ REGION: region }) };
  const urls = ports.matching.map((port) => `http://127.0.0.1:${port}`);
  const asking = { MATCHING_URLS: urls.join(',') };
  return [
    ...ports.matching.map((port, at) =>
      made(`matching ${at + 1}`, { ROLES: 'matching', MATCHING_PORT: String(port) }, () =>
        answers(`http://127.0.0.1:${port}${readyPath}`, asked),
      ),
    ),
    made('worker', { ...asking, ROLES: 'worker', PORT: String(ports.worker) }, () =>
      answers(`http://127.0.0.1:${ports.worker}/app/version`),
    ),
    ...ports.webs.map((port, at) =>
      made(`web ${at + 1}`, { ...asking, ROLES: 'web', PORT: String(port) }, () =>
        answers(`http://127.0.0.1:${port}/app/version`),
      ),
    ),
  ];
}

const urlOf = (port: number, user = 'sameway', database = 'sameway'): string =>
  `postgresql://${user}:${databasePassword}@127.0.0.1:${port}/${database}`;
const databasePassword = 'cluster';

async function accepts(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
    return rows[0]?.standby === false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** On a machine with much other work a connection to a database that has just come up may end once more. */
async function createDatabase(ports: ClusterPorts): Promise<void> {
  for (let tries = 1; ; tries++) {
    const client = new Client(urlOf(ports.primary, 'postgres', 'postgres'));
    client.on('error', () => undefined);
    try {
      await client.connect();
      await createMissing(client);
      return;
    } catch (error) {
      if (tries === mostTries) throw error;
      await sleep(againAfterMs);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

async function createMissing(client: Client): Promise<void> {
  const isThere = async (table: 'pg_roles' | 'pg_database', column: 'rolname' | 'datname') =>
    (await client.query(`select from ${table} where ${column} = 'sameway'`)).rowCount === 1;
  if (!(await isThere('pg_roles', 'rolname')))
    await client.query(`create role sameway login password '${databasePassword}'`);
  if (!(await isThere('pg_database', 'datname'))) await client.query('create database sameway owner sameway');
}
