import type { OutputOf } from '#contract/define.ts';
import type { paymentAccount } from '#contract/payments/endpoints.ts';
import type { ProviderContext } from '../provider/context.ts';
import { readAccount } from './read-account.ts';
import { accountOf } from './store.ts';

/** How a driver's account stands, with its balance and payouts where the provider answers. */
export async function showAccount(
  context: ProviderContext,
  userId: string,
): Promise<OutputOf<typeof paymentAccount>> {
  const { platform, provider } = context;
  const known = await accountOf(platform.db, userId, provider.kind);
  if (known === null) return { state: 'none', missing: [], balance: null, payouts: [] };
  const [account, balance, payouts] = await Promise.all([
    readAccount(context, known),
    provider.earnings(known.accountId),
    provider.payouts(known.accountId),
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
