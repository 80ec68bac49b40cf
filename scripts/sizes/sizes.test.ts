import { describe, expect, test } from 'vitest';
import { grown, report, shrunk } from './counts.ts';
import { foreignWrites, tablesOf } from './owners.ts';

const kind = 'functions over 70 lines';

describe('a baseline', () => {
  test('lets no file have more than it had', () => {
    const baseline = { [kind]: { 'a.ts': 1, 'b.ts': 2 } };
    expect(grown({ [kind]: { 'a.ts': 1, 'b.ts': 2 } }, baseline)).toEqual([]);
    expect(grown({ [kind]: { 'a.ts': 2, 'c.ts': 1 } }, baseline)).toEqual([
      'a.ts: functions over 70 lines 2, allowed 1',
      'c.ts: functions over 70 lines 1, allowed 0',
    ]);
  });

  test('is to be written anew where a file has less', () => {
    expect(shrunk({ [kind]: { 'b.ts': 1 } }, { [kind]: { 'a.ts': 1, 'b.ts': 1 } })).toEqual([
      'a.ts: functions over 70 lines 0, the baseline says 1',
    ]);
  });

  test('stands beside what is counted', () => {
    expect(report({ [kind]: { 'a.ts': 1, 'b.ts': 2 } }, { [kind]: { 'a.ts': 4 } })).toEqual([
      'functions over 70 lines: 3 (baseline 4)',
    ]);
  });
});

describe('the owner of a table', () => {
  const tables = [
    ...tablesOf(
      'rides',
      `export const rides = pgTable('rides', {}); export const bookings = pgTable('bookings', {});`,
    ),
    ...tablesOf(
      'vehicles',
      `export const vehicles = pgTable('vehicles', {});\nexport const licences = pgTable(\n  'licences', {});`,
    ),
  ];
  const imported = `import { bookings, rides as all } from '../../schema/rides.ts';\n`;
  const count = (file: string, source: string) => foreignWrites(`server/features/${file}`, source, tables);

  test('is its folder; a table may have one of its own', () => {
    expect(tables.map(({ name, owner }) => [name, owner])).toEqual([
      ['rides', 'server/features/orders'],
      ['bookings', 'server/features/orders'],
      ['vehicles', 'server/features/drivers/vehicles'],
      ['licences', 'server/features/drivers/licenses'],
    ]);
    expect(() => tablesOf('nameless', '')).toThrow('has no owner');
  });

  test.each([
    ['by drizzle', `${imported}tx.update(bookings).set({});`, 1],
    ['under another name', `${imported}tx.insert(all).values({}); tx.delete(all);`, 2],
    [
      'by SQL',
      'sql`update bookings b set seats = 1`; sql`insert into rides values (1)`; sql`delete from rides`',
      3,
    ],
    [
      'not by reading',
      `${imported}tx.select().from(bookings).for('update'); sql\`select 1 from rides for update\``,
      0,
    ],
    ['not by what only sounds like it', `${imported}list.update(other); set.delete(bookings.id);`, 0],
  ])('is gone past %s', (_how, source, writes) => {
    expect(count('chat/store.ts', source)).toBe(writes);
    expect(count('rides/store.ts', source)).toBe(0);
  });
});
