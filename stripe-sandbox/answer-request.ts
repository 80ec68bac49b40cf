import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { requireAccount } from './accounts.ts';
import { ApiError, UnstartedError } from './api-error.ts';
import { expandAnswer } from './expand.ts';
import { decodeForm } from './form.ts';
import { onlyOnce, type Names, type Result } from './idempotency.ts';
import { KeptObjects } from './kept-objects.ts';
import { apiVersion as ownVersion } from './protocol.ts';
import type { Route } from './routing.ts';
import type { Db } from './schema.ts';
import { randomWord, type Call } from './objects.ts';

/** What answering needs: the database, the key that requests must carry, and a call on a transaction. */
export interface AnswerContext {
  db: Db;
  secretKey: string;
  callOf: (objects: KeptObjects, given?: Partial<Call>) => Call;
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
  const result = await db.transaction(async (tx) => {
    const objects = new KeptObjects(tx);
    if (account !== '') await requireAccount(callOf(objects), account);
    const keyed = { account, key, path, text };
    return onlyOnce(tx, objects, keyed, {
      now: () => callOf(objects).now,
      names: namesIn(route, text, id),
      perform: () =>
        performRoute(
          route,
          callOf(objects, { account, requestId, idempotencyKey: key, apiVersion }),
          text,
          id,
        ),
    });
  });
  if (result.isReplayed) void reply.header('idempotent-replayed', 'true');
  return reply.code(result.status).send(result.answer);
}

/** What a request names of objects, to be read before it is dealt with. */
function namesIn({ method, path }: Route, text: string, pathId: string): Names {
  // PostgreSQL knows no zero character, so nothing is called so.
  const id = pathId.includes('\0') ? '' : pathId;
  const isPayment = path.startsWith('/v1/payment_intents');
  const paymentId = isPayment && id !== '' ? id : null;
  const makes = isPayment && method !== 'GET';
  const wordIn = (pattern: RegExp) => (makes ? (pattern.exec(text)?.[1] ?? null) : null);
  const locked = {
    changedId: makes ? paymentId : null,
    payeeId: wordIn(/(?:^|&)transfer_data(?:\[|%5B)destination(?:\]|%5D)=(acct_\w+)/),
    methodId: wordIn(/(?:^|&)payment_method=(pm_\w+)/),
  };
  const isLocked = new Set<string | null>(Object.values(locked));
  const named = [id, ...(text.match(/\b(?:acct|cus|pm)_\w+/g) ?? [])];
  return {
    ids: [...new Set(named)].filter((each) => each !== '' && !isLocked.has(each)),
    shownId: makes ? null : paymentId,
    ...locked,
  };
}

/** Does the work so that a thrown error undoes it, and a returned one does not. */
async function performRoute(route: Route, call: Call, text: string, id: string): Promise<Result> {
  try {
    return await call.objects.undoable(async () => {
      const answer = await route.run(call, text, id);
      if (answer instanceof ApiError) return { status: answer.status, answer: answer.body, isKept: true };
      return { status: 200, answer: await expandAnswer(call, answer, pathsToExpand(text)), isKept: true };
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
