import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readEnv, settingNames } from '../../server/platform/env.ts';
import { appVersion } from '#contract/app/endpoints.ts';
import { makeCertificate } from './certificate.ts';
import {
  deployFile,
  readCompose,
  readDeployFile,
  readExamples,
  readUnit,
  withSecretFiles,
} from './deploy-files.ts';
import { secretFile, unitSettings } from '../installation.ts';

/** Variables that other programs read, but not the server. */
const notOurs = new Set(['NODE_OPTIONS', 'DEBIAN_FRONTEND']);
const ours = new Set<string>(settingNames);
const unknownAmong = (names: readonly string[]): string[] =>
  names.filter((name) => !notOurs.has(name) && !ours.has(name.replace(/_FILE$/, '')));

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-deploy-'));

/** Whether a program is installed; prints a warning if it is not. */
function isHere(program: string, debianPackage: string): boolean {
  if (spawnSync(program, ['--version']).error === undefined) return true;
  process.stderr.write(
    `${program} is not installed: its files of deploy/ are not tried (${debianPackage}).\n`,
  );
  return false;
}

/** Runs a program. @returns its output and its exit status */
function run(program: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  return { status, said: `${stdout}${stderr}` };
}

/** A key and a certificate, because the servers read them before they check the rest of their file. */
const certificate = () => makeCertificate(folder, 'ride.example.com');

test('compose: the server accepts the settings of the processes', () => {
  const { services, secrets, volumes, networks } = readCompose();
  const own = Object.entries(services).filter(([, { image }]) => image?.includes('sameway'));
  expect(own.map(([name]) => name)).toEqual(['web', 'worker']);
  for (const [name, service] of own) {
    const { environment = {} } = service;
    expect(unknownAmong(Object.keys(environment)), name).toEqual([]);
    const env = readEnv(withSecretFiles(environment));
    expect([...env.ROLES]).toEqual([name]);
    expect(env.publicUrl).toBe('https://ride.example.com');
    expect(service.read_only).toBe(true);
    expect(service.cap_drop).toEqual(['ALL']);
    for (const [key, file] of Object.entries(environment))
      if (key.endsWith('_FILE')) expect(service.secrets).toContain(path.basename(file));
  }
  for (const [name, service] of Object.entries(services)) {
    expect(service.restart, name).toBe('unless-stopped');
    for (const secret of service.secrets ?? []) expect(Object.keys(secrets)).toContain(secret);
    for (const volume of service.volumes ?? [])
      if (!volume.startsWith('.')) expect(Object.keys(volumes)).toContain(volume.split(':')[0]);
    for (const network of service.networks ?? []) expect(Object.keys(networks)).toContain(network);
  }
});

test('compose: prepare.sh makes every secret, keeps existing files, and its examples are settings', () => {
  const copy = path.join(folder, 'compose');
  fs.cpSync(deployFile('compose'), copy, { recursive: true });
  for (const made of ['.env', 'settings.env', 'secrets'])
    fs.rmSync(path.join(copy, made), { recursive: true, force: true });
  const script = path.join(copy, 'prepare.sh');
  expect(run(script, []).status).toBe(2);
  const first = run(script, ['ride.example.com']);
  expect(first.status, first.said).toBe(0);
  const read = (name: string) => fs.readFileSync(path.join(copy, name), 'utf8');
  for (const { file } of Object.values(readCompose().secrets))
    expect(
      read(file.replace('${DATABASE_URL_SECRET:-database-url}', 'database-calls-url')).length,
    ).toBeGreaterThanOrEqual(32);
  expect(read('secrets/database-url')).toContain(read('secrets/database-password'));
  expect(read('secrets/database-calls-url')).toMatch(
    /^postgres:\/\/sameway_calls:[0-9a-f]{64}@database:5432\/sameway$/,
  );
  const key = read('secrets/backup-key');
  run(script, ['other.example.com']);
  expect(read('secrets/backup-key')).toBe(key);
  expect(read('.env')).toBe('DOMAIN=ride.example.com\nDATABASE_URL_SECRET=database-calls-url\n');
  expect(unknownAmong(Object.keys(readExamples('compose/settings.example.env')))).toEqual([]);
});

const units = [
  'sameway-web@.service',
  'sameway-worker.service',
  'sameway-matching@.service',
  'sameway-backup.service',
];

test('systemd: the server accepts the settings of the units', () => {
  const shared = readExamples('systemd/settings.example.env');
  expect(unknownAmong(Object.keys(shared))).toEqual([]);
  for (const unit of units) {
    const { variables, credentials } = readUnit(unit, '3040');
    expect(unknownAmong(Object.keys(variables)), unit).toEqual([]);
    for (const [name, value] of Object.entries(variables))
      if (name.endsWith('_FILE')) expect(credentials).toContain(value.replace('%d/', ''));
    const { DATA_DIR } = readEnv(withSecretFiles({ ...shared, ...variables }));
    expect(DATA_DIR).toBe('/var/lib/sameway');
    // The operator's commands take the same for granted, and find each secret.
    expect(variables).toMatchObject(unitSettings);
    for (const name of Object.keys(variables))
      if (name.endsWith('_FILE')) expect(credentials).toContain(secretFile(name.slice(0, -5)));
  }
});

test('systemd: systemd accepts the units and rates them as sandboxed', (context) => {
  if (!isHere('systemd-analyze', 'systemd')) return context.skip();
  const copies = path.join(folder, 'units');
  fs.mkdirSync(copies);
  for (const name of fs
    .readdirSync(deployFile('systemd'))
    .filter((each) => /\.(service|timer|target)$/.test(each)))
    fs.writeFileSync(
      path.join(copies, name),
      readDeployFile(`systemd/${name}`).replace('/opt/sameway/bin/node', process.execPath),
    );
  const files = fs.readdirSync(copies).map((name) => path.join(copies, name));
  const verified = run('systemd-analyze', ['verify', ...files]);
  // The output also mentions units of the machine itself.
  expect(verified.said.split('\n').filter((line) => line.includes('sameway'))).toEqual([]);
  for (const unit of units) {
    // 20 of 100: the remaining points are for network access and for the writable memory that Node's compiler
    // needs.
    const graded = run('systemd-analyze', [
      'security',
      '--offline=true',
      '--threshold=20',
      '--no-pager',
      path.join(copies, unit),
    ]);
    expect(graded.status, graded.said).toBe(0);
  }
});

test('nginx accepts its example', (context) => {
  if (!isHere('nginx', 'nginx')) return context.skip();
  const { key, chain } = certificate();
  const include = path.join(folder, 'sameway-proxy.conf');
  fs.writeFileSync(include, readDeployFile('nginx/sameway-proxy.conf'));
  const site = readDeployFile('nginx/sameway.conf')
    .replaceAll('/etc/nginx/snippets/sameway-proxy.conf', include)
    .replace('/etc/ssl/sameway/fullchain.pem', chain)
    .replace('/etc/ssl/sameway/privkey.pem', key);
  const config = path.join(folder, 'nginx.conf');
  fs.writeFileSync(
    config,
    `pid ${folder}/nginx.pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${site}\n}\n`,
  );
  const checked = run('nginx', ['-t', '-c', config, '-p', folder]);
  expect(checked.status, checked.said).toBe(0);
  expect(checked.said).not.toContain('[warn]');
});

test('HAProxy accepts its example', (context) => {
  if (!isHere('haproxy', 'haproxy')) return context.skip();
  const config = path.join(folder, 'haproxy.cfg');
  fs.writeFileSync(
    config,
    readDeployFile('haproxy/haproxy.cfg').replace('/etc/haproxy/certs/', certificate().both),
  );
  const checked = run('haproxy', ['-c', '-f', config]);
  expect(checked.status, checked.said).toBe(0);
  expect(checked.said).not.toContain('[WARNING]');
});

test('Caddy accepts its file', (context) => {
  if (!isHere('caddy', 'caddy')) return context.skip();
  const args = ['validate', '--adapter', 'caddyfile', '--config', deployFile('compose/Caddyfile')];
  const checked = run('caddy', args, { DOMAIN: 'ride.example.com', HOME: folder });
  expect(checked.status, checked.said).toBe(0);
});

test('every proxy hides the monitoring endpoints', () => {
  for (const name of [
    'compose/Caddyfile',
    'nginx/sameway.conf',
    'haproxy/haproxy.cfg',
    'helm/sameway/templates/ingress.yaml',
  ])
    for (const address of ['/metrics', '/health', '/ready'])
      expect(readDeployFile(name), name).toContain(address);
});

test('the container file sets a user other than root, volumes and a health check', () => {
  const lines = readDeployFile('container/Containerfile').replaceAll('\\\n', ' ').split('\n');
  const of = (word: string) =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
  expect(of('FROM')).toEqual(['${BASE} AS build', '${BASE}']);
  expect(of('ARG')).toHaveLength(1);
  expect(of('USER')).toEqual(['10001:10001']);
  expect(of('VOLUME')).toEqual(['["/data", "/backups"]']);
  expect(of('STOPSIGNAL')).toEqual(['SIGTERM']);
  expect(of('HEALTHCHECK')[0]).toContain('health.mjs');
  expect(of('ADD')).toEqual([]);
  const variables = of('ENV')
    .flatMap((line) => line.trim().split(/\s+/))
    .map((word) => word.split('=')[0]!);
  expect(unknownAmong(variables)).toEqual([]);
});

interface Manifest {
  kind: string;
  metadata: { name: string };
  spec: {
    template?: {
      spec: {
        securityContext: { runAsNonRoot: boolean };
        containers: {
          securityContext: { readOnlyRootFilesystem: boolean };
          env: { name: string; value: string }[];
        }[];
      };
    };
  };
}

test('Helm: the chart uses existing settings and this release, and leads plain http to https', () => {
  const { settings, secret, ingress } = parse(readDeployFile('helm/sameway/values.yaml')) as {
    settings: Record<string, string>;
    secret: { settings: string[] };
    ingress: { annotations: Record<string, string> };
  };
  expect(unknownAmong([...Object.keys(settings), ...secret.settings])).toEqual([]);
  expect(ingress.annotations['nginx.ingress.kubernetes.io/ssl-redirect']).toBe('true');
  expect(readDeployFile('helm/sameway/templates/ingress.yaml')).toMatch(/^ {2}tls:\n {4}- hosts:/m);
  const { appVersion: ofChart } = parse(readDeployFile('helm/sameway/Chart.yaml')) as { appVersion: string };
  expect(ofChart).toBe(appVersion);
  const names = [...readDeployFile('helm/sameway/templates/processes.yaml').matchAll(/- name: ([A-Z_]+)$/gm)];
  expect(unknownAmong(names.map(([, name]) => name!))).toEqual([]);
});

/** Renders the chart with Helm, or with the libraries it is built on; null if neither is installed. */
function renderChart(values: string[]): string | null {
  const chart = deployFile('helm/sameway');
  if (spawnSync('helm', ['version']).error === undefined) {
    const sets = values.flatMap((each) => ['--set', each]);
    const { status, said } = run('helm', ['template', 'town', chart, ...sets]);
    expect(status, said).toBe(0);
    return said;
  }
  if (
    spawnSync('go', ['version']).error !== undefined ||
    !fs.existsSync('/usr/share/gocode/src/github.com/Masterminds/sprig')
  ) {
    process.stderr.write(
      'helm is not installed, nor what renders its charts: the chart is not tried (golang-go, golang-github-masterminds-sprig-dev, golang-gopkg-yaml.v3-dev).\n',
    );
    return null;
  }
  const go = {
    GO111MODULE: 'off',
    GOPATH: '/usr/share/gocode',
    GOCACHE: path.join(os.tmpdir(), 'sameway-go'),
  };
  const { status, said } = run(
    'go',
    ['run', path.join(import.meta.dirname, 'render-chart.go'), chart, ...values],
    go,
  );
  expect(status, said).toBe(0);
  return said;
}

test('Helm: the server starts with the settings of the chart’s processes', (context) => {
  const text = renderChart(['matching.replicas=2', 'serviceMonitor.enabled=true']);
  if (text === null) return context.skip();
  const manifests = parseAllDocuments(text).flatMap((each) => {
    expect(each.errors).toEqual([]);
    const made = each.toJS() as Manifest | null;
    return made === null ? [] : [made];
  });
  expect(manifests.map(({ kind }) => kind).toSorted()).toEqual([
    ...Array(3).fill('Deployment'),
    'Ingress',
    'PersistentVolumeClaim',
    'PodDisruptionBudget',
    ...Array(4).fill('Service'),
    'ServiceMonitor',
  ]);
  const roles = manifests
    .filter(({ kind }) => kind === 'Deployment')
    .map(({ spec }) => {
      const pod = spec.template!.spec;
      const [container] = pod.containers;
      expect(pod.securityContext.runAsNonRoot).toBe(true);
      expect(container!.securityContext.readOnlyRootFilesystem).toBe(true);
      const variables = Object.fromEntries(container!.env.map(({ name, value }) => [name, value]));
      expect(unknownAmong(Object.keys(variables))).toEqual([]);
      return [...readEnv(withSecretFiles({ NODE_ENV: 'production', ...variables })).ROLES].join();
    });
  expect(roles.toSorted()).toEqual(['matching', 'web', 'worker']);
});

test('the changelog, the chart’s image and package.json name this release', () => {
  const read = (name: string) => fs.readFileSync(path.resolve(import.meta.dirname, '../..', name), 'utf8');
  expect(/^## (\S+)$/m.exec(read('CHANGELOG.md'))?.[1]).toBe(appVersion);
  expect((JSON.parse(read('package.json')) as { version: string }).version).toBe(appVersion);
  expect(readDeployFile('helm/sameway/values.yaml')).toContain(`tag: ${appVersion}\n`);
});
