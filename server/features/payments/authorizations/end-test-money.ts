import { randomUUID } from 'node:crypto';
import type { App } from '../../../app-type.ts';
import { writeLedger } from '../books/store.ts';
import { ledgerLines, type MoneyFacts } from '../rules/ledger.ts';
import { refundDue } from '../rules/next-step.ts';
import { replaceAuthorization, emitChanges } from './plan-authorization.ts';
import * as store from './store.ts';
import type { AuthorizationRow } from './store.ts';

/**
 * Ends what is left of test money once the installation has the keys of Stripe (decision 0048): all of it at
 * the first call, later the authorizations with work to do. A ride to come gets a new authorization, and its
 * passenger is notified that a card is missing. What was owed is canceled, and a refund that was due counts
 * as made: neither was money.
 */
export async function endTestMoney(app: App): Promise<void> {
  const { provider, testMoney } = app.payments;
  const { isFirst, failed } = testMoney;
  if (provider.kind === 'sandbox') return;
  for (;;) {
    const all = await store.unfinishedTestMoney(app.db, { withResting: isFirst, most: 100 + failed.size });
    const ids = all.filter((id) => !failed.has(id));
    if (ids.length === 0) break;
    for (const id of ids)
      await endOne(app, id).catch((error: unknown) => {
        failed.add(id);
        app.log.error({ err: error, id }, 'a payment with test money could not be ended');
      });
  }
  testMoney.isFirst = false;
}

/** Whether test money has not been processed once since the start. */
export const isTestMoneyLeft = ({ payments }: App): boolean =>
  payments.testMoney.isFirst && payments.provider.kind !== 'sandbox';

async function endOne(app: App, id: string): Promise<void> {
  await app.transact('end test authorization', async (tx) => {
    const before = await store.lockAuthorization(tx, id);
    if (before === null) return;
    const now = app.clock.now();
    if (before.isCurrent && before.goal === 'authorize') await replaceAuthorization(app, tx, before, {});
    const isCaptured = before.state === 'succeeded';
    const facts = isCaptured ? capturedFacts(before) : nothing;
    const lines = ledgerLines(before, facts, { authorizationId: id, at: now, newId: randomUUID });
    await writeLedger(tx, before.provider, lines);
    const goal = isCaptured ? before.goal : 'cancel';
    await store.updateGoal(tx, id, { goal, nextAt: null, attempts: 0 }, now);
    const state = isCaptured ? before.state : 'canceled';
    const over = { ...facts, state, actionUrl: null, trouble: null, declineCode: null } as const;
    await emitChanges(app, tx, before, await store.updateFacts(tx, id, over, now));
  });
}

const nothing: MoneyFacts = { authorizedCents: 0, capturedCents: 0, refundedCents: 0, feeCents: 0 };

const capturedFacts = (before: AuthorizationRow): MoneyFacts => ({
  authorizedCents: 0,
  capturedCents: before.capturedCents,
  refundedCents: Math.max(before.refundedCents, refundDue(before)),
  feeCents: before.feeCents,
});
