import type { Stripe } from 'stripe';
import { done, idOf, instantOf, type Attempt, type Outcome } from './outcomes.ts';
import type { PageFrom } from './read-feed.ts';

/** One line of the platform's balance at the provider. */
export interface BalanceLine {
  id: string;
  /** The provider's words for what it is: its type, and the word of its reports. */
  type: string;
  category: string;
  /** Signed: what comes in is positive. `netCents` is the amount less the fee. */
  amountCents: number;
  feeCents: number;
  netCents: number;
  /** The source of the line: a charge, a transfer, a payout, a chargeback; null where nothing is named. */
  sourceId: string | null;
  at: Date;
}

/**
 * The calls that read the platform's own balance. Only US dollars are read: nothing else is ever asked for.
 */
export function balanceCalls(stripe: Stripe, attempt: Attempt) {
  return {
    /** The platform's whole balance: what can be paid out and what is on its way. */
    platformBalance: (): Promise<Outcome<number>> =>
      attempt(async () => {
        const { available, pending } = await stripe.balance.retrieve();
        const sum = (lines: readonly { amount: number; currency: string }[]) =>
          lines.reduce((cents, { amount, currency }) => cents + (currency === 'usd' ? amount : 0), 0);
        return done(sum(available) + sum(pending));
      }),

    /**
     * A page of the lines of the platform's balance, the newest first.
     * @param from `after` a line: those that follow it at once; `before` one: those that precede it; null:
     *   the newest.
     */
    balanceLines: (from: PageFrom): Promise<Outcome<{ items: BalanceLine[]; hasMore: boolean }>> =>
      attempt(async () => {
        const page = await stripe.balanceTransactions.list({
          limit: 100,
          ...(from === null
            ? {}
            : 'after' in from
              ? { ending_before: from.after }
              : { starting_after: from.before }),
        });
        return done({ items: page.data.map(lineOf), hasMore: page.has_more });
      }),
  };
}

const lineOf = (line: Stripe.BalanceTransaction): BalanceLine => ({
  id: line.id,
  type: line.type,
  category: line.reporting_category,
  amountCents: line.amount,
  feeCents: line.fee,
  netCents: line.net,
  sourceId: idOf(line.source),
  at: instantOf(line.created),
});
