import type { IncomingMessage, Server as HttpServer } from 'node:http';
import net from 'node:net';
import { createAdapter, type PostgresAdapter } from '@socket.io/postgres-adapter';
import type { Pool } from 'pg';
import { Server, type Socket } from 'socket.io';
import { realtimePath, type RealtimeFromClient, type RealtimeFromServer } from '#contract/realtime.ts';
import { secondMs, type Clock } from '../clock.ts';
import { beat, openPoolBeside, usualHeartbeat, type Heartbeat } from '../database/db.ts';
import type { Log } from '../observability/log.ts';
import { networkOf } from '../http/network.ts';
import type { SecurityLog } from '../security/security-log.ts';

/** Who holds a socket. */
export interface RealtimeCaller {
  userId: string;
  sessionId: string;
  /** When the token ends that the socket was opened with, or has been given since. */
  expiresAt: Date;
}

interface SocketData extends RealtimeCaller {
  token: string;
}

/** Says things to people who have the app open. What nobody hears is read by calls later. */
export interface Realtime {
  tell<E extends keyof RealtimeFromServer>(
    userIds: readonly string[],
    event: E,
    ...args: Parameters<RealtimeFromServer[E]>
  ): void;
  tellEveryone<E extends keyof RealtimeFromServer>(
    event: E,
    ...args: Parameters<RealtimeFromServer[E]>
  ): void;
  /** Calls back for what a person's app says over the socket. It comes from outside: check it. */
  hear(event: keyof RealtimeFromClient, handle: (userId: string, said: unknown) => Promise<void>): void;
  /** Closes the sockets of a session that has ended. */
  drop(sessionId: string): void;
  /** Looks again whether the sockets of a person, or with null of all people, still have a session; in this process. */
  recheck(userId: string | null): void;
  close(): Promise<void>;
}

/** What one socket may say: more than an app ever does, less than would cost anything. */
const mostSaid = { times: 20, withinMs: 10_000 };

/** So many sockets a person and a network have open at one process: every tab of every device, and an office. */
const mostSockets = { perPerson: 20, perNetwork: 500 };

/** PostgreSQL refuses a notification of 8,000 bytes; longer ones go through the table of attachments. */
const longestNotificationBytes = 7900;

/** What begins the name of the room that all sockets of a person are in. */
const personRoom = 'user:';

/** So long an app has to say its fresh token after it has traded in the one that a socket was opened with. */
const freshTokenWithinMs = 5 * secondMs;
/** Sockets whose token has ended are looked for so often. */
const lookForEndedMs = 5 * secondMs;

interface LiveOptions {
  clock: Clock;
  /** How soon a line that has gone silent is given up. */
  heartbeat?: Heartbeat | undefined;
  /** The network address that a connection comes from, as the proxies in front tell it. */
  addressOf: (request: IncomingMessage) => string | undefined;
  /** The caller behind an access token, or null. */
  authenticate: (token: string) => Promise<RealtimeCaller | null>;
  /** The database over which several processes pass each other's news on; null where there is one process. */
  between: Pool | null;
  /**
   * Called with the people who are about to be told here that something has changed, whichever process says so: they read it
   * again at once, and must not get what this process remembers of before.
   */
  beforeNews: (userIds: readonly string[]) => void;
  log: Log;
  security: Pick<SecurityLog, 'note'>;
}

export function createRealtime(
  httpServer: HttpServer,
  {
    authenticate,
    between,
    beforeNews,
    addressOf,
    clock,
    heartbeat = usualHeartbeat,
    log,
    security,
  }: LiveOptions,
): Realtime {
  const io = new Server<RealtimeFromClient, RealtimeFromServer, Record<string, never>, SocketData>(
    httpServer,
    {
      path: realtimePath,
      transports: ['websocket'],
      serveClient: false,
      pingInterval: 10_000,
      pingTimeout: 8000,
      maxHttpBufferSize: 16_384,
    },
  );
  const lines =
    between === null
      ? null
      : linesOf(between, {
          log,
          beforeNews,
          heartbeat,
          onGap: () => {
            io.local.emit('missed');
            recheck(null);
          },
        });
  if (lines !== null) io.adapter(lines.adapter);

  const openSockets = new Map<string, number>();
  /** @param places the person and the network, in the order of `mostSockets`. */
  function takePlaces(places: readonly string[]): boolean {
    const most = [mostSockets.perPerson, mostSockets.perNetwork];
    if (places.some((place, at) => (openSockets.get(place) ?? 0) >= most[at]!)) return false;
    for (const place of places) openSockets.set(place, (openSockets.get(place) ?? 0) + 1);
    return true;
  }
  function givePlaces(places: readonly string[]): void {
    for (const place of places) {
      const left = (openSockets.get(place) ?? 1) - 1;
      if (left === 0) openSockets.delete(place);
      else openSockets.set(place, left);
    }
  }

  const hearers = new Map<keyof RealtimeFromClient, (userId: string, said: unknown) => Promise<void>>();
  io.use((socket, next) => {
    const token: unknown = socket.handshake.auth['token'];
    const given = typeof token === 'string' ? token : '';
    authenticate(given)
      .then((caller) => {
        if (caller === null) return next(new Error('session.missing'));
        const network = networkOf(addressOf(socket.request));
        const places = [`person ${caller.userId}`, `network ${network}`];
        if (!takePlaces(places)) {
          const reason = 'rate.limited';
          security.note('rateLimited', { path: realtimePath, reason, network, userId: caller.userId });
          return next(new Error(reason));
        }
        socket.conn.once('close', () => givePlaces(places));
        socket.data = { ...caller, token: given };
        return next();
      })
      .catch((error: unknown) => {
        log.warn({ err: error }, 'a live connection could not be opened');
        next(new Error('server.trouble'));
      });
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
    socket.on('token', ({ token }: { token?: unknown }) => {
      if (typeof token === 'string') void renew(socket, token);
    });
    await socket.join([`${personRoom}${userId}`, `session:${sessionId}`]);
    // The session may have ended between the handshake and this moment, when nothing could be told to this socket.
    void look(socket);
  });

  type LiveSocket = typeof io extends Server<infer A, infer B, infer C, infer D> ? Socket<A, B, C, D> : never;

  /** A socket goes on with a fresh token of the same person. */
  async function renew(socket: LiveSocket, token: string): Promise<void> {
    const caller = await authenticate(token).catch((error: unknown) => {
      // The socket ends with its old token then, and the app connects again.
      log.warn({ err: error }, 'a fresh token could not be looked at');
      return null;
    });
    if (caller === null || caller.userId !== socket.data.userId) return;
    if (caller.sessionId !== socket.data.sessionId) {
      await socket.leave(`session:${socket.data.sessionId}`);
      await socket.join(`session:${caller.sessionId}`);
    }
    socket.data = { ...caller, token };
  }

  /** Ends a socket whose token is over; one that was just traded in has a moment to be followed by the fresh one. */
  async function look(socket: LiveSocket): Promise<void> {
    const { token } = socket.data;
    try {
      if ((await authenticate(token)) !== null) return;
    } catch (error) {
      // The next look, once the database can be heard again, finds out.
      log.warn({ err: error }, 'a live connection could not be looked at');
      return;
    }
    setTimeout(() => {
      if (socket.data.token === token) socket.disconnect(true);
    }, freshTokenWithinMs).unref();
  }

  function recheck(userId: string | null): void {
    const room = userId === null ? null : io.of('/').adapter.rooms.get(`${personRoom}${userId}`);
    if (userId !== null && room === undefined) return;
    for (const [id, socket] of io.of('/').sockets) if (room == null || room.has(id)) void look(socket);
  }

  const looking = setInterval(() => {
    const now = clock.now();
    for (const socket of io.of('/').sockets.values())
      if (socket.data.expiresAt <= now) socket.disconnect(true);
  }, lookForEndedMs);
  looking.unref();

  return {
    recheck,
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
      clearInterval(looking);
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
  {
    log,
    beforeNews,
    heartbeat,
    onGap,
  }: Pick<LiveOptions, 'log' | 'beforeNews'> & { heartbeat: Heartbeat; onGap: () => void },
) {
  const onError = (error: Error) => log.warn({ err: error }, 'a line to the other processes broke');
  let line = new net.Socket();
  const stream = () => (line = new net.Socket());
  const listening = openPoolBeside(pool, { max: 1, name: 'sameway live', stream }, onError);
  const telling = openPoolBeside(pool, { max: 1, name: 'sameway live, telling' }, onError);
  let connections = 0;
  listening.on('connect', (client) => {
    connections += 1;
    // The adapter asks for another connection when this one has ended, but does not give it back.
    client.once('end', () => client.release(true));
    // One that has gone silent is cut here, so that the adapter asks for another.
    const stop = beat(client, heartbeat, () => line.destroy());
    client.once('end', stop);
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
    // The adapter's own way to hear the others, which its type keeps private.
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
export const silentRealtime: Realtime = {
  tell() {},
  tellEveryone() {},
  hear() {},
  drop() {},
  recheck() {},
  async close() {},
};
