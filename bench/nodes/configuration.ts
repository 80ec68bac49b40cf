import path from 'node:path';

/** Where everything listens on 127.0.0.1. */
export interface ClusterPorts {
  etcd: number;
  etcdPeers: number;
  one: { postgres: number; rest: number };
  two: { postgres: number; rest: number };
  /** HAProxy, to whichever database is primary. */
  primary: number;
  pooler: number;
  redis: number;
  /** HAProxy, to the web processes. */
  web: number;
  webs: readonly number[];
  worker: number;
  matching: readonly number[];
}

const password = 'cluster';

/** Patroni with a synchronous standby: what is acknowledged is on both, so a failover loses nothing. */
export function patroniFile({
  home,
  name,
  ports,
}: {
  home: string;
  name: 'one' | 'two';
  ports: ClusterPorts;
}): string {
  const { postgres, rest } = ports[name];
  return JSON.stringify({
    scope: 'sameway',
    name,
    restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${rest}` },
    etcd3: { host: `127.0.0.1:${ports.etcd}` },
    bootstrap: {
      dcs: {
        // As soon as Patroni allows a leader that says nothing to be replaced.
        ttl: 20,
        loop_wait: 1,
        retry_timeout: 5,
        synchronous_mode: true,
        failsafe_mode: true,
        postgresql: {
          use_pg_rewind: true,
          parameters: { max_connections: 200, wal_keep_size: '512MB', max_wal_size: '2GB' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
      pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication all 127.0.0.1/32 scram-sha-256'],
    },
    postgresql: {
      listen: `127.0.0.1:${postgres}`,
      connect_address: `127.0.0.1:${postgres}`,
      data_dir: path.join(home, 'data'),
      bin_dir: '/usr/lib/postgresql/15/bin',
      pgpass: path.join(home, 'pgpass'),
      parameters: { unix_socket_directories: home },
      authentication: {
        superuser: { username: 'postgres', password },
        replication: { username: 'replicator', password },
        rewind: { username: 'rewinder', password },
      },
    },
  });
}

/** HAProxy before the web processes, and before the database that is primary. */
export const proxyFile = ({ web, webs, primary, one, two }: ClusterPorts): string => `
defaults
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout tunnel 1h
  default-server inter 500ms fall 2 rise 1
  option redispatch
  retries 2
frontend web
  mode http
  bind 127.0.0.1:${web}
  option forwardfor
  default_backend webs
backend webs
  mode http
  balance roundrobin
  option httpchk GET /app/version
  ${webs.map((port, at) => `server web${at + 1} 127.0.0.1:${port} check on-marked-down shutdown-sessions`).join('\n  ')}
listen primary
  mode tcp
  bind 127.0.0.1:${primary}
  timeout client 1h
  timeout server 1h
  option httpchk GET /primary
  server one 127.0.0.1:${one.postgres} check port ${one.rest} on-marked-down shutdown-sessions
  server two 127.0.0.1:${two.postgres} check port ${two.rest} on-marked-down shutdown-sessions
`;

/** PgBouncer before HAProxy's way to the primary. */
export const bouncerFile = ({ pooler, primary }: ClusterPorts): string => `
[databases]
sameway = host=127.0.0.1 port=${primary} user=sameway password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${pooler}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 20
max_client_conn = 500
server_login_retry = 1
server_connect_timeout = 3
query_wait_timeout = 10
`;
