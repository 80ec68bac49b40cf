import fastifyMultipart from '@fastify/multipart';
import fastifySwagger from '@fastify/swagger';
import fastify, {
  LogController,
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
import type { Db } from './db.ts';
import type { Log } from './log.ts';
import type { Memory } from './memory.ts';
import { networkOf } from './network.ts';
import { noSession, notAllowed, Refusal } from './refusal.ts';
import { AlreadyDone, asAction, earlierAnswer, noteAnswer } from './transact.ts';
import { readUpload, uploadLimits } from './upload.ts';

/** What a route knows of the request besides its input. */
export interface Origin {
  /** The network it comes from, as limits count it (`networkOf`). */
  address: string;
  userAgent: string;
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

const noFile = Buffer.alloc(0);

export interface HttpOptions {
  db: Db;
  /** Whether the address in `x-forwarded-for` is to be believed: only behind a proxy that sets it. */
  trustProxy: boolean;
  log: Log;
  memory: Memory;
}

const bodyLimitBytes = 1_000_000;

/** A Fastify server that speaks the envelope; calls are added with the returned `serve`. */
export async function createHttp({
  db,
  log,
  memory,
  trustProxy,
}: HttpOptions): Promise<{ app: FastifyInstance; serve: Serve; serveUpload: ServeUpload }> {
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyLimitBytes,
    trustProxy,
    requestTimeout: 60_000,
    genReqId: () => crypto.randomUUID(),
    // An address that cannot be decoded never reaches a route.
    frameworkErrors: (error, request, reply) => void answerTrouble(error, request, reply as FastifyReply),
  }) as unknown as FastifyInstance;
  // Input is checked in `serve`, where a refusal can name its fields; the schemas below serve the OpenAPI document.
  app.setValidatorCompiler(() => (value) => ({ value }));
  app.setSerializerCompiler(() => (value) => JSON.stringify(value));
  await app.register(fastifySwagger, {
    openapi: { openapi: '3.1.0', info: { title: 'Sameway', version: appVersion } },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  });
  await app.register(fastifyMultipart, uploadLimits);
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
  app.setErrorHandler((error, request, reply) => answerTrouble(error, request, reply));

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
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      schema,
      handler: async (request, reply): Promise<Envelope<unknown> | string> => {
        void reply.header('cache-control', 'no-store');
        try {
          if (!remember) return await answer(endpoint, handler, request, readBody, changesNothingRemembered);
          const caller = await callerOf(request);
          if (caller === null) throw noSession();
          // Written out once, as the serializer would.
          const name = `${endpoint.path} ${JSON.stringify(checkInput(endpoint.input, request.query ?? {}))}`;
          const text = await memory.answer(caller.userId, name, async () =>
            JSON.stringify(await answer(endpoint, handler, request, readBody)),
          );
          return await reply.type('application/json; charset=utf-8').send(text);
        } catch (error) {
          if (error instanceof Refusal) {
            return {
              code: error.code,
              info: error.message,
              reason: error.reason,
              ...(error.data === undefined ? {} : { data: error.data }),
            };
          }
          throw error;
        }
      },
    });
  }

  async function answer<I extends z.ZodObject, O extends z.ZodType, W extends Who>(
    endpoint: Endpoint<I, O, W>,
    handler: Handler<I, O, W>,
    request: FastifyRequest,
    readBody: ReadBody,
    changesNothingRemembered = false,
  ): Promise<Envelope<unknown>> {
    const caller = await callerOf(request);
    if (endpoint.who !== 'guest' && caller === null) throw noSession();
    // An admin's calls do not exist for anybody else.
    if (endpoint.who === 'admin' && caller?.isAdmin !== true) throw notAllowed();
    const origin = { address: networkOf(request.ip), userAgent: request.headers['user-agent'] ?? '' };
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
    if (endpoint.method === 'GET') return work();
    const key = idempotencyKeyOf(source);
    try {
      // Calls that guests may make answer with secrets (tokens), which must not be kept.
      return await (caller === null || key === null || endpoint.who === 'guest'
        ? work()
        : once(caller.userId, key, endpoint.path, work));
    } finally {
      // Whoever reads the answer of what they did must find it done: sooner than the database can tell.
      if (!changesNothingRemembered) memory.forget(endpoint.who === 'user' ? caller?.userId : undefined);
    }
  }

  async function callerOf(request: FastifyRequest): Promise<Caller | null> {
    const header = request.headers.authorization ?? '';
    return header.startsWith('Bearer ') && header.length > 7 ? memory.authenticate(header.slice(7)) : null;
  }

  async function once(
    userId: string,
    key: string,
    path: string,
    work: () => Promise<Envelope<unknown>>,
  ): Promise<Envelope<unknown>> {
    const earlier = await earlierAnswer(db, userId, key);
    if (earlier !== null) return replay(earlier, path);
    try {
      const result = await asAction({ userId, key, path }, work);
      await noteAnswer(db, userId, key, result);
      return result;
    } catch (error) {
      if (!(error instanceof AlreadyDone)) throw error;
      return replay((await earlierAnswer(db, userId, key)) ?? { path, answer: null }, path);
    }
  }

  return { app, serve, serveUpload };
}

function replay(earlier: { path: string; answer: unknown }, path: string): Envelope<unknown> {
  if (earlier.path !== path) {
    const info = 'This idempotencyKey was used for another call.';
    throw new Refusal('input.invalid', info, { data: { fields: { idempotencyKey: info } } });
  }
  if (earlier.answer === null)
    throw new Refusal('action.alreadyDone', 'This has already been done.', { code: 409 });
  return earlier.answer as Envelope<unknown>;
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
    fields[issue.path.join('.') || 'body'] ??= sentenceFor(issue);
  const [first] = Object.values(fields);
  throw new Refusal('input.invalid', first ?? 'The input is not valid.', { data: { fields } });
}

/** The schema's own sentence where it has one; a missing value and a wrong kind are worded by the field's name. */
function sentenceFor(issue: z.core.$ZodIssue): string {
  if (!issue.message.startsWith('Invalid input')) return issue.message;
  return `Please enter ${wordsOf(String(issue.path.at(-1) ?? 'a value'))}.`;
}

const wordsOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Transport trouble and our own faults: a status and a short plain text, nothing of the inside. */
function answerTrouble(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const status =
    error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
      ? error.statusCode
      : 500;
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
