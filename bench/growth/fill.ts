import pLimit from 'p-limit';
import type { Pool } from 'pg';
import { say } from '../bench-app.ts';
import { helpers } from './functions.ts';
import { moneyLoads } from './money.ts';
import { orderLoads } from './orders.ts';
import { peopleLoads } from './people.ts';
import { shapeOf, type Load } from './shape.ts';
import { talkLoads } from './talk.ts';

/** Both cores work; more would wait for the disk. */
const connections = 2;
/** Rows of one statement. */
const rowsAtOnce = 500_000;

/**
 * Fills an empty database inside the server, with rows made from their numbers: without indexes and triggers
 * first, which come back in the end. Constraints that an index does not stand for hold all the time.
 */
export async function fillDatabase(pool: Pool, scale: number, now: Date): Promise<void> {
  await pool.query(helpers(shapeOf(scale), now));
  const shape = shapeOf(scale);
  const loads = [...peopleLoads(shape), ...orderLoads(shape), ...talkLoads(shape), ...moneyLoads(shape)];
  const tables = [...new Set(loads.map(({ into }) => into))];
  const indexes = await takeIndexes(pool, tables);
  const inTurn = pLimit(connections);
  // Of one table one statement after another, so that its rows stand in their order.
  await Promise.all(
    tables.map((table) =>
      inTurn(async () => {
        for (const load of loads.filter(({ into }) => into === table)) await insertRows(pool, load);
      }),
    ),
  );
  say(`${indexes.length} indexes …`);
  await Promise.all(
    indexes.map((index) =>
      inTurn(() => asLoader(pool, (ask) => ask(`set maintenance_work_mem = '512MB'; ${index}`))),
    ),
  );
  await continueSequences(pool);
  await pool.query('drop schema growth cascade');
  say('Statistics …');
  await pool.query('vacuum analyze');
  await pool.query('checkpoint');
}

type Ask = (text: string) => Promise<unknown>;

/** A connection on which triggers and foreign keys rest: rows refer to each other by how they are made. */
async function asLoader(pool: Pool, work: (ask: Ask) => Promise<unknown>): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('set session_replication_role = replica; set statement_timeout = 0; set jit = off');
    await work((text) => client.query(text));
  } finally {
    client.release(true);
  }
}

/** Drops the indexes that no constraint needs. @returns the statements that make them again */
async function takeIndexes(pool: Pool, tables: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index where indrelid::regclass::text = any($1)
       and not exists (select from pg_constraint where conindid = indexrelid)`,
    [tables],
  );
  for (const { name } of rows) await pool.query(`drop index ${name}`);
  return rows.map(({ definition }) => definition);
}

async function insertRows(pool: Pool, { into, from = 0, count, columns }: Load): Promise<void> {
  const startedAt = performance.now();
  const [names, values] = [Object.keys(columns).join(', '), Object.values(columns).join(', ')];
  await asLoader(pool, async (ask) => {
    for (let first = from; first < from + count; first += rowsAtOnce) {
      const last = Math.min(first + rowsAtOnce, from + count) - 1;
      // One row twice is possible where a number is drawn: the first one counts.
      await ask(
        `insert into ${into} (${names}) select ${values} from generate_series(${first}::bigint, ${last}::bigint) as i on conflict do nothing`,
      );
    }
  });
  const seconds = (performance.now() - startedAt) / 1000;
  if (seconds > 5) say(`${into}: ${count} rows in ${Math.round(seconds)} s`);
}

/** Ids that were given by number are not given again. */
async function continueSequences(pool: Pool): Promise<void> {
  await pool.query(`select setval('admin_readings_id_seq', (select max(id) from admin_readings))`);
}
