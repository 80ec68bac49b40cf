import { randomUUID } from 'node:crypto';
import { minimumPriceCents } from '#contract/units.ts';
import type { Db } from '../../../platform/database/db.ts';
import { waivedLines } from '../rules/ledger.ts';
import * as store from '../store.ts';
import type { HoldRow } from '../store.ts';

/**
 * What is wanted of a hold of which so much is owed: it is taken from `takeAt` on, and the rest let go. Nothing is taken
 * where nothing is owed, nor where it is less than card providers take: that is waived, and the ledger says so.
 */
export async function wantedFor(
  tx: Db,
  holdId: string,
  owed: { cents: number; takeAt: Date },
  now: Date,
): Promise<Partial<HoldRow>> {
  const { cents, takeAt } = owed;
  if (cents >= minimumPriceCents)
    return { goal: 'take', takeCents: cents, takeAt, nextAt: takeAt > now ? takeAt : now };
  if (cents > 0) await store.writeLedger(tx, waivedLines(cents, { holdId, at: now, newId: randomUUID }));
  return { goal: 'release', nextAt: now };
}
