import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { say } from '../bench-app.ts';

/** The programs of the cluster, and the Debian packages that bring them. */
export const programs = {
  etcd: { file: '/usr/bin/etcd', package: 'etcd-server' },
  patroni: { file: '/usr/bin/patroni', package: 'patroni' },
  postgres: { file: '/usr/lib/postgresql/15/bin/postgres', package: 'postgresql-15' },
  haproxy: { file: '/usr/sbin/haproxy', package: 'haproxy' },
  pgbouncer: { file: '/usr/sbin/pgbouncer', package: 'pgbouncer' },
  redis: { file: '/usr/bin/redis-server', package: 'redis-server' },
  // Gives a program to another user, and ends it with its parent.
  setpriv: { file: '/usr/bin/setpriv', package: 'util-linux' },
} as const;

const missing = () => Object.values(programs).filter(({ file }) => !fs.existsSync(file));

/**
 * Installs with apt-get what is missing, where this user may.
 * @returns what is missing still, in a sentence; null where all is there.
 */
export function installPrograms(): string | null {
  const wanted = missing().map((program) => program.package);
  if (wanted.length === 0) return null;
  const names = wanted.join(' ');
  if (process.getuid?.() !== 0) return `These are not installed, and only root may install them: ${names}`;
  if (spawnSync('apt-get', ['--version']).error !== undefined)
    return `These are not installed, and there is no apt-get to install them: ${names}`;
  say(`installing ${names}`);
  const { status, stderr } = spawnSync(
    'apt-get',
    ['-o', 'DPkg::Lock::Timeout=300', 'install', '-y', '--no-install-recommends', ...wanted],
    // No service of theirs is started on this machine.
    { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }, encoding: 'utf8' },
  );
  if (status === 0 && missing().length === 0) return null;
  return `apt-get could not install ${names}: ${stderr.trim().split('\n').at(-1) ?? ''}`;
}
