import type { Pool, PoolClient } from 'pg';
import type { Log } from '../observability/log.ts';
import { inRequest, requestUnderWay, type RequestTrace } from '../observability/traces.ts';
import { PreparedStatementsClient } from './prepared-statements.ts';

type Asked = unknown[];
type Callback = (error: unknown, ...rest: unknown[]) => void;

/** Longer texts are cut off. */
const longestText = 2000;

/**
 * The most rows that a statement of a call may read: every list of the contract is far shorter. It limits the
 * damage of a forgotten limit or an SQL injection.
 */
export const mostRowsOfCall = 20_000;

/** A statement of a call read more than `mostRowsOfCall` rows: the call fails without an answer. */
class TooManyRows extends Error {
  constructor(rows: number) {
    super(`a statement of a call read ${rows} rows`);
  }
}

/**
 * Adds the request's id to each statement, so that `pg_stat_activity` and PostgreSQL's own log show it: as a
 * comment, except where the connection keeps the plan of a statement, whose text must not change (there, the
 * transaction's name has the id: `inTransaction`). Statements that take longer than `slowMs` (0: none) are
 * logged, and each is a span of its request's trace. A statement of a request that reads more than
 * `mostRowsOfCall` rows is logged and fails.
 */
export function watchStatements(pool: Pool, { log, slowMs }: { log: Log; slowMs: number }): void {
  pool.on('connect', (client) => watch(client, { log, slowMs }));
}

function watch(client: PoolClient, { log, slowMs }: { log: Log; slowMs: number }): void {
  const ask = client.query.bind(client) as (...asked: Asked) => unknown;
  // This client names statements by their text.
  const mayComment = !(client instanceof PreparedStatementsClient);

  /** @returns what is called with the answer, or with why there is none; and what keeps the call from it. */
  function begin(text: string): (error: unknown, result?: unknown) => TooManyRows | null {
    const request = requestUnderWay();
    const fromMs = Date.now();
    const began = performance.now();
    return (error, result) => {
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
      const rows = request === undefined ? 0 : rowsOf(result);
      if (rows <= mostRowsOfCall) return null;
      inRequestOr(request, () =>
        log.error(
          { rows, statement: text.slice(0, longestText) },
          'a statement of a call read too many rows',
        ),
      );
      return new TooManyRows(rows);
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
      asked[asked.length - 1] = (error: unknown, result: unknown, ...rest: unknown[]) => {
        const tooMany = end(error ?? undefined, result);
        if (tooMany === null) (callback as Callback)(error, result, ...rest);
        else (callback as Callback)(tooMany);
      };
      return ask(...asked);
    }
    const answer = ask(...asked);
    if (!(answer instanceof Promise)) return answer;
    return answer.then(
      (result: unknown) => {
        const tooMany = end(undefined, result);
        if (tooMany !== null) throw tooMany;
        return result;
      },
      (error: unknown) => {
        end(error);
        throw error;
      },
    );
  };
  client.query = watched as PoolClient['query'];
}

/** Callbacks of the driver run outside the request that made the query. */
const inRequestOr = (request: RequestTrace | undefined, work: () => void): void =>
  request === undefined ? work() : inRequest(request, work);

/** How many rows an answer of the driver has; one of several statements has an answer for each. */
const rowsOf = (result: unknown): number =>
  Array.isArray(result)
    ? Math.max(0, ...result.map(rowsOf))
    : ((result as { rows?: unknown[] } | undefined)?.rows?.length ?? 0);

/** Null for queries without a text, such as a cursor. */
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
