import { feeOf, type FeeTerms } from '#contract/payments/fees.ts';

/**
 * The service's share of an amount and the fee for taking the card, in whole cents; less where part of the
 * amount goes back.
 */
export function feesOf(amountCents: number, terms: FeeTerms, refundedCents = 0): number {
  if (amountCents <= 0) return 0;
  const fee = feeOf(amountCents, terms);
  return fee - Math.round((fee * refundedCents) / amountCents);
}
