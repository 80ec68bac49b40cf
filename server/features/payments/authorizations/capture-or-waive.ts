import { randomUUID } from 'node:crypto';
import { minimumPriceCents } from '#contract/rides/lowest-prices.ts';
import type { Db } from '../../../platform/database/db.ts';
import { waivedLines } from '../rules/ledger.ts';
import { writeLedger } from '../books/store.ts';
import type { AuthorizationRow } from './store.ts';

/**
 * The goal of an authorization of which so much is owed: it is captured from `captureAt` on, and the rest
 * canceled. Nothing is captured where nothing is owed, nor where it is less than card providers charge: that
 * is waived, and written to the ledger.
 */
export async function captureOrWaive(
  tx: Db,
  authorizationId: string,
  owed: { cents: number; captureAt: Date },
  now: Date,
): Promise<Partial<AuthorizationRow>> {
  const { cents, captureAt } = owed;
  if (cents >= minimumPriceCents)
    return { goal: 'take', captureCents: cents, captureAt, nextAt: captureAt > now ? captureAt : now };
  if (cents > 0) await writeLedger(tx, waivedLines(cents, { authorizationId, at: now, newId: randomUUID }));
  return { goal: 'release', nextAt: now };
}
