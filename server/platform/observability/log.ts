import { pino } from 'pino';
import { PinoPretty } from 'pino-pretty';
import type { Env } from '../env.ts';
import { requestUnderWay } from './traces.ts';

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

/** An error as the log describes it. */
interface DescribedError {
  type: string;
  message: string;
  code?: string;
  /** Which rule of which table a statement broke. */
  constraint?: string;
  table?: string;
  stack: string;
  cause?: DescribedError;
}

/**
 * An error without what people have typed: statements lose their parameters, PostgreSQL's errors their
 * details, which quote rows, and the values that its messages quote. The kind of error and the place in the
 * code remain, and so does the cause.
 */
function describeError(error: Error): DescribedError {
  const { code, constraint, table } = error as { code?: unknown; constraint?: unknown; table?: unknown };
  const cause = error.cause instanceof Error ? describeError(error.cause) : undefined;
  const message = messageOf(error);
  return {
    type: error.constructor.name,
    message,
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof constraint === 'string' ? { constraint } : {}),
    ...(typeof table === 'string' ? { table } : {}),
    stack: framesOf(error),
    ...(cause === undefined ? {} : { cause }),
  };
}

function messageOf(error: Error): string {
  // Drizzle says the statement and every parameter.
  if ('query' in error && 'params' in error)
    return `A statement failed: ${String(error.query).slice(0, 200)}`;
  const { code } = error as { code?: unknown };
  // Class 22: a value that could not be read is quoted, or is said after a colon.
  if (typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code))
    return error.message.replaceAll(/"[^"]*"/g, '"…"').replace(/: .*$/s, ': …');
  return error.message.split('\n', 1)[0]!.slice(0, 500);
}

/** The places alone: a stack begins with the message. */
const framesOf = ({ stack = '' }: Error): string =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
