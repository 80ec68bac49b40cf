import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAlert } from '#contract/alerts/endpoints.ts';
import { readProfile, saveProfile } from '#contract/user/endpoints.ts';
import { buildApp, type BuiltApp } from '../../app.ts';
import { loadRegion } from '../../features/geo/region.ts';
import { openTestApp, type TestApp, type TestPerson } from '../../testing/test-app.ts';
import { inTransaction, openPool } from '../database/db.ts';
import { readEnv } from '../env.ts';
import { createLog } from './log.ts';
import { inRequest, requestIdOf } from './traces.ts';

/** The parts of a span that the test reads. */
interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}

const spans: SentSpan[] = [];
let sentHeader = '';
const collector = http.createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
  request.on('end', () => {
    sentHeader = String(request.headers['authorization']);
    const { resourceSpans } = JSON.parse(body) as {
      resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[];
    };
    spans.push(...resourceSpans.flatMap((each) => each.scopeSpans.flatMap((scope) => scope.spans)));
    response.setHeader('content-type', 'application/json').end('{}');
  });
});

const lines: Record<string, unknown>[] = [];
let app: TestApp;
/** A server as an operator runs it: it logs, sends traces, and adds no request ids to statements. */
let traced: BuiltApp;
let pool: Pool;
let person: TestPerson;

beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const region = await loadRegion({ env: { REGION: '', DATA_DIR: os.tmpdir() } });
  app = await openTestApp({ region });
  person = await app.person('Tara Traced');
  const env = readEnv({
    NODE_ENV: 'test',
    LOG_LEVEL: 'debug',
    DATABASE_SLOW_MS: '200',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer a=b',
  });
  const { host, port, user, password, database } = app.pool.options;
  pool = openPool({ host, port, user, password, database, max: 3 }, () => undefined);
  const log = createLog(
    { LOG_LEVEL: 'debug', production: true },
    {
      write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>),
    },
  );
  traced = await buildApp({ env, log, clock: app.clock, pool, region, withRealtime: false });
});
afterAll(async () => {
  await traced.http.close();
  await pool.end();
  await app.close();
  await new Promise((resolve) => collector.close(resolve));
});

const call = (id: string, url: string, extra: Record<string, string> = {}, payload?: object) =>
  traced.http.inject({
    method: payload === undefined ? 'GET' : 'POST',
    url,
    headers: { authorization: `Bearer ${person.token}`, 'x-request-id': id, ...extra },
    ...(payload && { payload }),
  });

test('an id from outside is kept if it is safe, and replaced otherwise', () => {
  expect(requestIdOf('8c1f6c5e-0001-4d5f-9f6a-000000000001')).toBe('8c1f6c5e-0001-4d5f-9f6a-000000000001');
  for (const unsound of [
    'short',
    "x'; drop table users; --",
    'a */ b /* aaaaaaa',
    'é'.repeat(10),
    'a'.repeat(49),
    ['a'],
    undefined,
  ])
    expect(requestIdOf(unsound)).toMatch(/^[0-9a-f-]{36}$/);
});

test('the browser’s id is in every log line of its request, for reads and writes', async () => {
  const id = 'browser-0001-read';
  await call(id, readProfile.path);
  expect(lines.filter((line) => line['requestId'] === id)).toContainEqual(
    expect.objectContaining({ msg: 'answered', path: readProfile.path, status: 200 }),
  );
  // A fault deep in a call whose body was read.
  await app.pool.query('alter table alerts rename to gone');
  const wrong = 'browser-0002-write';
  const answer = await call(
    wrong,
    createAlert.path,
    {},
    {
      role: 'passenger',
      fromLon: -122,
      fromLat: 37,
      toLon: -122.1,
      toLat: 37.1,
    },
  ).finally(() => app.pool.query('alter table gone rename to alerts'));
  if (answer.statusCode === 500) {
    expect(answer.headers['x-request-id']).toBe(wrong);
    expect(answer.body).toContain(wrong);
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'request failed', requestId: wrong }));
  } else expect(answer.json()).toMatchObject({ code: 422 });
});

/** The running statements that PostgreSQL shows for a text. */
async function seen(text: string): Promise<{ query: string; application_name: string } | undefined> {
  const { rows } = await app.pool.query<{ query: string; application_name: string }>(
    `select query, application_name from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and query like $1`,
    [`%${text}%`],
  );
  return rows[0];
}

test('PostgreSQL shows the id: as a comment, or as the connection’s name with prepared statements', async () => {
  const request = { id: 'browser-0003-single', span: null };
  const single = inRequest(
    request,
    async () => await traced.platform.db.execute(sql`select pg_sleep(0.4), 'single'`),
  );
  await sleep(150);
  expect((await seen(`'single'`))?.query).toContain(`/* request ${request.id} */`);
  await single;

  const kept = { id: 'browser-0004-kept', span: null };
  const inOne = inRequest(kept, () =>
    inTransaction(
      pool,
      async (tx) => {
        const client = (tx as unknown as { session: { client: Pool } }).session.client;
        for (let times = 0; times < 2; times++)
          await client.query({ name: 'kept-of-the-test', text: `select pg_sleep(0.4), 'kept'` });
      },
      true,
    ),
  );
  await sleep(600);
  const found = await seen(`'kept'`);
  expect(found?.application_name).toBe(`request ${kept.id}`);
  // The text of a prepared statement must not change.
  expect(found?.query).not.toContain('/*');
  await inOne;
  // The name ends with the transaction.
  const { rows } = await pool.query<{ name: string }>(`select current_setting('application_name') as name`);
  expect(rows[0]?.name).not.toContain('request');
});

test('a slow statement is logged with its request, without its values', async () => {
  const request = { id: 'browser-0005-slow', span: null };
  await inRequest(
    request,
    async () => await traced.platform.db.execute(sql`select pg_sleep(0.3), ${'a value of a person'}::text`),
  );
  const line = lines.find(({ msg, requestId }) => msg === 'a slow statement' && requestId === request.id);
  expect(line?.['ms']).toBeGreaterThanOrEqual(200);
  expect(JSON.stringify(line)).toContain('select pg_sleep');
  expect(JSON.stringify(line)).not.toContain('a value of a person');
});

test('a call is a trace with its statements, within the trace of its caller', async () => {
  const traceId = 'a'.repeat(32);
  const parent = 'b'.repeat(16);
  const traceparent = `00-${traceId}-${parent}-01`;
  await call('browser-0006-trace', saveProfile.path, { traceparent }, { name: 'Tara Traced' });
  await call('browser-0007-none', readProfile.path, { traceparent: `00-${'c'.repeat(32)}-${parent}-00` });
  await expect
    .poll(() => spans.filter((span) => span.traceId === traceId).length, { timeout: 10_000 })
    .toBeGreaterThan(2);
  const own = spans.filter((span) => span.traceId === traceId);
  const server = own.find(({ name }) => name === `POST ${saveProfile.path}`)!;
  expect(server.parentSpanId).toBe(parent);
  const attributes = Object.fromEntries(
    server.attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]),
  );
  expect(attributes).toMatchObject({
    'http.route': saveProfile.path,
    'http.response.status_code': 200,
    'sameway.outcome': 'answered',
    'sameway.request.id': 'browser-0006-trace',
  });
  const statements = own.filter(({ parentSpanId }) => parentSpanId === server.spanId);
  expect(statements.map(({ name }) => name)).toContain('update');
  // Statements contain parameters, no values.
  expect(JSON.stringify(statements)).not.toContain('Tara');
  expect(spans.some((span) => span.traceId === 'c'.repeat(32))).toBe(false);
  expect(sentHeader).toBe('Bearer a=b');
});
