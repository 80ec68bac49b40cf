import type { AddressInfo } from 'node:net';
import { sql, type SQL } from 'drizzle-orm';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Clock } from './clock.ts';
import type { Db } from './schema.ts';
import type { Log } from './log.ts';
import { accountRoutes } from './accounts.ts';
import { answerRequest, type AnswerContext } from './answer-request.ts';
import { ApiError } from './api-error.ts';
import { chargeRoutes } from './charges.ts';
import { createClockWork } from './clock-work.ts';
import { customerRoutes } from './customers.ts';
import { disputeRoutes } from './disputes.ts';
import { deliverEvents, eventRoutes, type Webhook } from './events.ts';
import { pagesFor } from './pages.ts';
import { apiVersion as ownVersion } from './protocol.ts';
import { paymentIntentRoutes } from './payment-intents.ts';
import { paymentMethodRoutes } from './payment-methods.ts';
import { payoutRoutes } from './payouts.ts';
import { refundRoutes } from './refunds.ts';
import { withObjects, type KeptObjects } from './kept-objects.ts';
import type { Route } from './routing.ts';
import { setupIntentRoutes } from './setup-intents.ts';
import { isAnyDeliveryDue } from './store.ts';
import type { Call } from './objects.ts';
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
  /** Whether `work` or `deliver` has anything to do just now, as a condition. */
  isDue(now: Date): SQL;
  /** Sends the events that are due, one round at a time; a slow listener keeps nothing else waiting. */
  deliver(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A card provider that speaks Stripe's HTTP API for the calls a carpooling app needs, with test money only.
 * Everything it has answered is committed before: a killed process loses nothing it acknowledged.
 */
export function createSandbox({ db, clock, log, secretKey, pagesUrl }: SandboxOptions): Sandbox {
  let webhook: Webhook | null = null;
  let ownUrl = '';
  let delivering: Promise<void> | null = null;
  const app: FastifyInstance = fastify({ bodyLimit: mostBodyBytes, forceCloseConnections: true });

  const callOf = (objects: KeptObjects, given: Partial<Call> = {}): Call => ({
    objects,
    now: clock.now(),
    account: '',
    pagesUrl: pagesUrl ?? `${ownUrl}/test-money`,
    requestId: null,
    idempotencyKey: null,
    hasWebhook: webhook !== null,
    apiVersion: ownVersion,
    ...given,
  });

  const pages = pagesFor((work) =>
    db.transaction((tx) => withObjects(tx, (objects) => work(callOf(objects)))),
  );

  const clockWork = createClockWork(db, callOf, log);

  void app.register(async (api) => serveApi(api, { db, secretKey, callOf }, log));
  void app.register(async (scope) => pages(scope), { prefix: '/test-money' });
  app.setNotFoundHandler(refuseUnknown);

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
    work: clockWork.work,
    isDue: (now) => sql`${clockWork.isDue(now)} or ${isAnyDeliveryDue(now)}`,
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

function serveApi(api: FastifyInstance, context: AnswerContext, log: Log): void {
  api.removeAllContentTypeParsers();
  api.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  for (const route of routes)
    api.route({
      method: route.method,
      url: route.path,
      handler: (request, reply) => answerRequest(context, route, request, reply),
    });
  api.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof ApiError)) log.error({ err: error }, 'the sandbox card provider failed');
    const known =
      error instanceof ApiError
        ? error
        : new ApiError(500, 'api_error', 'An unknown error occurred in the sandbox.');
    return reply.code(known.status).send(known.body);
  });
}

function refuseUnknown(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const unknown = new ApiError(
    404,
    'invalid_request_error',
    `Unrecognized request URL (${request.method}: ${request.url.split('?')[0] ?? ''}).`,
  );
  return reply.code(404).send(unknown.body);
}
