import type { Server, Socket } from 'socket.io';
import type { z } from 'zod';
import type { RealtimeFromClient, RealtimeFromServer, LiveAnswer } from '#contract/realtime.ts';
import type { Endpoint } from '#contract/define.ts';
import type { Envelope } from '#contract/envelope.ts';
import { secondMs, type Clock } from '../clock.ts';
import { hasWaitedTooLong } from '../database/db.ts';
import type { Caller } from '../http/caller.ts';
import { checkInput } from '../http/check-input.ts';
import type { RateLimits } from '../http/rate-limits.ts';
import type { Log } from '../observability/log.ts';
import { inRequest, requestIdOf } from '../observability/traces.ts';
import { busy, Refusal, refusedEnvelope } from '../refusal.ts';
import { securityEventOf, type SecurityLog } from '../security/security-log.ts';

/** The holder of a socket. */
export interface RealtimeCaller extends Caller {
  /** When the token ends that the socket was opened with, or has been given since. */
  expiresAt: Date;
}

interface SocketData extends RealtimeCaller {
  token: string;
}

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

/** Calls that apps may make over their sockets, by event. */
export type SocketCallEvent = 'send' | 'read';

/** A call of a signed-in person, with what answers it: as `Serve` does over HTTP. */
export interface SocketCall {
  endpoint: Endpoint;
  handler: (input: unknown, caller: { userId: string }) => Promise<unknown>;
}

export type AnswerSocket = <I extends z.ZodObject, O extends z.ZodType>(
  event: SocketCallEvent,
  endpoint: Endpoint<I, O, 'user'>,
  handler: (input: z.output<I>, caller: { userId: string }) => Promise<z.input<O>>,
) => void;

interface CallContext {
  limits: Pick<RateLimits, 'countInProcess'>;
  security: Pick<SecurityLog, 'note'>;
  log: Log;
}

/** Answers what one socket asks by these calls: the same limits, the same check and the same refusals. */
export function answerSocket(
  socket: RealtimeSocket,
  network: string,
  calls: ReadonlyMap<SocketCallEvent, SocketCall>,
  context: CallContext,
): void {
  const { userId } = socket.data;
  for (const [event, call] of calls)
    socket.on(event, (source: unknown, answer: unknown) => {
      const give = typeof answer === 'function' ? (answer as LiveAnswer<unknown>) : () => {};
      const from = { userId, address: network };
      // Sockets send no id for the call.
      const request = { id: requestIdOf(null), span: null };
      void inRequest(request, () => answered(call, source, from, context)).then((envelope) => give(envelope));
    });
}

async function answered(
  { endpoint, handler }: SocketCall,
  source: unknown,
  { userId, address }: { userId: string; address: string },
  { limits, security, log }: CallContext,
): Promise<Envelope<unknown> | null> {
  const { path } = endpoint;
  try {
    limits.countInProcess({ path, limits: endpoint.limits ?? [], userId, address });
    return { code: 200, info: 'OK', data: await handler(checkInput(endpoint.input, source), { userId }) };
  } catch (error) {
    const refusal = error instanceof Refusal ? error : hasWaitedTooLong(error) ? busy() : null;
    if (refusal === null) {
      log.error({ err: error, path }, 'a call over a socket failed');
      return null;
    }
    const event = securityEventOf(path, refusal);
    if (event !== null) security.note(event, { path, reason: refusal.reason, network: address, userId });
    return refusedEnvelope(refusal);
  }
}
