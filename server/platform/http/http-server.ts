import fastifyMultipart from '@fastify/multipart';
import fastifySwagger from '@fastify/swagger';
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { appVersion } from '#contract/app/endpoints.ts';
import type { Endpoint, Who } from '#contract/define.ts';
import { envelopeOf, type Envelope } from '#contract/envelope.ts';
import type { Caller } from './caller.ts';
import { cookiesOf, type Cookies } from './cookies.ts';
import type { Clock } from '../clock.ts';
import { hasWaitedTooLong, isConnectionLost, readAgain, type Db } from '../database/db.ts';
import { createIdempotency, fingerprintOf } from './idempotency.ts';
import { sentenceOf } from './input-errors.ts';
import type { LocalRateLimit } from './rate-limits.ts';
import type { Log } from '../observability/log.ts';
import type { ResponseCache } from './response-cache.ts';
import { isProxy, networkOf } from './network.ts';
import { busy, noSession, notAllowed, Refusal } from '../refusal.ts';
import { securityEventOf, type SecurityLog } from '../security/security-log.ts';
import { asAction } from '../database/transact.ts';
import { createUploadGate, readUpload, uploadLimits } from './upload.ts';

/** What a route knows of the request besides its input. */
export interface Origin {
  /** The network it comes from, as limits count it (`networkOf`). */
  address: string;
  userAgent: string;
  cookies: Cookies;
}

type CallerOf<W extends Who> = W extends 'guest' ? Caller | null : Caller;

/** Serves one call of the contract. The handler gets checked input and answers with the data of the envelope. */
export type Serve = <I extends z.ZodObject, O extends z.ZodType, W extends Who>(
  endpoint: Endpoint<I, O, W>,
  handler: (input: z.output<I>, caller: CallerOf<W>, origin: Origin) => Promise<z.input<O>>,
  options?: ServeOptions,
) => void;

interface ServeOptions {
  /**
   * The answer is made of rows of the caller that a trigger watches (migration `person_changed`), and of nothing else:
   * not of the clock, not of others. It is kept until one of them changes.
   */
  remember?: boolean;
  /** The call changes nothing that is remembered of anybody, so nothing is forgotten. */
  changesNothingRemembered?: boolean;
}

/** Serves a call that carries one file; `allow` refuses before any of the file is read. */
export type ServeUpload = <I extends z.ZodObject, O extends z.ZodType>(
  endpoint: Endpoint<I, O, 'user'>,
  allow: (caller: Caller, origin: Origin) => Promise<void>,
  handler: (input: z.output<I>, file: Buffer, caller: Caller, origin: Origin) => Promise<z.input<O>>,
) => void;

type Handler<I extends z.ZodObject, O extends z.ZodType, W extends Who> = (
  input: z.output<I>,
  caller: CallerOf<W>,
  origin: Origin,
  file: Buffer,
) => Promise<z.input<O>>;

type ReadBody = (
  request: FastifyRequest,
  caller: Caller | null,
  origin: Origin,
) => Promise<{ source: unknown; file: Buffer }>;

/** A request with the cookies that came with it and that go back. */
interface Made {
  request: FastifyRequest;
  cookies: Cookies;
}

const noFile = Buffer.alloc(0);

export interface HttpOptions {
  db: Db;
  clock: Clock;
  /** How many proxies stand in front, or which: what they wrote into `x-forwarded-for` is believed, and no more. */
  trustProxy: number | string[];
  log: Log;
  responseCache: ResponseCache;
  security: SecurityLog;
  /** Counts calls that are limited on their route, in this process. */
  limit: LocalRateLimit;
}

const bodyLimitBytes = 1_000_000;

/** A Fastify server that speaks the envelope; calls are added with the returned `serve`. */
export async function createHttp({
  db,
  clock,
  log,
  responseCache: memory,
  security,
  trustProxy,
  limit,
}: HttpOptions): Promise<{ http: FastifyInstance; serve: Serve; serveUpload: ServeUpload }> {
  const logger: FastifyBaseLogger = log;
  const http = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyLimitBytes,
    trustProxy: isProxy(trustProxy),
    requestTimeout: 60_000,
    genReqId: () => crypto.randomUUID(),
    // An address that cannot be decoded never reaches a route.
    frameworkErrors: (error, request, reply) => void answerTrouble(error, request, reply as FastifyReply),
  });
  // Input is checked in `serve`, where a refusal can name its fields; the schemas below serve the OpenAPI document.
  http.setValidatorCompiler(() => (value) => ({ value }));
  http.setSerializerCompiler(() => (value) => JSON.stringify(value));
  await http.register(fastifySwagger, {
    openapi: { openapi: '3.1.0', info: { title: 'Sameway', version: appVersion } },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  });
  await http.register(fastifyMultipart, uploadLimits);
  http.get('/openapi.json', { schema: { hide: true } }, () => http.swagger());
  http.setErrorHandler((error, request, reply) => answerTrouble(error, request, reply));
  const enterUploads = createUploadGate();
  const idempotency = createIdempotency({ db, clock, log });
  http.addHook('onClose', async () => idempotency.stop());

  const serve: Serve = (endpoint, handler, options = {}) =>
    register(endpoint, handler, async (request) => ({ source: request.body, file: noFile }), options);

  const serveUpload: ServeUpload = (endpoint, allow, handler) =>
    register(
      endpoint,
      (input, caller, origin, file) => handler(input, file, caller, origin),
      async (request, caller, origin) => {
        if (caller !== null) await allow(caller, origin);
        const { fields, file } = await readUpload(request);
        return { source: fields, file };
      },
    );

  function register<I extends z.ZodObject, O extends z.ZodType, W extends Who>(
    endpoint: Endpoint<I, O, W>,
    handler: Handler<I, O, W>,
    readBody: ReadBody,
    { remember = false, changesNothingRemembered = false }: ServeOptions = {},
  ): void {
    const body = endpoint.takesFile
      ? { consumes: ['multipart/form-data'], body: endpoint.input.extend({ file: z.file() }) }
      : { body: endpoint.input };
    const schema = {
      summary: endpoint.summary,
      operationId: endpoint.path
        .slice(1)
        .replaceAll(/[/-](\w)/g, (_, letter: string) => letter.toUpperCase()),
      tags: [endpoint.path.split('/')[1] ?? ''],
      ...(endpoint.method === 'GET' ? { querystring: endpoint.input } : body),
      response: { 200: envelopeOf(endpoint.output) },
    };
    http.route({
      method: endpoint.method,
      url: endpoint.path,
      schema,
      handler: async (request, reply): Promise<Envelope<unknown> | string> => {
        void reply.header('cache-control', 'no-store');
        try {
          const made = { request, cookies: cookiesOf(request, reply) };
          if (!remember) return await answer(endpoint, handler, made, readBody, changesNothingRemembered);
          const caller = await callerOf(request);
          if (caller === null) throw noSession();
          // Written out once, as the serializer would.
          const name = `${endpoint.path} ${JSON.stringify(checkInput(endpoint.input, request.query ?? {}))}`;
          const text = await memory.answer(caller.userId, name, async () =>
            JSON.stringify(await answer(endpoint, handler, made, readBody)),
          );
          return await reply.type('application/json; charset=utf-8').send(text);
        } catch (error) {
          const refusal = error instanceof Refusal ? error : refusalFor(error, request);
          if (refusal === null) throw error;
          return {
            code: refusal.code,
            info: refusal.message,
            reason: refusal.reason,
            ...(refusal.data === undefined ? {} : { data: refusal.data }),
          };
        }
      },
    });
  }

  async function answer<I extends z.ZodObject, O extends z.ZodType, W extends Who>(
    endpoint: Endpoint<I, O, W>,
    handler: Handler<I, O, W>,
    made: Made,
    readBody: ReadBody,
    changesNothingRemembered = false,
  ): Promise<Envelope<unknown>> {
    const { request } = made;
    const caller = await callerOf(request);
    const noteEnd = (refusal: Refusal | null) => {
      const event = securityEventOf(endpoint.path, refusal);
      const reason = refusal === null ? {} : { reason: refusal.reason };
      const of = { path: endpoint.path, network: networkOf(request.ip), userId: caller?.userId ?? null };
      if (event !== null) security.note(event, { ...of, ...reason });
    };
    let leave = () => {};
    try {
      if (endpoint.takesFile === true && caller !== null) leave = enterUploads(caller.userId);
      const answered = await answerTo(caller, endpoint, handler, made, readBody, changesNothingRemembered);
      noteEnd(null);
      return answered;
    } catch (error) {
      if (error instanceof Refusal) noteEnd(error);
      throw error;
    } finally {
      leave();
    }
  }

  async function answerTo<I extends z.ZodObject, O extends z.ZodType, W extends Who>(
    caller: Caller | null,
    endpoint: Endpoint<I, O, W>,
    handler: Handler<I, O, W>,
    { request, cookies }: Made,
    readBody: ReadBody,
    changesNothingRemembered: boolean,
  ): Promise<Envelope<unknown>> {
    if (endpoint.who !== 'guest' && caller === null) throw noSession();
    // An admin's calls do not exist for anybody else.
    if (endpoint.who === 'admin' && caller?.isAdmin !== true) throw notAllowed();
    const userAgent = request.headers['user-agent'] ?? '';
    const origin = { address: networkOf(request.ip), userAgent, cookies };
    if (endpoint.limit !== undefined) {
      const { perPerson, perNetwork, withinSeconds } = endpoint.limit;
      if (caller !== null) limit(`${endpoint.path} ${caller.userId}`, perPerson, withinSeconds);
      else limit(`${endpoint.path} ${origin.address}`, perNetwork, withinSeconds);
    }
    const body =
      endpoint.method === 'GET'
        ? { source: request.query, file: noFile }
        : await readBody(request, caller, origin);
    const source = body.source ?? {};
    const input = checkInput(endpoint.input, source);
    const work = async () => ({
      code: 200 as const,
      info: 'OK',
      data: endpoint.output.parse(await handler(input, caller as CallerOf<W>, origin, body.file)),
    });
    // Reading again does no harm: a connection that is cut meanwhile is no one's trouble.
    if (endpoint.method === 'GET') return readAgain(work);
    const key = idempotencyKeyOf(source);
    try {
      // Calls that guests may make answer with secrets (tokens), which must not be kept.
      return await (caller === null || key === null || endpoint.who === 'guest'
        ? work()
        : idempotency.once(
            {
              userId: caller.userId,
              key,
              path: endpoint.path,
              fingerprint: fingerprintOf(source, body.file),
            },
            (claim) => asAction(claim, work),
          ));
    } finally {
      // A person who reads the answer of what they did must find it done: sooner than the database can tell. Whom else a call
      // concerns (a guest who signs in, an admin who suspends) its service forgets, and the database tells.
      if (!changesNothingRemembered && caller !== null) memory.forget(caller.userId);
    }
  }

  async function callerOf(request: FastifyRequest): Promise<Caller | null> {
    const header = request.headers.authorization ?? '';
    if (!header.startsWith('Bearer ') || header.length <= 7) return null;
    return readAgain(() => memory.authenticate(header.slice(7)));
  }

  return { http, serve, serveUpload };
}

/** A limit on waiting has fired: a person is told to try again, and the log says where. */
function refusalFor(error: unknown, request: FastifyRequest): Refusal | null {
  if (!hasWaitedTooLong(error)) return null;
  request.log.warn({ err: error, url: request.url.split('?')[0] }, 'a call waited too long for the database');
  return busy();
}

function idempotencyKeyOf(body: unknown): string | null {
  const key: unknown =
    typeof body === 'object' && body !== null && 'idempotencyKey' in body ? body.idempotencyKey : undefined;
  if (key === undefined || key === '') return null;
  const parsed = z.uuid().safeParse(key);
  if (parsed.success) return parsed.data;
  const info = 'idempotencyKey must be a UUID.';
  throw new Refusal('input.invalid', info, { data: { fields: { idempotencyKey: info } } });
}

/** @throws Refusal `input.invalid` with a sentence for each refused field. */
function checkInput<I extends z.ZodObject>(schema: I, source: unknown): z.output<I> {
  const parsed = schema.safeParse(source);
  const fields: Record<string, string> = {};
  // PostgreSQL cannot store a zero character, and nobody types one.
  if (parsed.success && JSON.stringify(source).includes('\\u0000'))
    fields['body'] = 'Please remove the zero characters.';
  else if (parsed.success) return parsed.data;
  for (const issue of parsed.error?.issues ?? [])
    fields[issue.path.join('.') || 'body'] ??= sentenceOf(issue);
  const [first] = Object.values(fields);
  throw new Refusal('input.invalid', first ?? 'The input is not valid.', { data: { fields } });
}

/** Transport trouble and our own faults: a status and a short plain text, nothing of the inside. */
function answerTrouble(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const status =
    error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
      ? error.statusCode
      : 500;
  if (isConnectionLost(error)) return answerAway(error, request, reply);
  if (status >= 500) request.log.error({ err: error, url: request.url }, 'request failed');
  const words: Record<number, string> = {
    400: 'The request could not be read.',
    413: 'The request is too large.',
    415: 'Please send JSON.',
  };
  const shown = status >= 400 && status < 500 ? status : 500;
  const text = shown === 500 ? `Server Error (${request.id})` : (words[shown] ?? 'The request was refused.');
  return reply.code(shown).type('text/plain; charset=utf-8').send(text);
}

/** The database went away under a call, and did not come back in time. */
function answerAway(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.log.warn({ err: error, url: request.url.split('?')[0] }, 'the database went away during a call');
  return reply
    .code(503)
    .header('retry-after', '2')
    .type('text/plain; charset=utf-8')
    .send('The service is not available for a moment. Please try again.');
}
