import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookiesOf, type Cookies } from './cookies.ts';
import { networkOf } from './network.ts';

/** The facts of a request that a route gets in addition to its input. */
export interface Origin {
  /** The network it comes from, as limits count it (`networkOf`). */
  address: string;
  userAgent: string;
  cookies: Cookies;
}

export const originOf = (request: FastifyRequest, reply: FastifyReply): Origin => ({
  address: networkOf(request.ip),
  userAgent: request.headers['user-agent'] ?? '',
  cookies: cookiesOf(request, reply),
});
