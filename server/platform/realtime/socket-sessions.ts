import type { Server, Socket } from 'socket.io';
import type { RealtimeFromClient, RealtimeFromServer } from '#contract/realtime.ts';
import { secondMs, type Clock } from '../clock.ts';
import type { Caller } from '../http/caller.ts';
import type { Log } from '../observability/log.ts';

/** The holder of a socket. */
export interface RealtimeCaller extends Caller {
  /** When the token ends that the socket was opened with, or has been given since. */
  expiresAt: Date;
}

interface SocketData extends RealtimeCaller {
  token: string;
}

/** Events between processes. */
export interface BetweenProcesses {
  /** An event for the sockets of these people; without any, for all sockets. */
  emitted: (userIds: readonly string[], event: keyof RealtimeFromServer, args: readonly unknown[]) => void;
  sessionEnded: (sessionId: string) => void;
}

export type RealtimeServer = Server<RealtimeFromClient, RealtimeFromServer, BetweenProcesses, SocketData>;
export type RealtimeSocket = Socket<RealtimeFromClient, RealtimeFromServer, BetweenProcesses, SocketData>;

/**
 * Time limit for an app to send its fresh token after it has traded in the one that a socket was opened with.
 */
const freshTokenWithinMs = 5 * secondMs;
/** How often sockets whose token has ended are closed. */
const lookForEndedMs = 5 * secondMs;

export interface SessionOptions {
  clock: Clock;
  /** The caller behind an access token, or null. */
  authenticate: (token: string) => Promise<RealtimeCaller | null>;
  log: Log;
}

/** Ends sockets whose session or token is over. */
export function createSocketSessions(io: RealtimeServer, { clock, authenticate, log }: SessionOptions) {
  const looking = setInterval(() => {
    const now = clock.now();
    for (const socket of io.of('/').sockets.values())
      if (socket.data.expiresAt <= now) socket.disconnect(true);
  }, lookForEndedMs);
  looking.unref();

  /**
   * Ends a socket whose token is over; one that was just traded in has a moment to be followed by the fresh
   * one.
   */
  async function look(socket: RealtimeSocket): Promise<void> {
    const { token } = socket.data;
    try {
      if ((await authenticate(token)) !== null) return;
    } catch (error) {
      // The next check finds out, once the database answers again.
      log.warn({ err: error }, 'a live connection could not be looked at');
      return;
    }
    setTimeout(() => {
      if (socket.data.token === token) socket.disconnect(true);
    }, freshTokenWithinMs).unref();
  }

  return {
    look,

    /** A socket goes on with a fresh token of the same person. */
    async renew(socket: RealtimeSocket, token: string): Promise<void> {
      const caller = await authenticate(token).catch((error: unknown) => {
        // The socket ends with its old token then, and the app connects again.
        log.warn({ err: error }, 'a fresh token could not be looked at');
        return null;
      });
      if (caller === null || caller.userId !== socket.data.userId) return;
      if (caller.sessionId !== socket.data.sessionId) {
        await socket.leave(roomOfSession(socket.data.sessionId));
        await socket.join(roomOfSession(caller.sessionId));
      }
      socket.data = { ...caller, token };
    },

    /** Checks the sockets of a person, or with null all sockets, in this process. */
    recheck(userId: string | null): void {
      const room = userId === null ? null : io.of('/').adapter.rooms.get(roomOfPerson(userId));
      if (userId !== null && room === undefined) return;
      for (const [id, socket] of io.of('/').sockets) if (room == null || room.has(id)) void look(socket);
    },

    stop: () => clearInterval(looking),
  };
}

/** The room that all sockets of a person are in. */
export const roomOfPerson = (userId: string): string => `user:${userId}`;
export const roomOfSession = (sessionId: string): string => `session:${sessionId}`;
