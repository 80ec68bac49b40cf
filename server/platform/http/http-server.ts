import fastifyMultipart from '@fastify/multipart';
import fastifySwagger from '@fastify/swagger';
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
} from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { appVersion } from '#contract/app/endpoints.ts';
import type { Endpoint, Who } from '#contract/define.ts';
import { envelopeOf } from '#contract/envelope.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../database/db.ts';
import type { Transactions } from '../database/transact.ts';
import type { Log } from '../observability/log.ts';
import { inRequest, requestIdOf, type RequestTrace, type Traces } from '../observability/traces.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { AuthenticateKey } from '../security/api-key.ts';
import type { Proofs } from '../security/proofs.ts';
import type { SecurityLog } from '../security/security-log.ts';
import { type Caller } from './caller.ts';
import { answerRequest, type Answer, type CallContext, type CallerOf, type Route } from './answer-call.ts';
import { answerTrouble } from './http-errors.ts';
import { createIdempotency, type Claim } from './idempotency.ts';
import { isProxy } from './network.ts';
import type { Origin } from './cookies.ts';
import type { RateLimits } from './rate-limits.ts';
import type { Authenticate } from '../security/session.ts';
import { createUploadGate, readUpload, uploadLimits } from './upload.ts';

/**
 * Serves one call of the contract. The handler gets the app, whose transactions belong to the call's action
 * where it carries an `idempotencyKey`, and checked input; it answers with the data of the envelope, or with
 * nothing where these have no fields.
 */
export type ServeFor<A> = <I extends z.ZodObject, O extends z.ZodType, W extends Who>(
  endpoint: Endpoint<I, O, W>,
  handler: (app: A, input: z.output<I>, caller: CallerOf<W>, origin: Origin) => Promise<Answer<O>>,
) => void;

/** Serves a call that carries one file; its limits refuse before any of the file is read. */
export type ServeUploadFor<A> = <I extends z.ZodObject, O extends z.ZodType>(
  endpoint: Endpoint<I, O, 'user'>,
  handler: (app: A, input: z.output<I>, file: Buffer, caller: Caller) => Promise<z.input<O>>,
) => void;

export interface HttpOptions {
  db: Db;
  clock: Clock;
  /**
   * How many proxies stand in front, or which: what they wrote into `x-forwarded-for` is believed, and no
   * more.
   */
  trustProxy: number | string[];
  log: Log;
  authenticate: Authenticate;
  authenticateKey: AuthenticateKey;
  security: SecurityLog;
  proofs: Proofs;
  limits: RateLimits;
  metrics: Pick<Metrics, 'noteCall'>;
  traces: Traces;
}

const bodyLimitBytes = 1_000_000;
const noFile = Buffer.alloc(0);

/** Makes what adds calls to the server. */
export type Serving = <A extends Transactions>(
  app: A,
) => { serve: ServeFor<A>; serveUpload: ServeUploadFor<A> };

/** A Fastify server that speaks the envelope; calls are added with the returned `servingOf`. */
export async function createHttp(
  options: HttpOptions,
): Promise<{ http: FastifyInstance; servingOf: Serving }> {
  const { authenticate, authenticateKey, security, proofs, limits, metrics } = options;
  const http = await openFastify(options);
  const idempotency = createIdempotency(options);
  http.addHook('onClose', async () => idempotency.stop());
  const enterUpload = createUploadGate();
  const known = { authenticate, authenticateKey, security, proofs, limits };
  const context = { ...known, metrics, idempotency, enterUpload };

  const servingOf: Serving = (app) => {
    const appOf = (claim: Claim | null) => (claim === null ? app : { ...app, ...app.forAction(claim) });
    return {
      serve(endpoint, handler) {
        const isRead = endpoint.method === 'GET';
        addRoute(http, context, {
          endpoint,
          handler: (claim, { input, caller, origin }) => handler(appOf(claim), input, caller, origin),
          readBody: async ({ query, body }) => ({ source: isRead ? query : body, file: noFile }),
        });
      },
      serveUpload: (endpoint, handler) =>
        addRoute(http, context, {
          endpoint,
          handler: (claim, { input, file, caller }) => handler(appOf(claim), input, file, caller),
          readBody: async (request) => {
            const { fields, file } = await readUpload(request);
            return { source: fields, file };
          },
        }),
    };
  };
  return { http, servingOf };
}

async function openFastify({ log, trustProxy, traces }: HttpOptions): Promise<FastifyInstance> {
  const logger: FastifyBaseLogger = log;
  const http = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyLimitBytes,
    trustProxy: isProxy(trustProxy),
    requestTimeout: 60_000,
    genReqId: (request) => requestIdOf(request.headers['x-request-id']),
    // Each line has the request's id already (`createLog`).
    childLoggerFactory: () => logger,
    // An address that cannot be decoded never reaches a route.
    frameworkErrors: (error, request, reply) => void answerTrouble(error, request, reply as FastifyReply),
  });
  // Input is checked in `answerRequest`, where a refusal can name its fields; the schemas below serve the
  // OpenAPI document.
  http.setValidatorCompiler(() => (value) => ({ value }));
  http.setSerializerCompiler(() => (value) => JSON.stringify(value));
  await http.register(fastifySwagger, {
    openapi: { openapi: '3.1.0', info: { title: 'Sameway', version: appVersion } },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  });
  await http.register(fastifyMultipart, uploadLimits);
  http.get('/openapi.json', { schema: { hide: true } }, () => http.swagger());
  followRequests(http, traces);
  http.setErrorHandler((error, request, reply) => answerTrouble(error, request, reply));
  return http;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until the first hook. */
    trace: RequestTrace | null;
  }
}

/** Makes the request's id available to everything it causes, and traces it. */
function followRequests(http: FastifyInstance, traces: Traces): void {
  http.decorateRequest('trace', null);
  http.addHook('onRequest', (request, _reply, done) => {
    const { isCall = false } = request.routeOptions.config;
    const name = `${request.method} ${request.routeOptions.url ?? ''}`;
    const span = isCall ? traces.beginCall(name, request.headers['traceparent']) : null;
    span?.note({
      'http.request.method': request.method,
      'http.route': request.routeOptions.url ?? '',
      'sameway.request.id': request.id,
    });
    request.trace = { id: request.id, span };
    inRequest(request.trace, done);
  });
  // Code that reads the body runs outside it.
  http.addHook('preValidation', (request, _reply, done) =>
    request.trace === null ? done() : inRequest(request.trace, done),
  );
  http.addHook('onResponse', async (request, reply) => {
    const span = request.trace?.span ?? null;
    span?.note({ 'http.response.status_code': reply.statusCode });
    if (reply.statusCode >= 500) span?.fail();
    span?.end();
    request.log.debug(
      { path: request.routeOptions.url, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'answered',
    );
  });
  http.addHook('onClose', () => traces.close());
}

function addRoute<I extends z.ZodObject, O extends z.ZodType, W extends Who>(
  http: FastifyInstance,
  context: CallContext,
  route: Route<I, O, W>,
): void {
  const { method, path, summary, takesFile, input, output } = route.endpoint;
  const body = takesFile
    ? { consumes: ['multipart/form-data'], body: input.extend({ file: z.file() }) }
    : { body: input };
  const schema = {
    summary,
    operationId: path.slice(1).replaceAll(/[/-](\w)/g, (_, letter: string) => letter.toUpperCase()),
    tags: [path.split('/')[1] ?? ''],
    ...(method === 'GET' ? { querystring: input } : body),
    response: { 200: envelopeOf(output) },
  };
  http.route({
    method,
    url: path,
    schema,
    config: { isCall: true },
    handler: (request, reply) => answerRequest(context, route, request, reply),
  });
}
