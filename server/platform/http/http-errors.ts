import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasWaitedTooLong, isConnectionLost } from '../database/db.ts';
import { busy, type Refusal } from '../refusal.ts';

/** The route alone: an address may hold a signed code, places, or what a person typed. */
const pathOf = (request: FastifyRequest): string | undefined => request.routeOptions.url;

/**
 * The refusal for a limit on waiting that has fired: a person is asked to try again, and the log says where.
 * Null for any other error.
 */
export function refusalFor(error: unknown, request: FastifyRequest): Refusal | null {
  if (!hasWaitedTooLong(error)) return null;
  request.log.warn({ err: error, path: pathOf(request) }, 'a call waited too long for the database');
  return busy();
}

/** Transport trouble and our own faults: a status and a short plain text, nothing of the inside. */
export function answerTrouble(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const status =
    error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
      ? error.statusCode
      : 500;
  if (isConnectionLost(error)) return answerAway(error, request, reply);
  if (status >= 500) request.log.error({ err: error, path: pathOf(request) }, 'request failed');
  const words: Record<number, string> = {
    400: 'We couldn’t read the request.',
    413: 'The request is too large.',
    415: 'Please send JSON.',
  };
  const shown = status >= 400 && status < 500 ? status : 500;
  const text =
    shown === 500 ? `Server Error (${request.id})` : (words[shown] ?? 'We can’t answer this request.');
  return named(reply, request).code(shown).type('text/plain; charset=utf-8').send(text);
}

/** People can quote it when they report a problem, and a proxy logs it. */
const named = (reply: FastifyReply, request: FastifyRequest): FastifyReply =>
  reply.header('x-request-id', request.id);

/** The database went away under a call, and did not come back in time. */
function answerAway(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.log.warn({ err: error, path: pathOf(request) }, 'the database went away during a call');
  return named(reply, request)
    .code(503)
    .header('retry-after', '2')
    .type('text/plain; charset=utf-8')
    .send('Sameway is unavailable for a moment. Please try again.');
}
