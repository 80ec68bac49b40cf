import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { openTestDatabase } from '../../testing/database.ts';
import { inRequest } from '../observability/traces.ts';
import { databaseOf, type Db } from './db.ts';
import { mostRowsOfCall, watchStatements } from './watch-statements.ts';

const { pool, drop } = await openTestDatabase();
afterAll(drop);
const lines: { msg: string; rows?: number; statement?: string }[] = [];
const log = pino({ level: 'error' }, { write: (line) => void lines.push(JSON.parse(line) as never) });
watchStatements(pool, { log, slowMs: 0 });
const db = databaseOf(pool);

const read = async (from: Db, rows: number) =>
  (await from.execute(sql`select generate_series(1, ${rows}::int)`)).rows.length;
const inCall = <T>(work: () => Promise<T>): Promise<T> =>
  inRequest({ id: 'request-of-a-test', span: null }, work);

test('a statement of a call that reads more rows than any list has fails, and is logged', async () => {
  expect(await inCall(() => read(db, mostRowsOfCall))).toBe(mostRowsOfCall);
  expect(lines).toEqual([]);
  const why = { cause: { message: `a statement of a call read ${mostRowsOfCall + 1} rows` } };
  await expect(inCall(() => read(db, mostRowsOfCall + 1))).rejects.toMatchObject(why);
  expect(lines).toMatchObject([
    {
      msg: 'a statement of a call read too many rows',
      rows: mostRowsOfCall + 1,
    },
  ]);
  expect(lines[0]!.statement).toContain('generate_series');
});

test('its transaction is rolled back, and the connection serves others', async () => {
  const failed = inCall(() =>
    db.transaction(async (tx) => {
      await tx.execute(sql`insert into settings (name, value) values ('rows', '1')`);
      await read(tx, mostRowsOfCall + 1);
    }),
  );
  await expect(failed).rejects.toThrow();
  const { rows } = await db.execute(sql`select from settings where name = 'rows'`);
  expect(rows).toEqual([]);
});

test('what the server does by itself may read more', async () => {
  expect(await read(db, mostRowsOfCall + 1)).toBe(mostRowsOfCall + 1);
});
