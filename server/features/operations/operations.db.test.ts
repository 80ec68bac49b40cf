import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSettings } from '#contract/admin/operations.ts';
import { version } from '#contract/app/endpoints.ts';
import { match } from '#contract/rides/endpoints.ts';
import { readProfile } from '#contract/user/endpoints.ts';
import { callsRole } from '../../testing/database.ts';
import { noteBackupFailure, noteLastBackup } from '../../platform/backup/backup-state.ts';
import { hourMs, later, minuteMs } from '../../platform/clock.ts';
import { openMailServer } from '../../testing/mail-server.ts';
import { publishRequest, publishRide } from '../../testing/orders.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import type { Readiness } from './readiness.ts';

const METRICS_TOKEN = 'a-token-of-the-test';
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ env: { METRICS_TOKEN } });
});
afterAll(() => app.close());

const get = (url: string, authorization?: string) =>
  app.http.inject({ url, headers: authorization === undefined ? {} : { authorization } });
const ownerName = async (): Promise<string> =>
  (await app.pool.query<{ name: string }>('select quote_ident(current_user) as name')).rows[0]!.name;
const figures = async (): Promise<string> => (await get('/metrics', `Bearer ${METRICS_TOKEN}`)).body;

test('a process reports that it is alive, and its release', async () => {
  const answer = await get('/health');
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toEqual({ alive: true, version: expect.stringMatching(/^\d+\.\d+/) });
  expect(answer.headers['cache-control']).toBe('no-store');
});

test('a process is ready while all its parts are, and no longer once it stops', async () => {
  const parts = { process: 'ready', database: 'ready', searches: 'ready', mail: 'ready' };
  expect((await get('/ready')).json()).toEqual({ ready: true, parts, warnings: [] });
  const { query } = app.serverPool;
  app.serverPool.query = () => Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }));
  try {
    const away = await get('/ready');
    expect(away.statusCode).toBe(503);
    expect(away.json()).toEqual({ ready: false, parts: { ...parts, database: 'away' }, warnings: [] });
  } finally {
    app.serverPool.query = query;
  }
  const other = await openTestApp();
  await other.http.listen({ port: 0, host: '127.0.0.1' });
  let seen = 0;
  const ending = other.platform.drain.run(async () => {
    const answer = await other.http.inject({ url: '/ready' });
    expect(answer.json()).toEqual({ ready: false, parts: { ...parts, process: 'ending' }, warnings: [] });
    seen = answer.statusCode;
  });
  await ending;
  expect(seen).toBe(503);
  await other.close();
});

test('a mail server and a Redis that are away are reported, and the process stays ready', async () => {
  const server = await openMailServer();
  const other = await openTestApp({
    // Nothing listens on this port.
    env: { METRICS_TOKEN, SMTP_URL: server.url, REDIS_URL: 'redis://127.0.0.1:9' },
  });
  const parts = async () => (await other.http.inject({ url: '/ready' })).json<Readiness>().parts;
  const email = { to: 'mia@mail.example', language: 'en', subject: 'Hello', blocks: [] } as const;
  try {
    await other.platform.mail.send(email);
    expect(await parts()).toMatchObject({ mail: 'ready', redis: 'away' });
    await server.close();
    await expect(other.platform.mail.send(email)).rejects.toThrow();
    const answer = await other.http.inject({ url: '/ready' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ ready: true, parts: { mail: 'away', redis: 'away' } });
    const text = await other.platform.metrics.text();
    expect(text).toContain('sameway_ready{part="mail"} 0\n');
    expect(text).toContain('sameway_ready{part="redis"} 0\n');
  } finally {
    await other.close();
  }
});

test('a mail server that refuses one recipient is not away, and one that refuses the login is', async () => {
  for (const [answers, state] of [
    [{ RCPT: '550 no such person' }, 'ready'],
    [{ AUTH: '535 wrong password' }, 'away'],
  ] as const) {
    const server = await openMailServer(answers);
    const other = await openTestApp({ env: { SMTP_URL: server.url } });
    const email = { to: 'mia@mail.example', language: 'en', subject: 'Hello', blocks: [] } as const;
    await expect(other.platform.mail.send(email)).rejects.toThrow();
    expect(await other.platform.mail.state()).toBe(state);
    await other.close();
    await server.close();
  }
});

test('calls that work as the owner of the tables are a warning: the process is ready all the same', async () => {
  // As in an installation with a single role.
  await app.pool.query(`grant ${await ownerName()} to ${callsRole.name}`);
  try {
    const answer = await get('/ready');
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ ready: true, warnings: ['databaseOwner'] });
  } finally {
    await app.pool.query(`revoke ${await ownerName()} from ${callsRole.name}`);
  }
  expect((await get('/ready')).json()).toMatchObject({ ready: true, warnings: [] });
});

test('metrics need the token, and do not exist without one', async () => {
  for (const wrong of [undefined, 'Bearer ', 'Bearer another-token', METRICS_TOKEN])
    expect((await get('/metrics', wrong)).statusCode).toBe(401);
  const none = await openTestApp();
  const answer = await none.http.inject({ url: '/metrics', headers: { authorization: 'Bearer undefined' } });
  expect(answer.statusCode).toBe(404);
  await none.close();
});

test('calls are counted by how they end', async () => {
  const person = await app.person('Paula Person');
  await app.ok(person, readProfile, {});
  await get(readProfile.path);
  const text = await figures();
  expect(text).toContain(`sameway_calls_total{path="${readProfile.path}",outcome="answered"} 1`);
  expect(text).toContain(`sameway_calls_total{path="${readProfile.path}",outcome="refused"} 1`);
  expect(text).toContain('sameway_refusals_total{reason="session.missing"} 1');
  expect(text).toContain(`sameway_call_duration_seconds_count{path="${readProfile.path}"} 2`);
});

test('metrics show what waits: signals by the age of the oldest, jobs, payments', async () => {
  await app.platform.outbox.deliverAll(app.serverPool, app.platform.log);
  expect(await figures()).toContain('sameway_event_lag_seconds 0\n');
  const person = await app.person('Lena Late');
  await app.platform.transact('test', (tx) =>
    app.platform.outbox.tell(tx, [person.id], { topic: 'profile', id: person.id, news: null }),
  );
  app.clock.advance(2 * minuteMs);
  const text = await figures();
  expect(text).toMatch(/sameway_event_lag_seconds 12\d(\.\d+)?\n/);
  expect(text).toContain('sameway_events_unheard 1\n');
  expect(text).toContain('sameway_jobs{state="retrying"} 0\n');
  expect(text).toContain('sameway_payment_steps{state="late"} 0\n');
  expect(text).toContain('sameway_ready{part="database"} 1\n');
  expect(text).toContain('sameway_sockets 0\n');
});

test('metrics of searches: how long they took, what waits for the thread, and what the index holds', async () => {
  const before = await figures();
  expect(before).not.toMatch(/^sameway_index_orders\{/m);
  expect(before).not.toMatch(/^sameway_index_file_age_seconds /m);
  const driver = await app.person('Dora Driver');
  const ride = await publishRide(app, driver);
  await publishRequest(app, await app.person('Rita Rider'));
  await app.ok(driver, match, { id: ride.id });
  const text = await figures();
  expect(text).toMatch(/sameway_search_duration_seconds_count\{of="requests"\} [1-9]/);
  expect(text).toContain('sameway_index_orders{kind="ride"} 1\n');
  expect(text).toContain('sameway_index_orders{kind="request"} 1\n');
  expect(text).toContain('sameway_index_waiting 0\n');
});

test('the board and the alert rules use existing metrics', async () => {
  // An installation with backups; the test does not run its scheduled tasks.
  const other = await openTestApp({ env: { METRICS_TOKEN, BACKUP_TO: os.tmpdir() } });
  const text = await other.platform.metrics.text();
  await other.close();
  const known = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
  const shipped = ['grafana/sameway.json', 'prometheus/rules.yml'].map((name) =>
    fs.readFileSync(path.resolve(import.meta.dirname, '../../../deploy', name), 'utf8'),
  );
  const named = shipped.flatMap((file) =>
    [...file.matchAll(/\b(?:sameway|nodejs|process)_[a-z\d_]+/g)].map(([name]) => name),
  );
  expect(named.length).toBeGreaterThan(20);
  for (const name of named)
    expect(known).toContain(name.replace(/(?<=duration_seconds)_(?:bucket|sum|count)$/, ''));
});

test('each alert has its section for the operator', () => {
  const read = (name: string) => fs.readFileSync(path.resolve(import.meta.dirname, '../../..', name), 'utf8');
  const cards = read('docs/operating.md');
  for (const [, name] of read('deploy/prometheus/rules.yml').matchAll(/- alert: (\w+)/g))
    expect(cards).toContain(`### ${name}\n`);
});

test('scheduled tasks are counted, with their failures', async () => {
  await app.scheduler.tick();
  expect(await figures()).toMatch(/sameway_scheduled_rounds_total\{name="heartbeat",outcome="done"\} [1-9]/);
});

test('a gauge that cannot be read is left out and counted; the others remain', async () => {
  await app.pool.query('alter table failed_deliveries rename to gone');
  try {
    const text = await figures();
    expect(text).not.toMatch(/^sameway_undelivered /m);
    expect(text).toContain('sameway_ready{part="database"} 1\n');
    expect(await figures()).toMatch(/sameway_unread_gauges_total\{gauge="sameway_undelivered"\} [12]/);
  } finally {
    await app.pool.query('alter table gone rename to undelivered');
  }
});

test('a process without the role web answers monitoring', async () => {
  const worker = await openTestApp({ env: { ROLES: 'worker', LIVE_ADAPTER: 'postgres' } });
  expect((await worker.http.inject({ url: '/health' })).statusCode).toBe(200);
  expect((await worker.http.inject({ url: '/ready' })).statusCode).toBe(200);
  expect((await worker.http.inject({ url: version.path })).statusCode).toBe(200);
  await worker.close();
});

test('metrics and the settings of the admin area show the last backup, and why later ones failed', async () => {
  const owner = await app.person('Owner', { staffRole: 'owner' });
  const shown = async () => (await app.ok(owner, readSettings, {})).backup;
  const figure = async (name: string) => new RegExp(`^${name} (\\S+)$`, 'm').exec(await figures())?.[1];
  const { db } = app.platform;
  expect(await shown()).toBeNull();
  expect(await figure('sameway_backup_age_seconds')).toBeUndefined();
  const now = new Date();
  const last = later(now, -hourMs).toISOString();
  await noteLastBackup(db, last, now);
  expect(await shown()).toEqual({ last, failure: null });
  const reason = 'ENOSPC: no space left on device, write';
  await noteBackupFailure(db, new Error(reason), now);
  await noteBackupFailure(db, new Error(reason), now);
  const next = later(now, 30 * minuteMs).toISOString();
  expect(await shown()).toEqual({ last, failure: { tries: 2, at: now.toISOString(), reason, next } });
  expect(Number(await figure('sameway_backup_age_seconds'))).toBeGreaterThanOrEqual(3600);
  expect(await figure('sameway_backup_failures')).toBe('2');
});
