import { minimumOfferCents } from '#contract/rides/lowest-prices.ts';
import type { FeeTerms } from '#contract/payments/fees.ts';
import type { MoneyTerms } from '#contract/payments/views.ts';
import type { Env } from '../../platform/env.ts';
import type { CancelTerms } from './rules/cancel-fee.ts';

export interface Terms {
  fees: FeeTerms;
  cancel: CancelTerms;
  shown: MoneyTerms;
}

/** The figures of this installation, as the rules need them and as people read them. */
export function termsOf(env: Env, provider: MoneyTerms['provider']): Terms {
  const fees: FeeTerms = {
    serviceFeeBasisPoints: env.SERVICE_FEE_BASIS_POINTS,
    cardFeeBasisPoints: env.CARD_FEE_BASIS_POINTS,
    cardFeeCents: env.CARD_FEE_CENTS,
  };
  const cancel: CancelTerms = {
    freeBeforeHours: env.CANCEL_FREE_HOURS,
    lateWithinHours: env.CANCEL_LATE_HOURS,
    midPercent: env.CANCEL_MID_PERCENT,
    latePercent: env.CANCEL_LATE_PERCENT,
    graceMinutes: env.CANCEL_GRACE_MINUTES,
  };
  return {
    fees,
    cancel,
    shown: {
      provider,
      takesCards: env.takesCards,
      publishableKey: provider === 'stripe' ? (env.STRIPE_PUBLISHABLE_KEY ?? '') : '',
      minimumOfferCents,
      maxTransactionCents: env.MAX_TRANSACTION_CENTS,
      ...fees,
      holdDays: env.HOLD_DAYS,
      cancellation: cancel,
      disputeHours: env.DISPUTE_HOURS,
    },
  };
}
