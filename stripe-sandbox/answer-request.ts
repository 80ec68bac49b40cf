import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { requireAccount } from './accounts.ts';
import { ApiError, UnstartedError } from './api-error.ts';
import { expandAnswer } from './expand.ts';
import { decodeForm } from './form.ts';
import { onlyOnce, type Result } from './idempotency.ts';
import { apiVersion as ownVersion } from './protocol.ts';
import type { Route } from './routing.ts';
import type { Db } from './schema.ts';
import { randomWord, type Call } from './objects.ts';

/** What answering needs: the database, the key that requests must carry, and a call on a transaction. */
export interface AnswerContext {
  db: Db;
  secretKey: string;
  callOf: (tx: Db, given?: Partial<Call>) => Call;
}

const params = z.object({ id: z.string().default('') });

/**
 * Answers one request of the API, in one transaction.
 * @throws ApiError what is wrong with the request as a whole.
 */
export async function answerRequest(
  { db, secretKey, callOf }: AnswerContext,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const requestId = `req_${randomWord(14)}`;
  const apiVersion = textOf(request.headers['stripe-version']) ?? ownVersion;
  void reply.headers({ 'request-id': requestId, 'stripe-version': apiVersion });
  requireKey(request, secretKey);
  if (!/^\d{4}-\d\d-\d\d(\.[a-z]+)?$/.test(apiVersion))
    throw new ApiError(400, 'invalid_request_error', `Invalid Stripe API version: ${apiVersion}`);
  const account = textOf(request.headers['stripe-account']) ?? '';
  const key = route.method === 'POST' ? (textOf(request.headers['idempotency-key']) ?? null) : null;
  if (account !== '') void reply.header('stripe-account', account);
  if (key !== null) void reply.header('idempotency-key', key);
  const [path = '', query = ''] = request.url.split('?');
  const body = typeof request.body === 'string' ? request.body : '';
  const text = route.method === 'GET' ? query : body;
  const { id } = params.parse(request.params);
  const perform = (tx: Db) =>
    performRoute(route, callOf(tx, { account, requestId, idempotencyKey: key, apiVersion }), text, id);

  const result = await db.transaction(async (tx) => {
    if (account !== '') await requireAccount(callOf(tx), account);
    if (key === null) return perform(tx);
    return onlyOnce(tx, { account, key, path, text }, () => callOf(tx).now, perform);
  });
  if (result.isReplayed) void reply.header('idempotent-replayed', 'true');
  return reply.code(result.status).send(result.answer);
}

/** Does the work within a savepoint: a thrown error undoes it, a returned one does not. */
async function performRoute(route: Route, call: Call, text: string, id: string): Promise<Result> {
  try {
    return await call.tx.transaction(async (tx) => {
      const inner = { ...call, tx };
      const answer = await route.run(inner, text, id);
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
    throw new UnstartedError(401, 'invalid_request_error', 'Invalid API Key provided.');
}
