import type { IncomingMessage, Server as HttpServer } from 'node:http';
import type { Pool } from 'pg';
import { Server } from 'socket.io';
import { mostOpeningMs, realtimePath, type RealtimeFromServer } from '#contract/realtime.ts';
import { usualHeartbeat, type Heartbeat } from '../database/db.ts';
import { networkOf } from '../http/network.ts';
import type { RateLimits } from '../http/rate-limits.ts';
import type { Log } from '../observability/log.ts';
import type { SecurityLog } from '../security/security-log.ts';
import { openChannel } from './channel.ts';
import { createRecentNews, type RecentNews } from './recent-news.ts';
import {
  answerSocket,
  type AnswerSocket,
  type SocketCall,
  type SocketCallEvent,
  roomOfPerson,
  roomOfSession,
  createSocketSessions,
  type BetweenProcesses,
  type RealtimeCaller,
  type RealtimeServer,
  type RealtimeSocket,
  type SessionOptions,
} from './socket-sessions.ts';

/** Says things to people who have the app open. What no socket hears is read by calls later. */
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
  hear(event: 'typing', handle: (userId: string, said: unknown) => Promise<void>): void;
  /** Answers a call of the contract over the sockets that are opened from now on. */
  answer: AnswerSocket;
  /** Closes the sockets of a session that has ended. */
  drop(sessionId: string): void;
  /**
   * Checks again whether the sockets of a person, or with null of all people, still have a session; in this
   * process.
   */
  recheck(userId: string | null): void;
  /** Closes the sockets of all people whom this process no longer serves. */
  closeToOthers(): void;
  /** The number of open sockets in this process. */
  count(): number;
  close(): Promise<void>;
}

/** Limit of a socket's own events: more than an app ever sends, less than would cost anything. */
const mostSaid = { times: 20, withinMs: 10_000 };

interface RealtimeOptions extends SessionOptions {
  /** How soon a silent connection to the channel is given up. */
  heartbeat?: Heartbeat | undefined;
  /** The network address that a connection comes from, as the proxies in front tell it. */
  addressOf: (request: IncomingMessage) => string | undefined;
  /** The address that people open. */
  publicUrl: string;
  /** Whether a person may have a socket now: during maintenance only admins may. */
  isOpenTo: (caller: RealtimeCaller) => boolean;
  /**
   * The channel between several processes: the address of a Redis, or the database; null where there is one
   * process.
   */
  between: string | Pool | null;
  security: Pick<SecurityLog, 'note'>;
  limits: Pick<RateLimits, 'countInProcess'>;
}

/**
 * Whether the page that opens a socket belongs to this installation, by `PUBLIC_URL` or the request's own
 * host. Other clients send no origin, and have no cookie that could be abused.
 */
function isFromOwnPages({ headers }: IncomingMessage, publicUrl: string): boolean {
  const { origin, host = '' } = headers;
  if (origin === undefined) return true;
  const from = URL.parse(origin)?.host;
  return from !== undefined && (from === host || from === new URL(publicUrl).host);
}

type Hearers = Map<'typing', (userId: string, said: unknown) => Promise<void>>;

export function createRealtime(httpServer: HttpServer, options: RealtimeOptions): Realtime {
  const { log } = options;
  const io: RealtimeServer = new Server(httpServer, {
    path: realtimePath,
    transports: ['websocket'],
    serveClient: false,
    pingInterval: 10_000,
    pingTimeout: 8000,
    maxHttpBufferSize: 16_384,
    allowRequest: (request, answer) => answer(null, isFromOwnPages(request, options.publicUrl)),
  });
  const sessions = createSocketSessions(io, options);
  const { recentNews, emit, endSession, closeChannel } = openNews(io, sessions, options);

  const hearers: Hearers = new Map();
  const calls = new Map<SocketCallEvent, SocketCall>();
  io.use(letIn(options));
  io.on('connection', async (socket) => {
    const { userId, sessionId } = socket.data;
    listenTo(socket, hearers, log);
    answerSocket(socket, networkOf(options.addressOf(socket.request)), calls, options);
    socket.on('token', ({ token }: { token?: unknown }) => {
      if (typeof token === 'string') void sessions.renew(socket, token);
    });
    await socket.join([roomOfPerson(userId), roomOfSession(sessionId)]);
    tellMissed(socket, recentNews);
    // The session may have ended between the handshake and this moment, when this socket could not be
    // notified.
    void sessions.look(socket);
  });

  return {
    recheck: sessions.recheck,
    tell(userIds, event, ...args) {
      if (userIds.length > 0) emit(userIds, event, args);
    },
    tellEveryone(event, ...args) {
      emit([], event, args);
    },
    hear(event, handle) {
      hearers.set(event, handle);
    },
    answer(event, endpoint, handler) {
      calls.set(event, { endpoint, handler: handler as SocketCall['handler'] });
    },
    drop: endSession,
    closeToOthers() {
      for (const socket of io.of('/').sockets.values())
        if (!options.isOpenTo(socket.data)) socket.disconnect(true);
    },
    count: () => io.engine.clientsCount,
    async close() {
      sessions.stop();
      await io.close();
      await closeChannel();
    },
  };
}

/** Events for people's sockets, from this process and the others. */
function openNews(
  io: RealtimeServer,
  sessions: ReturnType<typeof createSocketSessions>,
  { between, heartbeat = usualHeartbeat, log }: RealtimeOptions,
) {
  const recentNews = createRecentNews();
  const onGap = () => {
    recentNews.startAnew();
    io.local.emit('missed');
    sessions.recheck(null);
  };
  const channel = between === null ? null : openChannel(between, { log, heartbeat, onGap });
  if (channel !== null) io.adapter(channel.adapter);
  const { rooms } = io.of('/').adapter;

  const emitHere: BetweenProcesses['emitted'] = (userIds, event, args) => {
    recentNews.note(userIds, event, args[0]);
    // An event for rooms without a socket at this process is not even encoded.
    const here = userIds.map(roomOfPerson).filter((room) => rooms.has(room));
    if (here.length > 0) io.local.to(here).emit(event, ...(args as never));
    else if (userIds.length === 0) io.local.emit(event, ...(args as never));
  };
  const endHere = (sessionId: string) => io.local.in(roomOfSession(sessionId)).disconnectSockets(true);
  io.on('emitted', emitHere);
  io.on('sessionEnded', endHere);
  return {
    recentNews,
    emit(...said: Parameters<typeof emitHere>) {
      emitHere(...said);
      if (channel !== null) io.serverSideEmit('emitted', ...said);
    },
    endSession(sessionId: string) {
      endHere(sessionId);
      if (channel !== null) io.serverSideEmit('sessionEnded', sessionId);
    },
    closeChannel: async () => channel?.close(),
  };
}

/** Tells an app what has changed since its first read, if it says how long ago that was. */
function tellMissed(socket: RealtimeSocket, recentNews: RecentNews): void {
  const { auth, issued } = socket.handshake;
  const readingForMs: unknown = auth['readingForMs'];
  if (typeof readingForMs !== 'number') return;
  const openingMs = Date.now() - issued + mostOpeningMs;
  const changed = recentNews.within(Math.max(0, readingForMs) + openingMs, socket.data.userId);
  if (changed === null) socket.emit('missed');
  else for (const each of changed) socket.emit('changed', { ...each, news: null });
}

/**
 * Opens a socket for a person who is signed in and has not too many; the error's message is a reason of the
 * contract.
 */
function letIn({ authenticate, isOpenTo, addressOf, security, log }: RealtimeOptions) {
  const places = createSocketPlaces();
  return (socket: RealtimeSocket, next: (error?: Error) => void): void => {
    const token: unknown = socket.handshake.auth['token'];
    const given = typeof token === 'string' ? token : '';
    authenticate(given)
      .then((caller) => {
        if (caller === null) return next(new Error('session.missing'));
        if (!isOpenTo(caller)) return next(new Error('server.maintenance'));
        const network = networkOf(addressOf(socket.request));
        const leave = places.enter(caller.userId, network);
        if (leave === null) {
          const reason = 'rate.limited';
          security.note('rateLimited', { path: realtimePath, reason, network, userId: caller.userId });
          return next(new Error(reason));
        }
        socket.conn.once('close', leave);
        socket.data = { ...caller, token: given };
        return next();
      })
      .catch((error: unknown) => {
        log.warn({ err: error }, 'a live connection could not be opened');
        next(new Error('server.trouble'));
      });
  };
}

/** Hands what a socket says to its hearers; what it says beyond `mostSaid` is dropped. */
function listenTo(socket: RealtimeSocket, hearers: Hearers, log: Log): void {
  const said: number[] = [];
  for (const [event, handle] of hearers)
    socket.on(event, (words: unknown) => {
      const now = Date.now();
      if (said.length >= mostSaid.times && now - (said[0] ?? 0) < mostSaid.withinMs) return;
      said.push(now);
      if (said.length > mostSaid.times) said.shift();
      handle(socket.data.userId, words).catch((error: unknown) =>
        log.error({ err: error, event }, 'hearing failed'),
      );
    });
}

/** For processes and tests without clients. */
export const silentRealtime: Realtime = {
  tell() {},
  tellEveryone() {},
  hear() {},
  answer() {},
  drop() {},
  recheck() {},
  closeToOthers() {},
  count: () => 0,
  async close() {},
};

/**
 * Maximum open sockets per process of a person, with every tab of every device, and of a network, such as an
 * office.
 */
const mostSockets = { perPerson: 20, perNetwork: 500 };

/** Counts the sockets of people and networks that are open at this process. */
export function createSocketPlaces() {
  const open = new Map<string, number>();

  function leave(place: string): void {
    const left = (open.get(place) ?? 1) - 1;
    if (left === 0) open.delete(place);
    else open.set(place, left);
  }

  return {
    /**
     * Counts a socket; null where the person or the network has too many.
     * @returns what is called when it closes.
     */
    enter(userId: string, network: string): (() => void) | null {
      const [person, office] = [`person ${userId}`, `network ${network}`];
      if ((open.get(person) ?? 0) >= mostSockets.perPerson) return null;
      if ((open.get(office) ?? 0) >= mostSockets.perNetwork) return null;
      for (const place of [person, office]) open.set(place, (open.get(place) ?? 0) + 1);
      return () => [person, office].forEach(leave);
    },
  };
}
