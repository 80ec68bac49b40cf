import type { Pool } from 'pg';
import { pino } from 'pino';
import type { Stripe } from 'stripe';
import type { z } from 'zod';
import type { Endpoint } from '#contract/define.ts';
import type { Envelope } from '#contract/envelope.ts';
import { buildApp, type App } from '../app.ts';
import { MovableClock } from '../platform/clock.ts';
import type { DatabaseLimits } from '../platform/database/db.ts';
import { readEnv } from '../platform/env.ts';
import type { Log } from '../platform/observability/log.ts';
import { loadRegion, type LoadedRegion } from '../features/geo/region.ts';
import { testCacheFolder } from './cache-folder.ts';
import { openTestDatabase } from './database.ts';
import { newPerson, type TestPerson } from './people.ts';

export type { TestPerson } from './people.ts';

export interface TestApp extends App {
  /** What the server itself works on; `pool` is the test's own way to the database. */
  serverPool: Pool;
  clock: MovableClock;
  /** Makes a person with a completed profile and a session, without going through sign-up. */
  person(name: string, options?: { isAdmin?: boolean }): Promise<TestPerson>;
  /** Makes a call over HTTP as a person (null: a guest) and returns the envelope. */
  call<I extends z.ZodObject, O extends z.ZodType>(
    who: TestPerson | null,
    endpoint: Endpoint<I, O>,
    input: z.input<I>,
    extra?: Record<string, unknown>,
  ): Promise<Envelope<z.output<O>>>;
  /** The same with an input that the contract's types refuse, as a faulty client sends it. */
  callUnchecked(
    who: TestPerson | null,
    endpoint: Endpoint,
    input: object,
    extra?: Record<string, unknown>,
  ): Promise<Envelope<unknown>>;
  /** The same as `call`, and fails the test with the refusal unless the answer is a success. */
  ok<I extends z.ZodObject, O extends z.ZodType>(
    who: TestPerson | null,
    endpoint: Endpoint<I, O>,
    input: z.input<I>,
  ): Promise<z.output<O>>;
  /** Delivers all signals that wait. */
  deliver(): Promise<void>;
  /** Stops the server for so long: nothing happens meanwhile, and the next tick finds that it was away. */
  beAway(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

/** The real region, loaded once per test file; its road cache is shared by all of them. */
export const testRegion = loadRegion({
  env: { REGION: 'santa-cruz', DATA_DIR: testCacheFolder },
});

/** A whole server on a database of its own, its clock standing at `startsAt` and moved by the test. */
export async function openTestApp(
  options: {
    startsAt?: Date;
    env?: Record<string, string>;
    withLive?: boolean;
    withMemory?: boolean;
    cardClient?: Stripe.HttpClient;
    region?: LoadedRegion;
    clock?: MovableClock;
    limits?: Partial<DatabaseLimits>;
    poolerPort?: number;
  } = {},
): Promise<TestApp> {
  const { pool, own, drop } = await openTestDatabase(options.limits, options.poolerPort);
  const clock = options.clock ?? new MovableClock();
  if (options.startsAt !== undefined) clock.moveTo(options.startsAt);
  const log: Log = pino({ level: 'silent' });
  const env = readEnv({ NODE_ENV: 'test', LOG_LEVEL: 'silent', ...options.env });
  // It stands unless a test stops the server: what a test takes is no outage.
  let wallMs = Date.now();
  const app = await buildApp({
    env,
    log,
    clock,
    pool,
    region: options.region ?? (await testRegion),
    wallMs: () => wallMs,
    withRealtime: options.withLive ?? false,
    withResponseCache: options.withMemory ?? false,
    cardClient: options.cardClient,
  });
  await app.http.ready();

  const send = callsTo(app, clock);
  const call: TestApp['call'] = async (...question) => (await send(...question)).json();
  return {
    ...app,
    pool: own,
    serverPool: pool,
    clock,
    call,
    callUnchecked: call,
    async ok(who, endpoint, input) {
      const answer = await call(who, endpoint, input);
      if (answer.code !== 200 || answer.data === undefined)
        throw new Error(
          `${endpoint.path} refused: ${answer.code} ${answer.reason ?? ''} ${answer.info} ${JSON.stringify(answer.data)}`,
        );
      return answer.data;
    },
    person: (name, options) => newPerson(app.platform, name, options),
    deliver: () => app.platform.outbox.deliverAll(pool, log),
    async beAway(milliseconds) {
      await app.platform.uptime.beat();
      wallMs += milliseconds;
      clock.advance(milliseconds);
    },
    async close() {
      await app.http.close();
      await drop();
    },
  };
}

/** Makes calls as the web app does: signed with the time, GET fields as a query. */
function callsTo({ http }: Pick<App, 'http'>, clock: MovableClock) {
  return async (...[who, endpoint, input, extra = {}]: Parameters<TestApp['callUnchecked']>) => {
    const headers = {
      accept: 'application/json',
      ...(who === null ? {} : { authorization: `Bearer ${who.token}` }),
    };
    const fields = { ...input, ...extra, signTime: clock.now().getTime(), sign: '' };
    const query = Object.fromEntries(
      Object.entries(fields)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [name, String(value)]),
    );
    const response = await http.inject(
      endpoint.method === 'GET'
        ? { method: 'GET', url: endpoint.path, query, headers }
        : { method: 'POST', url: endpoint.path, payload: fields, headers },
    );
    if (response.statusCode !== 200)
      throw new Error(`${endpoint.path} answered HTTP ${response.statusCode}: ${response.body}`);
    return response;
  };
}
