import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '../../../platform/database/db.ts';
import { ledgerLines, ledgerSums } from '../../../schema/payments.ts';
import { openTestApp, type TestApp } from '../../../testing/test-app.ts';
import { writeLedger } from '../books/store.ts';
import { addUpSums, recountSums, sumsOf } from './store.ts';

let app: TestApp;
let db: Db;
beforeAll(async () => {
  app = await openTestApp();
  ({ db } = app.platform);
});
afterAll(() => app.close());

async function enter(tx: Db, cents: number): Promise<void> {
  const of = { entryId: crypto.randomUUID(), authorizationId: null, what: 'taken', at: new Date() } as const;
  await writeLedger(tx, 'sandbox', [
    { ...of, account: 'cards', cents },
    { ...of, account: 'holds', cents: -cents },
  ]);
}

/** The sums of all lines, read whole. */
async function wholeSums(): Promise<Record<string, number>> {
  const rows = await db
    .select({ account: ledgerLines.account, cents: sql<string>`sum(${ledgerLines.cents})` })
    .from(ledgerLines)
    .groupBy(ledgerLines.account);
  return Object.fromEntries(rows.map(({ account, cents }) => [account, Number(cents)]));
}

const sums = async () => Object.fromEntries(await sumsOf(db, 'sandbox'));

test('the sums are those of the ledger, also where an entry is committed after later ones were added up', async () => {
  for (const cents of [500, 300, 70, 1]) await enter(db, cents);
  await addUpSums(db, 'sandbox');
  const { promise: isLate, resolve: commit } = Promise.withResolvers<void>();
  const { promise: isWritten, resolve: written } = Promise.withResolvers<void>();
  const late = db.transaction(async (tx) => {
    await enter(tx, 40);
    written();
    await isLate;
  });
  await isWritten;
  // Numbered later, committed earlier.
  for (const cents of [9, 8, 7]) await enter(db, cents);
  await addUpSums(db, 'sandbox');
  expect(await sums()).toEqual({ cards: 895, holds: -895 });
  commit();
  await late;
  expect(await sums()).toEqual({ cards: 935, holds: -935 });
  await addUpSums(db, 'sandbox');
  expect(await sums()).toEqual(await wholeSums());
  expect(await db.$count(ledgerSums)).toBe(2);
});

test('processes that add up, count again and write at once lose nothing and add nothing twice', async () => {
  const writing = Array.from({ length: 30 }, (_, index) => db.transaction((tx) => enter(tx, index + 1)));
  const adding = Array.from({ length: 10 }, () => addUpSums(db, 'sandbox', 7));
  const counting = Array.from({ length: 5 }, () => recountSums(db, 'sandbox'));
  await Promise.all([...writing, ...adding]);
  expect(await Promise.all(counting)).not.toContain(false);
  expect(await sums()).toEqual(await wholeSums());
});

test('sums that are not those of the lines are found by a count of the whole ledger, and set right', async () => {
  await db.insert(ledgerSums).values({ provider: 'sandbox', account: 'cards', cents: 3 });
  const counted = await Promise.all([recountSums(db, 'sandbox'), recountSums(db, 'sandbox')]);
  expect(counted.filter((wereRight) => !wereRight)).toHaveLength(1);
  expect(await sums()).toEqual(await wholeSums());
});
