/** An error as the log describes it. */
export interface DescribedError {
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
export function describeError(error: Error): DescribedError {
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
