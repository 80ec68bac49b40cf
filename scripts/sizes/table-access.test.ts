import { describe, expect, test } from 'vitest';
import { tablesOf } from './owners.ts';
import { foreignAccess } from './table-access.ts';

const tables = [
  ...tablesOf(
    'rides',
    `export const rides = pgTable('rides', {}); export const bookings = pgTable('bookings', {});`,
  ),
  ...tablesOf(
    'vehicles',
    `export const vehicles = pgTable('vehicles', {});\nexport const licenses = pgTable(\n  'licenses', {});`,
  ),
];
const imported = `import { bookings, rides as all } from '../../schema/rides.ts';\n`;
const access = (file: string, source: string) => foreignAccess(`server/features/${file}`, source, tables);

describe('the owner of a table', () => {
  test('is its folder; a table may have one of its own', () => {
    expect(tables.map(({ name, owner }) => [name, owner])).toEqual([
      ['rides', 'server/features/orders'],
      ['bookings', 'server/features/orders'],
      ['vehicles', 'server/features/drivers/vehicles'],
      ['licenses', 'server/features/drivers/licenses'],
    ]);
    expect(() => tablesOf('nameless', '')).toThrow('has no owner');
  });

  test.each([
    ['a table that was handed in', 'const clear = (table: PgTable) => tx.delete(table);'],
    ['a table whose name is put together', 'sql`delete from ${sql.identifier(name)}`'],
  ])('is not known of %s: that counts as well', (_what, source) => {
    expect(access('orders/store.ts', source).writes).toEqual(['unnamed']);
  });

  test('cannot be lost by exporting the table from elsewhere', () => {
    const source = `export { rides } from '../../schema/rides.ts';`;
    expect(access('chat/store.ts', source).writes).toEqual(['rides']);
    expect(access('chat/store.ts', source.replace('export', 'export type')).writes).toEqual([]);
  });

  test('is known of the stripe sandbox, which imports its own', () => {
    const sandbox = tablesOf('stripe-sandbox', `export const keys = pgTable('sandbox_keys', {});`);
    const source = `import { keys } from './schema.ts'; tx.delete(keys);`;
    expect(foreignAccess('stripe-sandbox/store.ts', source, sandbox).writes).toEqual([]);
  });

  test('is read past by queries of all kinds', () => {
    const source = `${imported}tx.select().from(all).innerJoin(bookings, on); tx.$count(bookings);
      sql\`select 1 from rides r join bookings b on true where exists (select from licenses)\`;
      sql\`delete from tags using vehicles v\`; const from = Array.from(list); list.join(', ');`;
    const { writes, reads } = access('chat/store.ts', source);
    expect(writes).toEqual([]);
    expect(reads.toSorted()).toEqual([
      'bookings',
      'bookings',
      'bookings',
      'licenses',
      'rides',
      'rides',
      'vehicles',
    ]);
    expect(access('orders/store.ts', source).reads).toEqual(['licenses', 'vehicles']);
  });
});

describe('writing past the owner', () => {
  test.each([
    ['by drizzle', `${imported}tx.update(bookings).set({});`, 1],
    ['under another name', `${imported}tx.insert(all).values({}); const b = bookings; tx.delete(b);`, 2],
    [
      'as a member of the schema',
      `import * as schema from '../../schema/rides.ts'; tx.insert(schema.rides).values({});`,
      1,
    ],
    [
      'as one of two, whatever the types say',
      `${imported}const which = isRide ? all : bookings; tx.update(which!).set({}); tx.delete(all as Table);`,
      3,
    ],
    ['in a chain', `${imported}tx.with(old).delete(bookings); platform.db.insert(bookings);`, 2],
    [
      'by SQL',
      'sql`update bookings b set seats = 1`; sql`insert into rides values (1)`; sql`delete from rides`',
      3,
    ],
    [
      'by SQL over several lines, quoted, and by other words',
      'sql`update only\n bookings as b\n set seats = 1`; sql`delete from\n "rides"`; sql`insert into public.rides`; sql`truncate table rides`; sql`merge into rides r`',
      5,
    ],
    ['by SQL with the table put in', imported + 'sql`delete from ${all} where ${x}`', 1],
    [
      'by SQL with one of two put in',
      imported + 'const which = isRide ? all : bookings; sql`update ${which} as o set x = 1`',
      2,
    ],
    ['in front of a query', 'sql`with gone as (delete from rides returning id) select id from gone`', 1],
    [
      'in a text',
      `client.query('delete from rides where id = $1'); client.query(\`update rides set x = 1\`)`,
      2,
    ],
    [
      'but not in reading',
      `${imported}tx.select().from(bookings).for('update'); sql\`select 1 from rides for update\``,
      0,
    ],
    ['but not in what only sounds like it', `${imported}list.update(other); set.delete(bookings.id);`, 0],
  ])('is seen %s', (_how, source, writes) => {
    expect(access('chat/store.ts', source).writes).toHaveLength(writes);
    expect(access('orders/store.ts', source)).toEqual({ writes: [], reads: [] });
  });
});
