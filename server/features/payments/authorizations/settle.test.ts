import { drizzle } from 'drizzle-orm/node-postgres';
import { expect, test } from 'vitest';
import { captureOrWaive } from './plan-authorization.ts';

const now = new Date('2026-11-20T12:00:00.000Z');
const tomorrow = new Date('2026-11-21T12:00:00.000Z');

/** A transaction that keeps what is written to the ledger. */
function ledger() {
  const lines: { account: string; cents: number }[] = [];
  const insert = () => ({ values: async (rows: typeof lines) => void lines.push(...rows) });
  return { tx: Object.assign(drizzle.mock(), { insert }), lines };
}

test.each([
  ['nothing', 0, 'cancel', 0],
  ['a cent', 1, 'cancel', 1],
  ['a cent less than providers take', 49, 'cancel', 49],
  ['the least that providers take', 50, 'capture', 0],
  ['a cent more', 51, 'capture', 0],
  ['the highest price', 500_00, 'capture', 0],
] as const)('%s that is owed', async (_what, cents, goal, waivedCents) => {
  const { tx, lines } = ledger();
  const wanted = await captureOrWaive(
    tx,
    { id: 'authorize', provider: 'sandbox' },
    { cents, captureAt: tomorrow },
    now,
  );
  expect(wanted.goal).toBe(goal);
  expect(wanted.captureCents ?? 0).toBe(goal === 'capture' ? cents : 0);
  expect(wanted.nextAt).toEqual(goal === 'capture' ? tomorrow : now);
  // A waived amount is written down, and its lines sum to zero.
  expect(lines.find(({ account }) => account === 'waived')?.cents ?? 0).toBe(waivedCents);
  expect(lines.reduce((sum, line) => sum + line.cents, 0)).toBe(0);
});
