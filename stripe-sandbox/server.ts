import { createHash, timingSafeEqual } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { dayMs, later, type Clock } from './clock.ts';
import type { Db } from './schema.ts';
import type { Log } from './log.ts';
import { accountRoutes, requireAccount } from './accounts.ts';
import { ApiError } from './api-error.ts';
import { chargeRoutes } from './charges.ts';
import { createClockWork } from './clock-work.ts';
import { customerRoutes } from './customers.ts';
import { disputeRoutes } from './disputes.ts';
import { deliverEvents, eventRoutes, type Webhook } from './events.ts';
import { expandAnswer } from './expand.ts';
import { decodeForm } from './form.ts';
import { pagesFor } from './pages.ts';
import { apiVersion as ownVersion } from './protocol.ts';
import { paymentIntentRoutes } from './payment-intents.ts';
import { paymentMethodRoutes } from './payment-methods.ts';
import { payoutRoutes } from './payouts.ts';
import { refundRoutes } from './refunds.ts';
import type { Route } from './routing.ts';
import { setupIntentRoutes } from './setup-intents.ts';
import { keepAnswer, keptAnswer, lockKey } from './store.ts';
import { randomWord, type Call } from './things.ts';
import { transferRoutes } from './transfers.ts';

const routes: readonly Route[] = [
  ...customerRoutes,
  ...paymentMethodRoutes,
  ...setupIntentRoutes,
  ...paymentIntentRoutes,
  ...chargeRoutes,
  ...refundRoutes,
  ...disputeRoutes,
  ...accountRoutes,
  ...transferRoutes,
  ...payoutRoutes,
  ...eventRoutes,
];

const keysLiveMs = dayMs;
const mostBodyBytes = 100_000;

export interface SandboxOptions {
  db: Db;
  clock: Clock;
  log: Log;
  /** The key that requests must carry, as `sk_test_…`. */
  secretKey: string;
  /** Where people reach the hosted pages; the sandbox's own address unless the app serves them too. */
  pagesUrl?: string;
}

export interface Sandbox {
  /** The server of the API, for hooks before it listens. */
  app: FastifyInstance;
  /** Listens on this machine alone. @returns the port. */
  listen(port?: number): Promise<number>;
  /** The hosted pages, to be served by the app as well. */
  pages: (app: FastifyInstance) => Promise<void>;
  /** Where events are posted from now on; null keeps them for polling. */
  sendEventsTo(webhook: Webhook | null): void;
  /** Expires holds, lets debits and payouts arrive, pays out: everything that is due by the clock. */
  work(): Promise<void>;
  /** Sends the events that are due, one round at a time; a slow listener keeps nothing else waiting. */
  deliver(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A card provider that speaks Stripe's HTTP API for the calls a carpooling app needs, with test money only. Everything it
 * has answered is committed before: a killed process loses nothing it acknowledged.
 */
export function createSandbox({ db, clock, log, secretKey, pagesUrl }: SandboxOptions): Sandbox {
  let webhook: Webhook | null = null;
  let ownUrl = '';
  let delivering: Promise<void> | null = null;
  const app: FastifyInstance = fastify({ bodyLimit: mostBodyBytes, forceCloseConnections: true });

  const callOf = (tx: Db, given: Partial<Call> = {}): Call => ({
    tx,
    now: clock.now(),
    account: '',
    pagesUrl: pagesUrl ?? `${ownUrl}/test-money`,
    requestId: null,
    idempotencyKey: null,
    hasWebhook: webhook !== null,
    apiVersion: ownVersion,
    ...given,
  });

  const pages = pagesFor((work) => db.transaction((tx) => work(callOf(tx))));

  void app.register(async (api) => {
    api.removeAllContentTypeParsers();
    api.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    for (const each of routes)
      api.route({
        method: each.method,
        url: each.path,
        handler: (request, reply) => answer(each, request, reply),
      });
    api.setErrorHandler((error, _request, reply) => {
      if (!(error instanceof ApiError)) log.error({ err: error }, 'the sandbox card provider failed');
      const known =
        error instanceof ApiError
          ? error
          : new ApiError(500, 'api_error', 'An unknown error occurred in the sandbox.');
      return reply.code(known.status).send(known.body);
    });
  });
  void app.register(async (scope) => pages(scope), { prefix: '/test-money' });
  app.setNotFoundHandler((request, reply) => {
    const unknown = new ApiError(
      404,
      'invalid_request_error',
      `Unrecognized request URL (${request.method}: ${request.url.split('?')[0] ?? ''}).`,
    );
    return reply.code(404).send(unknown.body);
  });

  async function answer(each: Route, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const requestId = `req_${randomWord(14)}`;
    const apiVersion = textOf(request.headers['stripe-version']) ?? ownVersion;
    void reply.headers({ 'request-id': requestId, 'stripe-version': apiVersion });
    requireKey(request, secretKey);
    if (!/^\d{4}-\d\d-\d\d(\.[a-z]+)?$/.test(apiVersion))
      throw new ApiError(400, 'invalid_request_error', `Invalid Stripe API version: ${apiVersion}`);
    const account = textOf(request.headers['stripe-account']) ?? '';
    const key = each.method === 'POST' ? (textOf(request.headers['idempotency-key']) ?? null) : null;
    if (account !== '') void reply.header('stripe-account', account);
    if (key !== null) void reply.header('idempotency-key', key);
    const text =
      each.method === 'GET'
        ? (request.url.split('?')[1] ?? '')
        : typeof request.body === 'string'
          ? request.body
          : '';
    const id = (request.params as { id?: string }).id ?? '';
    const path = request.url.split('?')[0] ?? '';
    const perform = (tx: Db) =>
      performed(each, callOf(tx, { account, requestId, idempotencyKey: key, apiVersion }), text, id);

    const result = await db.transaction(async (tx) => {
      if (account !== '') await requireAccount(callOf(tx), account);
      return key === null ? perform(tx) : once(tx, { account, key, path, text }, perform);
    });
    if (result.isReplayed) void reply.header('idempotent-replayed', 'true');
    return reply.code(result.status).send(result.answer);
  }

  /** The first answer of a key, again; or the work, with its answer kept in the same transaction. */
  async function once(
    tx: Db,
    { account, key, path, text }: { account: string; key: string; path: string; text: string },
    perform: (tx: Db) => Promise<Result>,
  ): Promise<Result> {
    if (!(await lockKey(tx, account, key)))
      throw new ApiError(
        409,
        'idempotency_error',
        `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}.`,
        { code: 'idempotency_key_in_use' },
      );
    const fingerprint = createHash('sha256').update(`${path}\n${text}`).digest('hex');
    const now = clock.now();
    const kept = await keptAnswer(tx, account, key, later(now, -keysLiveMs));
    if (kept !== null) {
      if (kept.fingerprint !== fingerprint)
        throw new ApiError(
          400,
          'idempotency_error',
          `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
        );
      return { status: kept.status, answer: kept.answer as object, isKept: true, isReplayed: true };
    }
    const result = await perform(tx);
    if (result.isKept)
      await keepAnswer(tx, {
        account,
        key,
        fingerprint,
        status: result.status,
        answer: result.answer,
        createdAt: now,
      });
    return result;
  }

  return {
    app,
    pages,
    async listen(port = 0) {
      await app.listen({ port, host: '127.0.0.1' });
      const listening = (app.server.address() as AddressInfo).port;
      ownUrl = `http://127.0.0.1:${listening}`;
      return listening;
    },
    sendEventsTo(to) {
      webhook = to;
    },
    work: createClockWork(db, callOf, log),
    deliver() {
      const to = webhook;
      if (to === null) return Promise.resolve();
      delivering ??= deliverEvents(db, to, clock.now()).finally(() => {
        delivering = null;
      });
      return delivering;
    },
    async close() {
      await delivering?.catch(() => undefined);
      await app.close();
    },
  };
}

interface Result {
  status: number;
  answer: object;
  isKept: boolean;
  isReplayed?: boolean;
}

/** Does the work within a savepoint: a thrown error undoes it, a returned one does not. */
async function performed(each: Route, call: Call, text: string, id: string): Promise<Result> {
  try {
    return await call.tx.transaction(async (tx) => {
      const inner = { ...call, tx };
      const answer = await each.run(inner, text, id);
      if (answer instanceof ApiError) return { status: answer.status, answer: answer.body, isKept: true };
      return { status: 200, answer: await expandAnswer(inner, answer, pathsToExpand(text)), isKept: true };
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { status: error.status, answer: error.body, isKept: error.isKept };
  }
}

function pathsToExpand(text: string): string[] {
  const { expand } = decodeForm(text);
  return Array.isArray(expand) ? expand.filter((path) => typeof path === 'string') : [];
}

const textOf = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;

function requireKey(request: FastifyRequest, secretKey: string): void {
  const [scheme, value = ''] = (request.headers.authorization ?? '').split(' ');
  const given = scheme === 'Basic' ? (Buffer.from(value, 'base64').toString().split(':')[0] ?? '') : value;
  const hash = (key: string) => createHash('sha256').update(key).digest();
  if (!timingSafeEqual(hash(given), hash(secretKey)))
    throw new ApiError(401, 'invalid_request_error', 'Invalid API Key provided.', {}, false);
}
