import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

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
