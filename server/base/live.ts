import type { Server as HttpServer } from 'node:http';
import { createAdapter, type PostgresAdapter } from '@socket.io/postgres-adapter';
import type { Pool } from 'pg';
import { Server } from 'socket.io';
import { livePath, type LiveFromClient, type LiveFromServer } from '#contract/live.ts';
import { openPool } from './db.ts';
import type { Log } from './log.ts';

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
  /** Calls back for what a person's app says over the socket. It comes from outside: check it. */
  hear(event: keyof LiveFromClient, handle: (userId: string, said: unknown) => Promise<void>): void;
  /** Closes the sockets of a session that has ended. */
  drop(sessionId: string): void;
  close(): Promise<void>;
}

/** What one socket may say: more than an app ever does, less than would cost anything. */
const mostSaid = { times: 20, withinMs: 10_000 };

/** PostgreSQL refuses a notification of 8,000 bytes; longer ones go through the table of attachments. */
const longestNotificationBytes = 7900;

/** What begins the name of the room that all sockets of a person are in. */
const personRoom = 'user:';

interface LiveOptions {
  /** The caller behind an access token, or null. */
  authenticate: (token: string) => Promise<LiveCaller | null>;
  /** The database over which several processes pass each other's news on; null where there is one process. */
  between: Pool | null;
  /**
   * Called with the people who are about to be told here that something has changed, whichever process says so: they read it
   * again at once, and must not get what this process remembers of before.
   */
  beforeNews: (userIds: readonly string[]) => void;
  log: Log;
}

export function createLive(
  httpServer: HttpServer,
  { authenticate, between, beforeNews, log }: LiveOptions,
): Live {
  const io = new Server<LiveFromClient, LiveFromServer, Record<string, never>, LiveCaller>(httpServer, {
    path: livePath,
    transports: ['websocket'],
    serveClient: false,
    pingInterval: 10_000,
    pingTimeout: 8000,
    maxHttpBufferSize: 16_384,
  });
  const lines =
    between === null ? null : linesOf(between, { log, beforeNews, onGap: () => io.local.emit('missed') });
  if (lines !== null) io.adapter(lines.adapter);

  const hearers = new Map<keyof LiveFromClient, (userId: string, said: unknown) => Promise<void>>();
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
    const { userId, sessionId } = socket.data;
    const said: number[] = [];
    for (const [event, handle] of hearers)
      socket.on(event, (words: unknown) => {
        const now = Date.now();
        if (said.length >= mostSaid.times && now - (said[0] ?? 0) < mostSaid.withinMs) return;
        said.push(now);
        if (said.length > mostSaid.times) said.shift();
        handle(userId, words).catch((error: unknown) => log.error({ err: error, event }, 'hearing failed'));
      });
    await socket.join([`${personRoom}${userId}`, `session:${sessionId}`]);
  });
  return {
    tell(userIds, event, ...args) {
      if (userIds.length === 0) return;
      if (event === 'changed') beforeNews(userIds);
      io.to(userIds.map((userId) => `${personRoom}${userId}`)).emit(event, ...args);
    },
    tellEveryone(event, ...args) {
      io.emit(event, ...args);
    },
    hear(event, handle) {
      hearers.set(event, handle);
    },
    drop(sessionId) {
      io.in(`session:${sessionId}`).disconnectSockets(true);
    },
    async close() {
      await io.close();
      await lines?.close();
    },
  };
}

/** What one process says to the others, as the adapter writes it: news has a packet and the rooms that it is for. */
interface Heard {
  data?: { packet?: { data?: readonly unknown[] }; opts?: { rooms?: readonly string[] } };
}

/**
 * Two lines of its own to the database: one listens, one tells, so that what one process says arrives in the order it was
 * said. When the listening line was broken, `onGap` is called once it stands again: nobody knows what was said meanwhile.
 */
function linesOf(
  pool: Pool,
  { log, beforeNews, onGap }: Pick<LiveOptions, 'log' | 'beforeNews'> & { onGap: () => void },
) {
  const onError = (error: Error) => log.warn({ err: error }, 'a line to the other processes broke');
  // The pool hides its password when its options are spread.
  const config = { ...pool.options, password: pool.options.password, max: 1 };
  const listening = openPool(config, onError);
  const telling = openPool(config, onError);
  let connections = 0;
  listening.on('connect', (client) => {
    connections += 1;
    // The adapter asks for another connection when this one has ended, but does not give it back.
    client.once('end', () => client.release(true));
    if (connections === 1) return;
    // Questions wait in line: this one is answered after the adapter's LISTEN.
    setImmediate(() => void client.query('select 1').then(onGap, onError));
  });
  // The adapter works on one pool: connections are taken from the first, questions asked on the second.
  const adapter = createAdapter(Object.assign(listening, { query: telling.query.bind(telling) }), {
    payloadThreshold: longestNotificationBytes,
    errorHandler: onError,
  });
  // Called as a constructor.
  function adapterOf(namespace: unknown): PostgresAdapter {
    const made: PostgresAdapter = adapter(namespace);
    const hears = made as unknown as { onMessage(heard: Heard, offset?: string): void };
    const onMessage = hears.onMessage.bind(made);
    hears.onMessage = (heard, offset) => {
      if (heard.data?.packet?.data?.[0] === 'changed')
        beforeNews((heard.data.opts?.rooms ?? []).map((room) => room.slice(personRoom.length)));
      onMessage(heard, offset);
    };
    return made;
  }
  return {
    adapter: adapterOf,
    async close() {
      await Promise.all([listening.end(), telling.end()]);
    },
  };
}

/** For processes and tests in which nobody listens. */
export const silentLive: Live = {
  tell() {},
  tellEveryone() {},
  hear() {},
  drop() {},
  async close() {},
};
