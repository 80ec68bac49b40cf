import type { Server, ServerResponse } from 'node:http';
import { Server as TcpServer } from 'node:net';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/**
 * New connections are still answered for this time, each with the request to close: a proxy needs a moment to
 * choose another server.
 */
const stillOpenMs = 3000;
/** The server closes after this time without a call. */
const quietMs = 250;
/** A call that takes longer than this is cut; more than any call may take. */
const finishWithinMs = 20_000;

/** A turn of the event loop in which hardly anything was done. */
const shortTurnMs = 0.5;

/** Stops a server without failing a call. */
export interface Drain {
  /** True once stopping has begun: `/ready` then tells proxies to send no more calls. */
  readonly isUnderWay: boolean;
  /**
   * Finishes running calls, closes each connection with its answer, and keeps the port open while calls come
   * in, for up to three seconds. Then closes the port, answers the calls on the connections that are still
   * open, and stops the server. @param closeLive closes the sockets
   */
  run(closeLive: () => Promise<void>): Promise<void>;
}

/** Prepares a server, before it listens, to be drained. */
export function prepareDrain(http: FastifyInstance): Drain {
  const underWay = new Set<ServerResponse>();
  let isUnderWay = false;
  let lastAtMs = 0;
  /** While the port is being closed, new calls wait. */
  let portClosing: Promise<void> | null = null;
  const askToClose = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader('connection', 'close');
  };
  http.server.on('connection', () => {
    lastAtMs = performance.now();
  });
  http.server.prependListener('request', (_request, response) => {
    underWay.add(response);
    lastAtMs = performance.now();
    if (isUnderWay) askToClose(response);
    response.once('close', () => {
      underWay.delete(response);
      lastAtMs = performance.now();
    });
  });
  http.addHook('onRequest', (_request, _reply, done) => {
    if (portClosing === null) done();
    else void portClosing.then(() => done());
  });
  /** Waits while calls are running or have just come in, at most `longestMs`. */
  const quiet = async (longestMs: number) => {
    const untilMs = performance.now() + longestMs;
    const isBusy = () => underWay.size > 0 || performance.now() - lastAtMs < quietMs;
    while (isBusy() && performance.now() < untilMs) await sleep(10);
  };
  return {
    get isUnderWay() {
      return isUnderWay;
    },
    async run(closeLive) {
      isUnderWay = true;
      for (const response of underWay) askToClose(response);
      await quiet(stillOpenMs);
      const { promise, resolve: goOn } = Promise.withResolvers<void>();
      portClosing = promise;
      await backlogAccepted(http.server);
      // The close of HTTP servers also closes the connections without a running call, and a proxy may just
      // be sending one on them. This one closes the port only.
      const closed = new Promise((resolve) => TcpServer.prototype.close.call(http.server, resolve));
      portClosing = null;
      goOn();
      await quiet(finishWithinMs);
      await closeLive();
      http.server.closeAllConnections();
      await closed;
      await http.close();
    },
  };
}

/**
 * Waits for a turn of the event loop that accepts no connection and is too short for one to have come since,
 * for up to three seconds. Calls wait meanwhile, so such a turn comes soon. When a port closes, the kernel
 * resets the connections that wait to be accepted, and a proxy that has sent a call on one of them cannot
 * know whether the call was carried out.
 */
async function backlogAccepted(server: Server): Promise<void> {
  let hasAccepted = false;
  const note = () => (hasAccepted = true);
  const untilMs = performance.now() + stillOpenMs;
  server.on('connection', note);
  for (;;) {
    hasAccepted = false;
    const atMs = performance.now();
    await turn();
    const endMs = performance.now();
    if ((!hasAccepted && endMs - atMs < shortTurnMs) || endMs > untilMs) break;
  }
  server.off('connection', note);
}
