import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { isPermitted } from '#contract/admin/roles.ts';
import { minuteSeconds, type Endpoint, type Who } from '#contract/define.ts';
import type { Envelope } from '#contract/envelope.ts';
import { secondMs } from '../clock.ts';
import { readAgain } from '../database/db.ts';
import type { CallOutcome, Metrics } from '../observability/metrics.ts';
import { noSession, notAllowed, Refusal, refusedEnvelope } from '../refusal.ts';
import { isApiKey, requireScope, type AuthenticateKey } from '../security/api-key.ts';
import type { Proofs } from '../security/proofs.ts';
import { securityEventOf, type SecurityLog } from '../security/security-log.ts';
import { checkInput, idempotencyKeyOf } from './check-input.ts';
import { refusalFor } from './http-errors.ts';
import { fingerprintOf, type Claim, type Idempotency } from './idempotency.ts';
import { originOf, type Origin } from './cookies.ts';
import type { RateLimits } from './rate-limits.ts';
import type { Authenticate } from '../security/session.ts';
import type { UploadGate } from './upload.ts';
import { type CallerKey, type Caller } from './caller.ts';

export type CallerOf<W extends Who> = W extends 'guest' ? Caller | null : Caller;

/** The body of a call: its input, not yet checked, and its file (empty where it has none). */
interface Body {
  source: unknown;
  file: Buffer;
}

/** What a handler gets of a call. */
interface CallInput<I extends z.ZodObject, W extends Who> {
  input: z.output<I>;
  caller: CallerOf<W>;
  origin: Origin;
  file: Buffer;
}

/** The data of an answer; nothing stands for an answer without fields. */
export type Answer<O extends z.ZodType> =
  | z.input<O>
  | (Record<string, never> extends z.input<O> ? void : never);

/** A call of the contract, with what answers it. */
export interface Route<I extends z.ZodObject, O extends z.ZodType, W extends Who> {
  endpoint: Endpoint<I, O, W>;
  /** @param claim of the action that the call is, if it carries a key. */
  handler: (claim: Claim | null, call: CallInput<I, W>) => Promise<Answer<O>>;
  readBody: (request: FastifyRequest) => Promise<Body>;
}

/** The services behind the answers of all calls. */
export interface CallContext {
  authenticate: Authenticate;
  authenticateKey: AuthenticateKey;
  security: SecurityLog;
  proofs: Proofs;
  limits: RateLimits;
  metrics: Pick<Metrics, 'noteCall'>;
  idempotency: Idempotency;
  enterUpload: UploadGate;
}

/** One request, and who makes it. */
interface Call {
  request: FastifyRequest;
  caller: Caller | null;
  origin: Origin;
}

/**
 * The envelope that answers a request, or the stored text of an earlier answer. Refusals are answered too;
 * other errors are thrown.
 */
export async function answerRequest<I extends z.ZodObject, O extends z.ZodType, W extends Who>(
  context: CallContext,
  route: Route<I, O, W>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Envelope<unknown> | string> {
  void reply.header('cache-control', 'no-store');
  const noteEnd = (outcome: CallOutcome, reason?: string) => {
    request.trace?.span?.note({ 'sameway.outcome': outcome, 'sameway.reason': reason ?? '' });
    context.metrics.noteCall({
      path: route.endpoint.path,
      outcome,
      seconds: reply.elapsedTime / secondMs,
      reason,
    });
  };
  try {
    const answer = await answerKnown(context, route, request, reply);
    noteEnd('answered');
    return answer;
  } catch (error) {
    const refusal = error instanceof Refusal ? error : refusalFor(error, request);
    noteEnd(refusal === null ? 'failed' : 'refused', refusal?.reason);
    if (refusal === null) throw error;
    return refusedEnvelope(refusal);
  }
}

/** Answers a call: looks up the caller. */
async function answerKnown<I extends z.ZodObject, O extends z.ZodType, W extends Who>(
  context: CallContext,
  route: Route<I, O, W>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Envelope<unknown> | string> {
  const { endpoint } = route;
  const origin = originOf(request, reply);
  const caller = await callerOf(context, endpoint, request, origin);
  const call = { request, caller, origin };
  const answer = await answerNoted(context, route, call);
  return endpoint.method === 'GET' ? await sendRead(request, reply, JSON.stringify(answer)) : answer;
}

/** The caller of an access token, or of an API key that may make this call; null for a guest. */
async function callerOf(
  context: CallContext,
  endpoint: Endpoint,
  request: FastifyRequest,
  origin: Origin,
): Promise<Caller | null> {
  const header = request.headers.authorization ?? '';
  if (!header.startsWith('Bearer ') || header.length <= 7) return null;
  const token = header.slice(7);
  if (!isApiKey(token)) return readAgain(() => context.authenticate(token));
  let userId: string | null = null;
  try {
    const caller = await readAgain(() => context.authenticateKey(token, origin.address));
    userId = caller.userId;
    requireScope(endpoint, caller.key);
    countKey(context, caller.key, origin);
    return caller;
  } catch (error) {
    if (error instanceof Refusal) noteRefusal(context, endpoint, error, { network: origin.address, userId });
    throw error;
  }
}

/** The limit for all calls of a key together. The limits of each call count for its owner. */
function countKey({ limits }: CallContext, { id, callsPerMinute }: CallerKey, { address }: Origin): void {
  const limit = { per: 'caller', most: callsPerMinute, withinSeconds: minuteSeconds } as const;
  limits.countInProcess({ path: 'key', limits: [limit], userId: id, address });
}

function noteRefusal(
  { security }: CallContext,
  { path }: Endpoint,
  refusal: Refusal,
  from: { network: string; userId: string | null },
): void {
  const event = securityEventOf(path, refusal);
  if (event !== null) security.note(event, { path, reason: refusal.reason, ...from });
}

/** Answers a call, and notes what its end means for security. */
async function answerNoted<I extends z.ZodObject, O extends z.ZodType, W extends Who>(
  context: CallContext,
  route: Route<I, O, W>,
  call: Call,
): Promise<Envelope<unknown>> {
  const { path, takesFile = false } = route.endpoint;
  const { caller, origin } = call;
  const noteEnd = (refusal: Refusal | null) => {
    const event = securityEventOf(path, refusal);
    const reason = refusal === null ? {} : { reason: refusal.reason };
    const facts = { path, network: origin.address, userId: caller?.userId ?? null, ...reason };
    if (event !== null) context.security.note(event, facts);
  };
  let leave = () => {};
  try {
    if (takesFile && caller !== null) leave = context.enterUpload(caller.userId);
    const answered = await answerPermitted(context, route, call);
    noteEnd(null);
    return answered;
  } catch (error) {
    if (error instanceof Refusal) noteEnd(error);
    throw error;
  } finally {
    leave();
  }
}

/** Checks permission, limits and input; then calls the handler. */
async function answerPermitted<I extends z.ZodObject, O extends z.ZodType, W extends Who>(
  context: CallContext,
  route: Route<I, O, W>,
  call: Call,
): Promise<Envelope<unknown>> {
  const { endpoint, handler } = route;
  const { request, caller, origin } = call;
  if (endpoint.who !== 'guest' && caller === null) throw noSession();
  if (endpoint.who === 'admin') await requirePermission(context, endpoint, caller);
  if (endpoint.stepUp === true && caller !== null) await context.proofs.requireRecent(caller);
  const { path, limits = [], takesFile = false } = endpoint;
  const limited = { path, limits, userId: caller?.userId ?? null, address: origin.address };
  context.limits.countInProcess(limited);
  if (takesFile) await context.limits.countInDatabase(limited);
  const body = await route.readBody(request);
  const input = checkInput(endpoint.input, body.source ?? {});
  const answered = { input, caller: caller as CallerOf<W>, origin, file: body.file };
  const work = async (claim: Claim | null) => {
    // A call repeated with its key gets the stored answer, and is not counted again.
    if (!takesFile) await context.limits.countInDatabase(limited);
    const data = endpoint.output.parse((await handler(claim, answered)) ?? {});
    return { code: 200 as const, info: 'OK', data };
  };
  // Reading again does no harm: a connection that is cut meanwhile is no one's trouble.
  if (endpoint.method === 'GET') return readAgain(() => work(null));
  return once(context, { endpoint, caller, body }, work);
}

/** Hides the calls of the team from everyone else, and requires a second factor of team members. */
async function requirePermission(
  { proofs }: CallContext,
  { permission }: Endpoint,
  caller: Caller | null,
): Promise<void> {
  if (caller === null || permission === undefined || !isPermitted(caller.staffRole, permission))
    throw notAllowed();
  // The person who made the key had confirmed their second factor.
  if (caller.key === undefined) await proofs.requireSecondFactor(caller);
}

/** Does the work of a call once for its key, where it has one. */
async function once(
  { idempotency }: CallContext,
  { endpoint, caller, body }: { endpoint: Endpoint; caller: Caller | null; body: Body },
  work: (claim: Claim | null) => Promise<Envelope<unknown>>,
): Promise<Envelope<unknown>> {
  const source = body.source ?? {};
  const key = idempotencyKeyOf(source);
  // Calls that guests may make answer with secrets (tokens), which must not be stored.
  if (caller === null || key === null || endpoint.who === 'guest') return work(null);
  const fingerprint = fingerprintOf(source, body.file);
  return idempotency.once({ userId: caller.userId, key, path: endpoint.path, fingerprint }, work);
}

/** A shorter answer is no larger than the words that would spare it. */
const leastLetters = 400;

/**
 * Sends what a read answers, with the tag of its content. An app that names that tag has it already: 304, and
 * nothing is sent again.
 */
export function sendRead(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  void reply.type('application/json; charset=utf-8');
  if (text.length < leastLetters) return reply.send(text);
  const tag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  void reply.header('etag', tag);
  return request.headers['if-none-match'] === tag ? reply.code(304).send() : reply.send(text);
}
