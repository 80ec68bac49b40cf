import { randomUUID } from 'node:crypto';
import { writeLedger } from '../books/store.ts';
import { ledgerLines, type MoneyFacts } from '../rules/ledger.ts';
import { refundDue } from '../rules/next-step.ts';
import type { AuthorizationContext } from './context.ts';
import { replaceAuthorization } from './replace-authorization.ts';
import { emitChanges } from './signals.ts';
import * as store from './store.ts';
import type { AuthorizationRow } from './store.ts';

/**
 * Ends what is left of test money once the installation has the keys of Stripe (decision 0048). A ride to
 * come gets a new authorization, and its passenger is told that a card is missing. What was owed is canceled,
 * and a refund that was due counts as made: neither was money.
 */
export function createEndTestMoney(context: AuthorizationContext) {
  const { platform, provider } = context;
  const { db, log } = platform;
  let isFirst = true;
  /** Authorizations that could not be ended; they are tried again after the next start. */
  const failed = new Set<string>();

  /** Ends all that is left at the first call; later what something is wanted of. */
  async function endTestMoney(): Promise<void> {
    if (provider.kind === 'sandbox') return;
    for (;;) {
      const all = await store.unfinishedTestMoney(db, { withResting: isFirst, most: 100 + failed.size });
      const ids = all.filter((id) => !failed.has(id));
      if (ids.length === 0) break;
      for (const id of ids)
        await endOne(context, id).catch((error: unknown) => {
          failed.add(id);
          log.error({ err: error, id }, 'a payment with test money could not be ended');
        });
    }
    isFirst = false;
  }

  return { endTestMoney, isLeft: () => isFirst && provider.kind !== 'sandbox' };
}

async function endOne(context: AuthorizationContext, id: string): Promise<void> {
  const { platform } = context;
  await platform.transact(async (tx) => {
    const before = await store.lockAuthorization(tx, id);
    if (before === null) return;
    const now = platform.clock.now();
    if (before.isCurrent && before.goal === 'hold') await replaceAuthorization(context, tx, before, {});
    const isCaptured = before.state === 'succeeded';
    const facts = isCaptured ? capturedFacts(before) : nothing;
    await writeLedger(tx, ledgerLines(before, facts, { authorizationId: id, at: now, newId: randomUUID }));
    const goal = isCaptured ? before.goal : 'release';
    await store.updateGoal(tx, id, { goal, nextAt: null, attempts: 0 }, now);
    const state = isCaptured ? before.state : 'canceled';
    const over = { ...facts, state, actionUrl: null, trouble: null, declineCode: null } as const;
    await emitChanges(platform, tx, before, await store.updateFacts(tx, id, over, now));
  });
}

const nothing: MoneyFacts = { authorizedCents: 0, capturedCents: 0, refundedCents: 0, feeCents: 0 };

const capturedFacts = (before: AuthorizationRow): MoneyFacts => ({
  authorizedCents: 0,
  capturedCents: before.capturedCents,
  refundedCents: Math.max(before.refundedCents, refundDue(before)),
  feeCents: before.feeCents,
});
