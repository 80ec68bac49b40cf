import { randomUUID } from 'node:crypto';
import { minimumPriceCents } from '#contract/rides/lowest-prices.ts';
import type { Db } from '../../../platform/database/db.ts';
import { waivedLines } from '../rules/ledger.ts';
import { writeLedger } from '../books/store.ts';
import type { AuthorizationRow } from './store.ts';

/**
 * The goal of an authorization of which so much is owed: it is captured from `takeAt` on, and the rest
 * canceled. Nothing is captured where nothing is owed, nor where it is less than card providers charge: that
 * is waived, and written to the ledger.
 */
export async function captureOrWaive(
  tx: Db,
  holdId: string,
  owed: { cents: number; takeAt: Date },
  now: Date,
): Promise<Partial<AuthorizationRow>> {
  const { cents, takeAt } = owed;
  if (cents >= minimumPriceCents)
    return { goal: 'take', takeCents: cents, takeAt, nextAt: takeAt > now ? takeAt : now };
  if (cents > 0) await writeLedger(tx, waivedLines(cents, { holdId, at: now, newId: randomUUID }));
  return { goal: 'release', nextAt: now };
}
