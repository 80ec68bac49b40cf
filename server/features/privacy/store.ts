import { sql, type SQL } from 'drizzle-orm';
import { types, type FieldDef } from 'pg';
import type { Db } from '../../platform/database/db.ts';
import { roomIdsOf } from '../chat/queries.ts';
import { contactsOfPerson } from '../contacts/queries.ts';
import { accountOf, namesAmong } from '../identity/queries.ts';
import { companionsOf } from '../orders/bookings/queries.ts';
import { movesOfPerson } from '../orders/queries.ts';
import type { PersonalTable } from './rules/personal-tables.ts';

const isPerson = (columns: readonly string[], userId: string): SQL =>
  sql.join(
    columns.map((column) => sql`${sql.identifier(column)} = ${userId}`),
    sql` or `,
  );

/** The rows of a table about a person; of rows that no index on the person leads to, by what does. */
function rowsAbout({ table, columns, within }: PersonalTable, userId: string): SQL {
  const [from, is] = [sql.identifier(table), isPerson(columns, userId)];
  switch (within) {
    case undefined:
      return sql`select * from ${from} where ${is}`;
    case 'orders':
      return sql`select * from ${from} where id = any(array${movesOfPerson(userId)})`;
    case 'rooms':
      // In the order of its lines a room is read by its pages, one after another.
      return sql`select own.* from ${roomIdsOf(userId)} as room (id) cross join lateral (
        select * from ${from} where room_id = room.id and (${is}) order by seq) own`;
  }
}

const pageRows = 500;

type Row = Record<string, unknown>;

/**
 * Hands over the rows of a table about a person, or those of the account, without secret columns: page after
 * page, so that no one statement takes long; within a transaction. Values become JSON here: as JSON of the
 * database a row costs it five to ten times as much.
 */
export async function readRowsAbout(
  tx: Db,
  personal: PersonalTable | 'account',
  userId: string,
  take: (rows: readonly unknown[]) => Promise<void>,
): Promise<void> {
  if (personal === 'account') return take(await accountOf(tx, userId));
  const hidden = personal.hidden ?? [];
  await tx.execute(sql`declare personal_rows cursor for ${rowsAbout(personal, userId)}`);
  for (;;) {
    const page = sql`fetch ${sql.raw(String(pageRows))} from personal_rows`;
    const { rows, fields } = await tx.execute<Row>(page);
    const shown = fields.filter(({ name }) => !hidden.includes(name));
    await take(
      rows.map((row) =>
        Object.fromEntries(shown.map((field) => [field.name, valueOf(field, row[field.name])])),
      ),
    );
    if (rows.length < pageRows) return;
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
