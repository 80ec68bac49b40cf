import type { MoneyTerms } from '#contract/payments/views.ts';

/** What is kept of an amount for the service and for taking the card, in whole cents; nothing of nothing. */
export function feesOf(
  amountCents: number,
  terms: Pick<MoneyTerms, 'serviceFeeBasisPoints' | 'cardFeeBasisPoints' | 'cardFeeCents'>,
): number {
  if (amountCents <= 0) return 0;
  const service = Math.round((amountCents * terms.serviceFeeBasisPoints) / 10_000);
  const card = Math.round((amountCents * terms.cardFeeBasisPoints) / 10_000) + terms.cardFeeCents;
  return Math.min(amountCents, service + card);
}
