import { sql, type SQL } from 'drizzle-orm';
import { types, type FieldDef } from 'pg';
import type { Db } from '../../platform/database/db.ts';
import { roomIdsOf } from '../chat/queries.ts';
import { contactsOfPerson } from '../contacts/queries.ts';
import { accountOf, namesAmong } from '../identity/queries.ts';
import { companionsOf } from '../orders/bookings/queries.ts';
import type { PersonalTable } from './rules/personal-tables.ts';

const isPerson = (columns: readonly string[], userId: string): SQL =>
  sql.join(
    columns.map((column) => sql`${sql.identifier(column)} = ${userId}`),
    sql` or `,
  );

/** One statement finds the moves in this many orders. */
const ordersAtOnce = 100;
/** Maximum moves, or rooms whose lines are read, in one transaction. */
const idsOfPiece = { orders: 1000, rooms: 25 } as const;

/** Some of the rows of a table about a person, to be read in one transaction; null: all of them. */
type Piece = readonly string[] | null;

function inPieces(ids: readonly string[], size: number): (readonly string[])[] {
  const count = Math.ceil(ids.length / size);
  return Array.from({ length: count }, (_, at) => ids.slice(at * size, (at + 1) * size));
}

/** The pieces in which the rows of a table about a person are read, or those of the account. */
export function piecesOf(personal: PersonalTable | 'account', ids: ReadonlySet<string>): readonly Piece[] {
  if (personal === 'account' || personal.within === undefined) return [null];
  // Numbers in their order, and so are moves; uuids anyhow.
  const sorted = [...ids].toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1));
  return inPieces(sorted, idsOfPiece[personal.within]);
}

/**
 * The ids by which `piecesOf` divides a table that no index on the person leads to: of the person's rooms, or
 * of the moves themselves. No statement finds those of more than some hundred orders; one may be found twice.
 * @param about.orders the orders that the person took part in, known from other tables
 */
export async function* idsAbout(
  db: Db,
  { table, within }: PersonalTable,
  { userId, orders }: { userId: string; orders: ReadonlySet<string> },
): AsyncGenerator<readonly string[]> {
  const idsIn = async (found: SQL) => (await db.execute<{ id: string }>(found)).rows.map(({ id }) => id);
  if (within === 'rooms') yield await idsIn(sql`select id from ${roomIdsOf(userId)} as room (id)`);
  if (within !== 'orders') return;
  // As many orders at a time as in `movesOfPerson`.
  const from = sql.identifier(table);
  for (const some of inPieces([...orders], ordersAtOnce)) {
    const isOfSome = sql`= any(${sql.param(some)}::uuid[]) and actor_id = ${userId}`;
    yield await idsIn(sql`select id from ${from} where ride_id ${isOfSome}
      union select id from ${from} where request_id ${isOfSome}`);
  }
  yield await idsIn(sql`select id from ${from} where actor = 'admin' and actor_id = ${userId}`);
}

/** The rows of a table about a person; of rows that no index on the person leads to, by what does. */
function rowsAbout({ table, columns, within }: PersonalTable, userId: string, piece: Piece): SQL {
  const [from, is, ids] = [sql.identifier(table), isPerson(columns, userId), sql.param(piece)];
  switch (within) {
    case undefined:
      return sql`select * from ${from} where ${is}`;
    case 'orders':
      return sql`select * from ${from} where id = any(${ids}::bigint[]) order by id`;
    case 'rooms':
      // In the order of its lines a room is read by its pages, one after another.
      return sql`select own.* from unnest(${ids}::uuid[]) as room (id) cross join lateral (
        select * from ${from} where room_id = room.id and (${is}) order by seq) own`;
  }
}

const pageRows = 500;

export type Row = Record<string, unknown>;

/**
 * Hands over a piece of the rows of a table about a person, or those of the account, without secret columns:
 * page after page, so that no one statement takes long; within a transaction. Values become JSON here: as
 * JSON of the database a row costs it five to ten times as much.
 * @returns how many rows they were
 */
export async function readRowsAbout(
  tx: Db,
  personal: PersonalTable | 'account',
  { userId, piece }: { userId: string; piece: Piece },
  take: (rows: readonly Row[]) => Promise<void>,
): Promise<number> {
  if (personal === 'account') {
    const account = (await accountOf(tx, userId)) as Row[];
    await take(account);
    return account.length;
  }
  const hidden = personal.hidden ?? [];
  // A cursor is planned for its first tenth; this one is read to its end.
  await tx.execute(sql`select set_config('cursor_tuple_fraction', '1', true)`);
  await tx.execute(sql`declare personal_rows cursor for ${rowsAbout(personal, userId, piece)}`);
  for (let count = 0; ;) {
    const page = sql`fetch ${sql.raw(String(pageRows))} from personal_rows`;
    const { rows, fields } = await tx.execute<Row>(page);
    const shown = fields.filter(({ name }) => !hidden.includes(name));
    await take(
      rows.map((row) =>
        Object.fromEntries(shown.map((field) => [field.name, valueOf(field, row[field.name])])),
      ),
    );
    count += rows.length;
    if (rows.length < pageRows) return count;
  }
}

const int8: number = types.builtins.INT8;
const timestamptz: number = types.builtins.TIMESTAMPTZ;

/** A value as JSON of the database has it. */
function valueOf({ dataTypeID }: FieldDef, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (dataTypeID === int8) return Number(value);
  if (dataTypeID !== timestamptz) return value;
  return `${value.replace(' ', 'T')}${/[+-]\d\d$/.test(value) ? ':00' : ''}`;
}

/** Names of the people a person's rows refer to, which make the export readable. */
export async function namesAround(db: Db, userId: string): Promise<Record<string, string>> {
  return Object.fromEntries(
    await namesAmong(db, sql`(${contactsOfPerson(db, userId)} union ${companionsOf(userId)})`),
  );
}
