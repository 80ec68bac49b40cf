import type { MoneyTerms } from '#contract/payments/views.ts';

export type FeeTerms = Pick<MoneyTerms, 'serviceFeeBasisPoints' | 'cardFeeBasisPoints' | 'cardFeeCents'>;

/**
 * What is kept of an amount for the service and for taking the card, in whole cents, as the server counts it;
 * less where part of the amount goes back.
 */
export function feesOf(amountCents: number, terms: FeeTerms, refundedCents = 0): number {
  if (amountCents <= 0) return 0;
  const share = (amountCents * (terms.serviceFeeBasisPoints + terms.cardFeeBasisPoints)) / 10_000;
  const fee = Math.min(amountCents, Math.round(share) + terms.cardFeeCents);
  return fee - Math.round((fee * refundedCents) / amountCents);
}
