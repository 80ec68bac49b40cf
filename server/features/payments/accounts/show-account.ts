import type { OutputOf } from '#contract/define.ts';
import type { paymentAccount } from '#contract/payments/endpoints.ts';
import type { App } from '../../../app-type.ts';
import { readAccount } from './read-account.ts';
import { accountOf } from './store.ts';

/** The state of a driver's account, with its balance and payouts where the provider answers. */
export async function showAccount(app: App, userId: string): Promise<OutputOf<typeof paymentAccount>> {
  const known = await accountOf(app.db, userId, app.payments.provider.kind);
  if (known === null) return { state: 'none', missing: [], balance: null, payouts: [] };
  const [account, balance, payouts] = await Promise.all([
    readAccount(app, known),
    app.payments.provider.earnings(known.accountId),
    app.payments.provider.payouts(known.accountId),
  ]);
  return {
    state: account.state,
    missing: account.missing,
    balance: balance.outcome === 'done' ? balance.value : null,
    payouts:
      payouts.outcome === 'done'
        ? payouts.value.map((payout) => ({ ...payout, arrivesAt: payout.arrivesAt.toISOString() }))
        : [],
  };
}
