import { setTimeout as sleep } from 'node:timers/promises';
import type { Query, SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { Pool, QueryConfig, QueryResultRow } from 'pg';
import type { Log } from '../observability/log.ts';
import { isConnectionLost, keptPlans, openPoolBeside, runNamed, sqlState, type Db } from './db.ts';
import { statementName } from './prepared-statements.ts';
import { cutPausesMs, retryable } from './transact.ts';

/**
 * Statements that run hundreds of times a second, on connections of their own, which keep their plans. A plan
 * is made once and stays while the tables grow, so it must not read a table through because that table was
 * small.
 */
export interface KeptStatements {
  /**
   * Runs a statement, and again when PostgreSQL aborts it for others or the connection is cut: it may have
   * been done then, and must do nothing where it has been.
   */
  run<T extends QueryResultRow>(statement: SQL): Promise<T[]>;
  /** Reads by a statement whose text was made once, outside of any transaction. */
  read<T extends QueryResultRow>(statement: QueryConfig): Promise<T[]>;
  close(): Promise<void>;
}

/** Runs statements whose texts were made once: a transaction, or a connection with prepared plans. */
export type Reader = Db | Pick<KeptStatements, 'read'>;

/** Reads by a statement whose text was made once. */
export const readNamed = <T extends QueryResultRow>(from: Reader, statement: QueryConfig): Promise<T[]> =>
  'read' in from ? from.read<T>(statement) : runNamed<T>(from, statement);

const connections = 3;

const made = ({ sql: text, params }: Query): QueryConfig => ({
  name: statementName(text),
  text,
  values: params,
});

export function createKeptStatements(pool: Pool, log: Log): KeptStatements {
  const options = Object.entries(keptPlans)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
  const own = openPoolBeside(pool, { max: connections, name: 'sameway batches', options }, (error) =>
    log.warn({ err: error }, 'a connection for batches broke'),
  );
  const dialect = new PgDialect();
  async function ask<T extends QueryResultRow>(config: QueryConfig): Promise<T[]> {
    for (let tries = 0; ; tries++) {
      try {
        return (await own.query<T>(config)).rows;
      } catch (error) {
        const pauseMs = cutPausesMs[tries];
        const isCut = isConnectionLost(error);
        if (pauseMs === undefined || !(isCut || retryable.has(sqlState(error) ?? ''))) throw error;
        if (isCut) await sleep(pauseMs);
      }
    }
  }
  return {
    run: (statement) => ask(made(dialect.sqlToQuery(statement))),
    read: ask,
    close: () => own.end(),
  };
}
