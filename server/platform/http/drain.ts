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

/**
 * Prepares a server, before it listens, to be ended without a call refused: calls under way are finished,
 * each answer asks its connection to close, and the port stays open until no one calls any more, at most
 * three seconds.
 * @returns what ends it; `closeLive` closes the sockets.
 */
export function prepareDrain(http: FastifyInstance): (closeLive: () => Promise<void>) => Promise<void> {
  const underWay = new Set<ServerResponse>();
  let isDraining = false;
  let lastAtMs = 0;
  const askToClose = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader('connection', 'close');
  };
  http.server.prependListener('request', (_request, response) => {
    underWay.add(response);
    lastAtMs = performance.now();
    if (isDraining) askToClose(response);
    response.once('close', () => {
      underWay.delete(response);
      lastAtMs = performance.now();
    });
  });
  return async (closeLive) => {
    isDraining = true;
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
  };
}
