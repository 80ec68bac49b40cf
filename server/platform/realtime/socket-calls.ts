import type { z } from 'zod';
import type { Endpoint } from '#contract/define.ts';
import type { Envelope } from '#contract/envelope.ts';
import type { LiveAnswer } from '#contract/realtime.ts';
import { hasWaitedTooLong } from '../database/db.ts';
import { checkInput } from '../http/check-input.ts';
import type { RateLimits } from '../http/rate-limits.ts';
import { inRequest, requestIdOf } from '../observability/request-trace.ts';
import type { Log } from '../observability/log.ts';
import { busy, Refusal, refusedEnvelope } from '../refusal.ts';
import { securityEventOf, type SecurityLog } from '../security/security-log.ts';
import type { RealtimeSocket } from './socket-sessions.ts';

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
