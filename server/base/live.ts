import type { Server as HttpServer } from 'node:http';
import { Server } from 'socket.io';
import { livePath, type LiveFromClient, type LiveFromServer } from '#contract/live.ts';

/** Who holds a socket. */
export interface LiveCaller {
  userId: string;
  sessionId: string;
}

/** Says things to people who have the app open. What nobody hears is read by calls later. */
export interface Live {
  tell<E extends keyof LiveFromServer>(
    userIds: readonly string[],
    event: E,
    ...args: Parameters<LiveFromServer[E]>
  ): void;
  tellEveryone<E extends keyof LiveFromServer>(event: E, ...args: Parameters<LiveFromServer[E]>): void;
  /** Closes the sockets of a session that has ended. */
  drop(sessionId: string): void;
  close(): Promise<void>;
}

/** @param authenticate the caller behind an access token, or null. */
export function createLive(
  httpServer: HttpServer,
  authenticate: (token: string) => Promise<LiveCaller | null>,
): Live {
  const io = new Server<LiveFromClient, LiveFromServer, Record<string, never>, LiveCaller>(httpServer, {
    path: livePath,
    transports: ['websocket'],
    serveClient: false,
    pingInterval: 10_000,
    pingTimeout: 8000,
    maxHttpBufferSize: 16_384,
  });
  io.use((socket, next) => {
    const token: unknown = socket.handshake.auth['token'];
    authenticate(typeof token === 'string' ? token : '')
      .then((caller) => {
        if (caller === null) return next(new Error('session.missing'));
        socket.data = caller;
        return next();
      })
      .catch(() => next(new Error('server.trouble')));
  });
  io.on('connection', async (socket) => {
    await socket.join([`user:${socket.data.userId}`, `session:${socket.data.sessionId}`]);
  });
  return {
    tell(userIds, event, ...args) {
      if (userIds.length > 0) io.to(userIds.map((userId) => `user:${userId}`)).emit(event, ...args);
    },
    tellEveryone(event, ...args) {
      io.emit(event, ...args);
    },
    drop(sessionId) {
      io.in(`session:${sessionId}`).disconnectSockets(true);
    },
    async close() {
      await io.close();
    },
  };
}

/** For processes and tests in which nobody listens. */
export const silentLive: Live = {
  tell() {},
  tellEveryone() {},
  drop() {},
  async close() {},
};
