import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/**
 * So long new connections are still answered, each with the request to close: a proxy needs a moment to look
 * elsewhere.
 */
const stillOpenMs = 3000;
/** No call for so long, and no one is about to make one. */
const quietMs = 250;
/** A call that takes longer than this is cut; more than any call may take. */
const finishWithinMs = 20_000;

/** Stops a server without failing a call. */
export interface Drain {
  /** True once stopping has begun: `/ready` then tells proxies to send no more calls. */
  readonly isUnderWay: boolean;
  /**
   * Finishes running calls, closes each connection with its answer, and keeps the port open while calls come
   * in, for up to three seconds; then stops the server. @param closeLive closes the sockets
   */
  run(closeLive: () => Promise<void>): Promise<void>;
}

/** Prepares a server, before it listens, to be drained. */
export function prepareDrain(http: FastifyInstance): Drain {
  const underWay = new Set<ServerResponse>();
  let isUnderWay = false;
  let lastAtMs = 0;
  const askToClose = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader('connection', 'close');
  };
  http.server.prependListener('request', (_request, response) => {
    underWay.add(response);
    lastAtMs = performance.now();
    if (isUnderWay) askToClose(response);
    response.once('close', () => {
      underWay.delete(response);
      lastAtMs = performance.now();
    });
  });
  return {
    get isUnderWay() {
      return isUnderWay;
    },
    async run(closeLive) {
      isUnderWay = true;
      for (const response of underWay) askToClose(response);
      const shutAtMs = performance.now() + stillOpenMs;
      while (performance.now() < shutAtMs && (underWay.size > 0 || performance.now() - lastAtMs < quietMs))
        await sleep(10);
      // Node refuses new connections from here on and ends the idle ones.
      const closed = new Promise((resolve) => http.server.close(resolve));
      const cutAtMs = performance.now() + finishWithinMs;
      while (underWay.size > 0 && performance.now() < cutAtMs) await sleep(10);
      await closeLive();
      http.server.closeAllConnections();
      await closed;
      await http.close();
    },
  };
}
