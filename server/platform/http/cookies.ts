import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Cookies of one call. None of them signs a person in: each only tells that a step is taken in the browser
 * that took the step before, for as long as such a step takes.
 */
export interface Cookies {
  /** The value that came with the call, or empty. */
  read(name: string): string;
  /**
   * Kept by the browser for so long, out of reach of scripts; sent to this site's own calls alone. 0 seconds
   * forget it.
   */
  keep(name: string, value: string, seconds: number): void;
}

export const cookiesOf = (request: FastifyRequest, reply: FastifyReply): Cookies => ({
  read(name) {
    for (const pair of (request.headers.cookie ?? '').split(';')) {
      const [key = '', value = ''] = pair.trim().split('=', 2);
      if (key === name) return value;
    }
    return '';
  },
  keep(name, value, seconds) {
    const secure = request.protocol === 'https' ? '; Secure' : '';
    // The values are our own: letters, digits, hyphens and underscores.
    void reply.header(
      'set-cookie',
      `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`,
    );
  },
});
