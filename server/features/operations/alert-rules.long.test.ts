import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { listAlerts } from '#contract/alerts/endpoints.ts';
import { noteBackupFailure, noteLastBackup } from '../../platform/backup/backup-state.ts';
import type { BackupNote } from '../../platform/backup/backup-notes.ts';
import { dayMs, hourMs, later, minuteMs, secondMs } from '../../platform/clock.ts';
import { addressOf } from '../../testing/database.ts';
import { openMailServer } from '../../testing/mail-server.ts';
import { openPrometheus } from '../../testing/prometheus.ts';
import { openRedisServer } from '../../testing/redis-server.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { searchIndex } from '../matching/own-index.ts';

const token = 'a-token-of-the-test';
/** The longest range and the longest `for`, as short as they are made here, on a busy machine. */
const firesWithinMs = 240_000;
const rulesFile = path.resolve(import.meta.dirname, '../../../deploy/prometheus/rules.yml');

/** Causes a fault. @returns a function that ends it */
type Fault = (app: TestApp, call: () => Promise<unknown>) => Promise<() => unknown>;

const renamed =
  (table: string): Fault =>
  async ({ pool }) => {
    await pool.query(`alter table ${table} rename to gone_for_a_while`);
    return () => pool.query(`alter table gone_for_a_while rename to ${table}`);
  };

const backups = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-alerts-'));
/**
 * Pretends that the newest backup was made at this time: none is made, because the next one is due in a
 * month.
 */
function noteBackup(at: Date): void {
  const note: BackupNote = {
    format: 1,
    archive: 'backup-1.tar.zst',
    beganAt: at.toISOString(),
    at: at.toISOString(),
    release: '1',
    migration: '1',
    database: 'dump',
    pictures: 'included',
    isSealed: false,
    files: 1,
    bytes: 1,
  };
  fs.writeFileSync(path.join(backups, 'backup-1.json'), JSON.stringify(note));
}

let mailServer = await openMailServer();
/** Null where none is installed: its rule is then not tried. */
const redis = await openRedisServer();

/** Repeats some work until it is stopped. */
function again(work: () => Promise<unknown>, everyMs: number): () => Promise<void> {
  const ending = new AbortController();
  const going = (async () => {
    while (!ending.signal.aborted) {
      await work();
      await sleep(everyMs);
    }
  })();
  return async () => {
    ending.abort();
    await going;
  };
}

/** For each rule, the fault that it detects. */
const faults: Record<string, Fault> = {
  SamewayNoWorker: async ({ scheduler }) => {
    await scheduler.stop();
    return () => scheduler.start();
  },
  SamewayDatabaseAway: async ({ pool }) => {
    // The database itself cuts all connections and refuses new ones.
    const { rows } = await pool.query<{ name: string }>('select current_database() as name');
    const { name } = rows[0]!;
    const admin = new Client(addressOf(pool).replace(`/${name}?`, '/postgres?'));
    await admin.connect();
    await admin.query(`alter database ${name} with allow_connections false`);
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    return async () => {
      await admin.query(`alter database ${name} with allow_connections true`);
      await admin.end();
    };
  },
  SamewayNotReady: async ({ platform, pool }) => {
    // As at a start: the open orders are read, which a lock on them holds up.
    const client = await pool.connect();
    await client.query('begin');
    await client.query('lock table rides, requests in access exclusive mode');
    const end = again(
      () =>
        searchIndex(platform)
          .warm()
          .catch(() => undefined),
      100,
    );
    return async () => {
      await client.query('commit');
      client.release();
      await end();
    };
  },
  SamewayCallsFail: async (app, call) => {
    const undo = await renamed('alerts')(app, call);
    const end = again(call, 100);
    return async () => {
      await end();
      await undo();
    };
  },
  SamewayCallsSlow: async ({ pool }, call) => {
    const end = again(async () => {
      const client = await pool.connect();
      await client.query('begin');
      await client.query('lock table alerts in access exclusive mode');
      const called = Promise.all(Array.from({ length: 3 }, call));
      await sleep(3500);
      await client.query('commit');
      client.release();
      await called;
    }, 100);
    return end;
  },
  SamewayEventsLate: async (app) => {
    const { outbox, transact, log } = app.platform;
    await outbox.stop();
    const person = await app.person('Lena Late');
    await transact('sameway events late', (tx) =>
      outbox.tell(tx, [person.id], { topic: 'profile', id: person.id, news: null }),
    );
    app.clock.advance(2 * minuteMs);
    return () => outbox.start(app.serverPool, log);
  },
  SamewayJobsWait: async (app) => {
    const { outbox, log } = app.platform;
    await outbox.stop();
    await app.pool.query(
      `select graphile_worker.add_job('waits for ever', '{}') from generate_series(1, 1001)`,
    );
    return async () => {
      await app.pool.query(
        `select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs where task_identifier = 'waits for ever'))`,
      );
      await outbox.start(app.serverPool, log);
    };
  },
  SamewayMailAway: async ({ platform }) => {
    const { port } = new URL(mailServer.url);
    await mailServer.close();
    const email = { to: 'mia@mail.example', language: 'en', subject: 'Hello', blocks: [] } as const;
    await platform.mail.send(email).catch(() => undefined);
    return async () => {
      mailServer = await openMailServer({}, Number(port));
      await platform.mail.send(email);
    };
  },
  SamewayRedisAway: async () => {
    await redis?.stop();
    return () => redis?.start();
  },
  SamewayUndelivered: async ({ pool }) => {
    await pool.query(
      `insert into failed_deliveries (id, task, recipient, what, payload, error, attempts, at)
       values ($1, 'letter', 'nobody@example.com', 'Test', '{}', 'refused', 12, now())`,
      [randomUUID()],
    );
    return () => pool.query('delete from failed_deliveries');
  },
  SamewayWebhooksLate: async ({ pool, clock }) => {
    const at = later(clock.now(), -2 * hourMs);
    const id = randomUUID();
    await pool.query(
      `insert into webhooks (id, name, url, events, state, secret, created_at)
       values ($1, 'Office', 'https://example.com/hook', '{}', 'on', '', $2)`,
      [id, at],
    );
    await pool.query(
      `insert into webhook_deliveries (id, webhook_id, source, event, body, state, created_at, next_at)
       values ($1, $1, 'test', 'test', '{}', 'waiting', $2, $3)`,
      [id, at, later(clock.now(), 2 * hourMs)],
    );
    return () => pool.query('delete from webhooks where id = $1', [id]);
  },
  SamewayPaymentsLate: async ({ pool, clock, scheduler }) => {
    // No worker runs the step.
    await scheduler.stop();
    const now = clock.now();
    const client = await pool.connect();
    await client.query('set session_replication_role = replica');
    await client.query(
      `insert into authorizations (id, provider, booking_id, passenger_id, driver_id, ride_id, request_id, order_number,
         from_name, to_name, ride_at, time_zone, seats, goal, amount_cents, is_present, state, next_at,
         created_at, updated_at)
       values ($1, 'sandbox', $1, $1, $1, $1, $1, 'SW-TEST01', 'A', 'B', $2, 'UTC', 1, 'authorize', 100, false,
         'requires_confirmation', $3, $2, $2)`,
      [randomUUID(), now, later(now, -hourMs)],
    );
    await client.query('set session_replication_role = origin');
    client.release();
    return async () => {
      await pool.query('delete from authorizations');
      scheduler.start();
    };
  },
  SamewayMoneyAlarm: async ({ pool, clock }) => {
    const now = clock.now();
    await pool.query(
      `insert into payment_alarms (id, kind, about, detail, first_at, last_at) values ($1, 'books', '', '', $2, $2)`,
      [randomUUID(), now],
    );
    return () => pool.query('delete from payment_alarms');
  },
  SamewayBackupLate: async ({ clock }) => {
    noteBackup(later(new Date(), -3 * dayMs));
    // The rule is evaluated every five minutes.
    clock.advance(6 * minuteMs);
    return () => {
      noteBackup(new Date());
      clock.advance(6 * minuteMs);
    };
  },
  SamewayBackupFails: async ({ platform: { db } }) => {
    for (let tries = 0; tries < 2; tries++) await noteBackupFailure(db, new Error('full'), new Date());
    return () => noteLastBackup(db, new Date().toISOString(), new Date());
  },
  SamewayTaskFails: renamed('authorizations'),
  SamewayConnectionsShort: async ({ serverPool }, call) => {
    const taken = await Promise.all(
      Array.from({ length: serverPool.options.max }, () => serverPool.connect()),
    );
    const called = [call(), call()];
    return async () => {
      for (const client of taken) client.release();
      await Promise.all(called);
    };
  },
  SamewayThreadBusy: async () =>
    again(async () => {
      const until = performance.now() + 900;
      while (performance.now() < until);
    }, 50),
  // Last, because nothing answers after it.
  SamewayDown: async (app) => {
    await app.http.close();
    return () => {};
  },
};

test('each rule has a fault', () => {
  const rules = new Set(
    [...fs.readFileSync(rulesFile, 'utf8').matchAll(/- alert: (\w+)/g)].map(([, name]) => name),
  );
  expect(rules).toEqual(new Set(Object.keys(faults)));
});

test('each alert rule fires in a real Prometheus while its fault lasts', async (context) => {
  noteBackup(new Date());
  const app = await openTestApp({
    env: {
      METRICS_TOKEN: token,
      BACKUP_TO: backups,
      BACKUP_EVERY_HOURS: '720',
      // Not the embedded database, whose log would be archived.
      DATABASE_URL: 'postgres://the-one-of-the-test',
      SMTP_URL: mailServer.url,
      REDIS_URL: redis?.url ?? '',
    },
  });
  const url = await app.http.listen({ port: 0, host: '127.0.0.1' });
  const prometheus = await openPrometheus({ port: Number(new URL(url).port), token });
  if (prometheus === null) {
    await app.close();
    return context.skip();
  }
  try {
    const { token: session } = await app.person('Carla Caller');
    const call = () =>
      fetch(`${url}${listAlerts.path}`, { headers: { authorization: `Bearer ${session}` } }).then(
        (answer) => answer.text(),
        () => null,
      );
    await app.platform.outbox.start(app.serverPool, app.platform.log);
    app.scheduler.start();
    const until = async (name: string, fires: boolean) => {
      const endsAt = performance.now() + firesWithinMs;
      while ((await prometheus.firing()).includes(name) !== fires)
        if (performance.now() > endsAt) throw new Error(`${name} ${fires ? 'does not fire' : 'is not over'}`);
        else await sleep(250);
    };
    const seconds: string[] = [];
    for (const [name, make] of Object.entries(faults)) {
      if (name === 'SamewayRedisAway' && redis === null) continue;
      await until(name, false);
      const madeAt = performance.now();
      const undo = await make(app, call);
      await until(name, true);
      seconds.push(`${name} ${Math.round((performance.now() - madeAt) / secondMs)} s`);
      await undo();
      if (name !== 'SamewayDown') await until(name, false);
    }
    process.stderr.write(`Fired after: ${seconds.join(', ')}\n`);
  } finally {
    await prometheus.stop();
    await app.scheduler.stop();
    await app.platform.outbox.stop();
    await app.close();
    await mailServer.close();
    await redis?.stop();
    fs.rmSync(backups, { recursive: true });
  }
});
