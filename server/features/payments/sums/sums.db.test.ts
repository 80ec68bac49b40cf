import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ledgerLines, ledgerSums } from '../../../schema/payments.ts';
import { openTestApp, type TestApp } from '../../../testing/test-app.ts';
import { keepSums, sumsOf } from './store.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const small = { page: 3, pages: 2 };

const entry = (cents: number) => {
  const of = { entryId: crypto.randomUUID(), authorizationId: null, what: 'taken', at: new Date() } as const;
  return [
    { ...of, account: 'cards', cents },
    { ...of, account: 'holds', cents: -cents },
  ];
};

/** The sums of all lines, read whole. */
async function wholeSums(): Promise<Record<string, number>> {
  const rows = await app.platform.db
    .select({ account: ledgerLines.account, cents: sql<string>`sum(${ledgerLines.cents})` })
    .from(ledgerLines)
    .groupBy(ledgerLines.account);
  return Object.fromEntries(rows.map(({ account, cents }) => [account, Number(cents)]));
}

const sums = async () => Object.fromEntries(await sumsOf(app.platform.db, 'sandbox'));
const kept = async () => (await app.platform.db.select().from(ledgerSums))[0]!;

test('kept sums and the lines since are the sums of the ledger, also with a line that is committed late', async () => {
  const { db } = app.platform;
  await db.insert(ledgerLines).values([500, 300, 70, 1].flatMap(entry));
  expect(await keepSums(db, 'sandbox', small)).toBe(true);
  const late = await app.pool.connect();
  try {
    await late.query('begin');
    const [one, other] = entry(40);
    for (const { entryId, account, cents } of [one!, other!])
      await late.query(
        `insert into ledger_lines (entry_id, account, cents, what, at) values ($1, $2, $3, 'taken', now())`,
        [entryId, account, cents],
      );
    // Numbered later, committed earlier.
    await db.insert(ledgerLines).values([9, 8, 7].flatMap(entry));
    for (let round = 0; round < 6; round++) {
      expect(await keepSums(db, 'sandbox', small)).toBe(true);
      expect(await sums()).toEqual(await wholeSums());
    }
    await late.query('commit');
  } finally {
    late.release();
  }
  expect(await sums()).toEqual(await wholeSums());
  for (let round = 0; round < 8; round++) {
    await db.insert(ledgerLines).values(entry(round));
    expect(await keepSums(db, 'sandbox', small)).toBe(true);
    expect(await sums()).toEqual(await wholeSums());
  }
  // Transactions of other databases of this server that run for long hold the numbers back.
  const untilId = async () => {
    await keepSums(db, 'sandbox', small);
    return (await kept()).untilId;
  };
  await expect.poll(untilId, { timeout: 20_000 }).toBeGreaterThan(14);
  expect(await sums()).toEqual(await wholeSums());
});

test('sums that are not those of the lines are found by the second count, and set right', async () => {
  const { db } = app.platform;
  await db
    .update(ledgerSums)
    .set({ sums: { cards: 1 } })
    .where(eq(ledgerSums.provider, 'sandbox'));
  const found: boolean[] = [];
  for (let round = 0; round < 20; round++) found.push(await keepSums(db, 'sandbox', small));
  expect(found.filter((fits) => !fits)).toHaveLength(1);
  expect(await sums()).toEqual(await wholeSums());
});
