import { pino } from 'pino';
import { PinoPretty } from 'pino-pretty';
import type { Env } from '../env.ts';
import { describeError } from './error-text.ts';
import { requestUnderWay } from './request-trace.ts';

/**
 * JSON lines for machines in production, readable lines elsewhere; of errors only what holds nothing
 * personal.
 */
export function createLog(
  env: Pick<Env, 'LOG_LEVEL' | 'production'>,
  /** Where the lines go instead: tests read them. */
  to?: { write(line: string): void },
) {
  const options = {
    level: env.LOG_LEVEL,
    redact: ['req.headers.authorization'],
    /** Adds the request's id to every line that is logged during a request. */
    mixin: () => {
      const request = requestUnderWay();
      return request === undefined ? {} : { requestId: request.id };
    },
    serializers: { err: (error: unknown) => (error instanceof Error ? describeError(error) : typeof error) },
    hooks: {
      /** Without words of its own a line would take those of its error as they are. */
      logMethod(this: unknown, [first, ...words]: unknown[], method: (...args: unknown[]) => void) {
        const line: unknown = first instanceof Error ? { err: first } : first;
        const error = typeof line === 'object' && line !== null && 'err' in line ? line.err : undefined;
        const own = words.length === 0 && error instanceof Error ? [describeError(error).message] : words;
        method.apply(this, [line, ...own]);
      },
    },
  };
  if (to !== undefined) return pino(options, to);
  if (env.production) return pino(options);
  return pino(options, PinoPretty({ translateTime: 'HH:MM:ss', ignore: 'pid,hostname' }));
}

export type Log = ReturnType<typeof createLog>;
