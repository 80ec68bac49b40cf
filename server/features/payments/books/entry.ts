import type { BalanceLine } from '../provider/balance-calls.ts';

/**
 * The accounts of the ledger that a line of the provider's balance moves. `provider.balance` is what the
 * platform has there; `provider.cards`, `provider.drivers` and `provider.disputes` are the other side of
 * `cards`, `drivers` and `disputes`, which payments move, so that each pair sums to zero once the provider
 * has booked everything.
 */
export type ProviderAccount =
  | 'provider.balance'
  | 'provider.cards'
  | 'provider.drivers'
  | 'provider.disputes'
  | 'provider.fees'
  | 'provider.disputeFees'
  | 'payouts'
  | 'losses'
  | 'provider.other';

const byType: Readonly<Record<string, ProviderAccount>> = {
  charge: 'provider.cards',
  payment: 'provider.cards',
  refund: 'provider.cards',
  refund_failure: 'provider.cards',
  payment_refund: 'provider.cards',
  payment_failure_refund: 'provider.cards',
  transfer: 'provider.drivers',
  transfer_refund: 'provider.drivers',
  transfer_cancel: 'provider.drivers',
  transfer_failure: 'provider.drivers',
  application_fee: 'provider.drivers',
  application_fee_refund: 'provider.drivers',
  payout: 'payouts',
  payout_cancel: 'payouts',
  payout_failure: 'payouts',
  // The operator's deposit, so that refunds and transfers are not refused for want of money.
  topup: 'payouts',
  topup_reversal: 'payouts',
  stripe_fee: 'provider.fees',
  stripe_fx_fee: 'provider.fees',
  tax_fee: 'provider.fees',
  // A driver's account's debt that the platform answers for.
  connect_collection_transfer: 'losses',
  reserve_transaction: 'losses',
};

const disputeCategories: readonly string[] = ['dispute', 'dispute_reversal'];

/**
 * The lines of the entry for one line of the provider's balance, by account; they sum to zero. A refund
 * brings no fee back: what the provider took for the payment stays in `provider.fees`.
 */
export function entryOf(
  line: Pick<BalanceLine, 'type' | 'category' | 'amountCents' | 'feeCents' | 'netCents'>,
): Partial<Record<ProviderAccount, number>> {
  const isDispute = disputeCategories.includes(line.category);
  const other = isDispute ? 'provider.disputes' : (byType[line.type] ?? 'provider.other');
  const fees = isDispute ? 'provider.disputeFees' : 'provider.fees';
  const amounts: Partial<Record<ProviderAccount, number>> = {};
  const add = (account: ProviderAccount, cents: number) => {
    if (cents !== 0) amounts[account] = (amounts[account] ?? 0) + cents;
  };
  add('provider.balance', line.netCents);
  add(fees, line.feeCents);
  add(other, -line.amountCents);
  return amounts;
}
