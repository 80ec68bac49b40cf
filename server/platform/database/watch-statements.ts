import type { Pool, PoolClient } from 'pg';
import type { Log } from '../observability/log.ts';
import { inRequest, requestUnderWay, type RequestTrace } from '../observability/request-trace.ts';
import { PreparedStatementsClient } from './prepared-statements.ts';

type Asked = unknown[];
type Callback = (error: unknown, ...rest: unknown[]) => void;

/** Longer texts tell no more. */
const longestText = 2000;

/**
 * Has each statement of a request carry its id, so that `pg_stat_activity` and PostgreSQL's own log name it:
 * as a comment, and not where the connection keeps the plan of a statement, which must have the same text
 * each time (its transaction has the id in its name: `inTransaction`). Statements that take longer than
 * `slowMs` (0: none) are logged; each is a part of its request's trace.
 */
export function watchStatements(pool: Pool, { log, slowMs }: { log: Log; slowMs: number }): void {
  pool.on('connect', (client) => watch(client, { log, slowMs }));
}

function watch(client: PoolClient, { log, slowMs }: { log: Log; slowMs: number }): void {
  const ask = client.query.bind(client) as (...asked: Asked) => unknown;
  // It names statements by their text.
  const mayComment = !(client instanceof PreparedStatementsClient);

  function begin(text: string): (error?: unknown) => void {
    const request = requestUnderWay();
    const fromMs = Date.now();
    const began = performance.now();
    return (error) => {
      const ms = performance.now() - began;
      request?.span?.addPast({
        name: text.trimStart().split(/\s/, 1)[0]!.toLowerCase(),
        attributes: { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, longestText) },
        fromMs,
        untilMs: fromMs + ms,
        hasFailed: error instanceof Error,
      });
      if (slowMs > 0 && ms >= slowMs)
        inRequestOr(request, () =>
          log.warn({ ms: Math.round(ms), statement: text.slice(0, longestText) }, 'a slow statement'),
        );
    };
  }

  const watched = (...asked: Asked): unknown => {
    const text = textOf(asked[0]);
    if (text === null) return ask(...asked);
    const end = begin(text);
    const id = requestUnderWay()?.id;
    if (id !== undefined && mayComment) asked[0] = withComment(asked[0], ` /* request ${id} */`);
    const callback = asked.at(-1);
    if (typeof callback === 'function') {
      asked[asked.length - 1] = (error: unknown, ...rest: unknown[]) => {
        end(error ?? undefined);
        (callback as Callback)(error, ...rest);
      };
      return ask(...asked);
    }
    const answer = ask(...asked);
    if (answer instanceof Promise) answer.then(() => end(), end);
    return answer;
  };
  client.query = watched as PoolClient['query'];
}

/** What the driver calls back about has left the request that asked. */
const inRequestOr = (request: RequestTrace | undefined, work: () => void): void =>
  request === undefined ? work() : inRequest(request, work);

/** Null for what is no statement with a text of its own, such as a cursor. */
function textOf(question: unknown): string | null {
  if (typeof question === 'string') return question;
  const { text, submit } = (question ?? {}) as { text?: unknown; submit?: unknown };
  return typeof text === 'string' && submit === undefined ? text : null;
}

function withComment(question: unknown, comment: string): unknown {
  if (typeof question === 'string') return question + comment;
  const config = question as { text: string; name?: string };
  return config.name === undefined ? { ...config, text: config.text + comment } : config;
}
