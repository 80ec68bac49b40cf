import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookieSeconds, type CookieName } from '#contract/privacy/retention.ts';
import { networkOf } from './network.ts';

/**
 * Cookies of one call. None of them signs a person in: each only tells that a step is taken in the browser
 * that took the step before, for as long as such a step takes.
 */
interface Cookies {
  /** The value that came with the call, or empty. */
  read(name: CookieName): string;
  /** Out of reach of scripts, and sent to this site's own calls alone. */
  keep(name: CookieName, value: string): void;
  forget(name: CookieName): void;
}

/**
 * Browsers accept a cookie with this prefix only over https, from exactly this host, and not from a
 * subdomain.
 */
const hostPrefix = '__Host-';

export const cookiesOf = (request: FastifyRequest, reply: FastifyReply): Cookies => {
  const isSecure = request.protocol === 'https';
  const find = (name: string): string | null => {
    for (const pair of (request.headers.cookie ?? '').split(';')) {
      const [key = '', value = ''] = pair.trim().split('=', 2);
      if (key === name) return value;
    }
    return null;
  };
  const set = (name: CookieName, value: string, seconds: number) => {
    const [prefix, secure] = isSecure ? [hostPrefix, '; Secure'] : ['', ''];
    // The values are our own: letters, digits, hyphens and underscores.
    void reply.header(
      'set-cookie',
      `${prefix}${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`,
    );
  };
  return {
    read: (name) => find(isSecure ? `${hostPrefix}${name}` : name) ?? '',
    keep: (name, value) => set(name, value, cookieSeconds[name]),
    forget: (name) => set(name, '', 0),
  };
};

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
