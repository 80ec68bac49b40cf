import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { login } from '#contract/access/endpoints.ts';
import { makeOwner } from '#contract/setup/endpoints.ts';
import { freePort } from '../../server/testing/server-process.ts';

/**
 * Builds everything from Debian's packages: a root file system by debootstrap, the image on it by buildah, a
 * container by podman. All files are in a folder of the test.
 */
const root = path.resolve(import.meta.dirname, '..', '..');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-image-'));
const base = path.join(folder, 'base');
const storage = [
  '--root',
  path.join(folder, 'storage'),
  '--runroot',
  path.join(folder, 'run'),
  '--storage-driver',
  'vfs',
];
const container = 'sameway-of-the-test';
const startWithinMs = 120_000;

const missing = ['debootstrap', 'buildah', 'podman'].filter(
  (program) => spawnSync(program, ['--version']).error !== undefined,
);
const cannot =
  process.getuid?.() !== 0
    ? 'only root can'
    : missing.length > 0
      ? `${missing.join(', ')}: not installed (Debian: debootstrap buildah podman crun)`
      : null;
if (cannot !== null) process.stderr.write(`The container image is not built and tried: ${cannot}.\n`);

function run(program: string, args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64_000_000,
  });
  if (status !== 0)
    throw new Error(
      `${program} ${args.join(' ')}\n${error?.message ?? ''}${stdout.slice(-2000)}${stderr.slice(-3000)}`,
    );
  return stdout.trim();
}

/** The process that holds the mount namespace for the containers; null if the machine's own mounts work. */
let mounts: ChildProcess | null = null;

/**
 * podman's runtime refuses a machine that has both versions of control groups, so it gets a namespace with
 * version 2 only.
 */
async function openMounts(): Promise<void> {
  if (run('stat', ['-f', '-c', '%T', '/sys/fs/cgroup']) === 'cgroup2fs') return;
  const script =
    'umount -R /sys/fs/cgroup; mount -t cgroup2 none /sys/fs/cgroup && echo ready && exec sleep infinity';
  mounts = spawn('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', script], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await new Promise((resolve, reject) => {
    mounts!.stdout!.once('data', resolve);
    mounts!.once('exit', () => reject(new Error('no mounts of its own')));
  });
}

const podman = (...args: string[]): string => {
  const words = ['podman', ...storage, '--cgroup-manager', 'cgroupfs', ...args];
  return mounts === null
    ? run('podman', words.slice(1))
    : run('nsenter', ['--target', String(mounts.pid), '--mount', ...words]);
};

/**
 * Copies the certificates that this machine trusts, because packages may come through a proxy of its network.
 */
function makeBase(): void {
  run('debootstrap', ['--variant=minbase', 'trixie', base]);
  fs.rmSync(path.join(base, 'var/cache/apt/archives'), { recursive: true, force: true });
  fs.rmSync(path.join(base, 'var/lib/apt/lists'), { recursive: true, force: true });
  const trusted = '/etc/ssl/certs/ca-certificates.crt';
  const copied = '/usr/local/share/trusted.crt';
  if (fs.existsSync(trusted)) fs.copyFileSync(trusted, path.join(base, copied));
  run('sh', ['-c', `tar -C ${base} -c . >${base}.tar`]);
  podman('import', '--change', `ENV NODE_EXTRA_CA_CERTS=${copied}`, `${base}.tar`, 'sameway-base');
}

async function secondsUntilReady(url: string): Promise<number> {
  const began = performance.now();
  for (;;) {
    const answer = await fetch(`${url}/ready`).catch(() => null);
    if (answer?.status === 200) return (performance.now() - began) / 1000;
    if (performance.now() - began > startWithinMs)
      throw new Error(`It is not ready.\n${podman('logs', '--tail', '40', container)}`);
    await sleep(50);
  }
}

const hostPid = (): number => Number(podman('inspect', '--format', '{{.State.Pid}}', container));

/** The restrictions of compose.yaml, without the limits that need this machine's control groups. */
const confined = [
  '--restart=always',
  '--network=host',
  '--read-only',
  '--tmpfs=/tmp',
  '--cap-drop=all',
  '--security-opt=no-new-privileges',
  '--cgroups=disabled',
  '--ulimit=nofile=4096:4096',
  '--ulimit=nproc=4096:4096',
];

let url = '';
let firstSeconds = 0;

beforeAll(async () => {
  if (cannot !== null) return;
  await openMounts();
  makeBase();
  const build = ['bud', '--isolation', 'chroot', '--network', 'host', '--format', 'docker'];
  const of = ['--build-arg', 'BASE=localhost/sameway-base', '-f', 'deploy/container/Containerfile'];
  run('buildah', [...storage, ...build, ...of, '-t', 'sameway', '.']);
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const given = ['--env', `PORT=${port}`, '--env', 'HOST=127.0.0.1', '--volume', 'sameway-data:/data'];
  podman('run', '--detach', '--name', container, ...confined, ...given, 'sameway');
  firstSeconds = await secondsUntilReady(url);
});

afterAll(() => {
  if (cannot === null) {
    podman('rm', '--force', '--time', '10', container);
    mounts?.kill('SIGKILL');
  }
  fs.rmSync(folder, { recursive: true, force: true });
});

test('the image builds on a bare Debian and serves the app', async (context) => {
  if (cannot !== null) return context.skip();
  const bytes = Number(podman('inspect', '--type', 'image', '--format', '{{.Size}}', 'sameway'));
  const baseBytes = Number(podman('inspect', '--type', 'image', '--format', '{{.Size}}', 'sameway-base'));
  process.stderr.write(
    `Image: ${Math.round(bytes / 1e6)} MB, of which Debian ${Math.round(baseBytes / 1e6)} MB; ready ${firstSeconds.toFixed(1)} s after its first start.\n`,
  );
  expect(bytes - baseBytes).toBeLessThan(700_000_000);
  const page = await fetch(url);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('<title>');
});

test('the container runs without root and its capabilities, and writes only to its volumes', (context) => {
  if (cannot !== null) return context.skip();
  const status = fs.readFileSync(`/proc/${hostPid()}/status`, 'utf8');
  expect(/^Uid:\s+(.*)$/m.exec(status)![1]!.split(/\s+/)).toEqual(Array(4).fill('10001'));
  expect(/^CapEff:\s+0+$/m.test(status)).toBe(true);
  expect(/^NoNewPrivs:\s+1$/m.test(status)).toBe(true);
  const mounted = fs.readFileSync(`/proc/${hostPid()}/mountinfo`, 'utf8').split('\n');
  const optionsOf = (place: string) =>
    mounted.map((line) => line.split(' ')).find((words) => words[4] === place)?.[5];
  expect(optionsOf('/')).toMatch(/^ro\b/);
  expect(optionsOf('/data')).toMatch(/^rw\b/);
});

test('its health check reports that it is alive', (context) => {
  if (cannot !== null) return context.skip();
  expect(podman('exec', container, 'node', 'deploy/container/health.mjs')).toBe('');
  const other = ['exec', '--env', 'PORT=1', container, 'node', 'deploy/container/health.mjs'];
  expect(() => podman(...other)).toThrow(/node/);
});

test('the setup link in the volume makes the owner; after SIGKILL the container starts again with all data', async (context) => {
  if (cannot !== null) return context.skip();
  const data = podman('volume', 'inspect', '--format', '{{.Mountpoint}}', 'sameway-data');
  const token = fs.readFileSync(path.join(data, 'setup-token'), 'utf8').trim();
  const account = { email: 'olga@example.com', password: 'seven purple kettles' };
  expect(await post(makeOwner.path, { token, name: 'Olga Owner', ...account })).toMatchObject({ code: 200 });
  const former = hostPid();
  process.kill(former, 'SIGKILL');
  const seconds = await secondsUntilReady(url);
  process.stderr.write(`Killed, the container was ready again after ${seconds.toFixed(1)} s.\n`);
  expect(hostPid()).not.toBe(former);
  expect(await post(login.path, account)).toMatchObject({ code: 200, data: { staffRole: 'owner' } });
});

/** The answer to a call. */
async function post(address: string, body: object): Promise<unknown> {
  const answer = await fetch(`${url}${address}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return answer.json();
}
