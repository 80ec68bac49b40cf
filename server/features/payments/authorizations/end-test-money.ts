import { randomUUID } from 'node:crypto';
import type { Platform } from '../../../platform/platform.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { CardProvider } from '../provider/card-provider.ts';
import { ledgerLines } from '../rules/ledger.ts';
import { refundDue } from '../rules/next-step.ts';
import * as store from '../store.ts';
import type { HoldRow } from '../store.ts';

/** What the life of holds does for those that end here. */
interface Holds {
  replace(tx: Db, old: HoldRow, set: Partial<HoldRow>): Promise<HoldRow>;
  tell(tx: Db, before: HoldRow | null, after: HoldRow): Promise<void>;
}

/**
 * Ends what is left of test money once the installation has the keys of Stripe (decision 0048). A ride to come gets a new hold,
 * and its passenger is told that a card is missing. What was owed is let go, and what was to go back is back: neither was money.
 */
export function createTestMoneyLeft(
  { db, transact, clock, log }: Platform,
  provider: CardProvider,
  { replace, tell }: Holds,
) {
  let isFirst = true;
  /** Holds that could not be ended; they are tried again after the next start. */
  const failed = new Set<string>();

  async function endOne(id: string): Promise<void> {
    await transact(async (tx) => {
      const before = await store.lockHold(tx, id);
      if (before === null) return;
      const now = clock.now();
      if (before.isCurrent && before.goal === 'hold') await replace(tx, before, {});
      const isTaken = before.state === 'succeeded';
      const { takenCents, feeCents } = before;
      const facts = isTaken
        ? {
            heldCents: 0,
            takenCents,
            refundedCents: Math.max(before.refundedCents, refundDue(before)),
            feeCents,
          }
        : { heldCents: 0, takenCents: 0, refundedCents: 0, feeCents: 0 };
      await store.writeLedger(tx, ledgerLines(before, facts, { holdId: id, at: now, newId: randomUUID }));
      await store.want(tx, id, { goal: isTaken ? before.goal : 'release', nextAt: null, attempts: 0 }, now);
      const state = isTaken ? before.state : 'canceled';
      const over = { ...facts, state, actionUrl: null, trouble: null, declineCode: null } as const;
      await tell(tx, before, await store.know(tx, id, over, now));
    });
  }

  /** All that is left at the first look; later what something is wanted of. */
  return async function end(): Promise<void> {
    if (provider.kind === 'sandbox') return;
    for (;;) {
      const all = await store.testMoneyLeft(db, { withResting: isFirst, most: 100 + failed.size });
      const ids = all.filter((id) => !failed.has(id));
      if (ids.length === 0) break;
      for (const id of ids)
        await endOne(id).catch((error: unknown) => {
          failed.add(id);
          log.error({ err: error, id }, 'a payment with test money could not be ended');
        });
    }
    isFirst = false;
  };
}
