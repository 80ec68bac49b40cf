/** The fees on captured money. */
export interface FeeTerms {
  serviceFeeBasisPoints: number;
  cardFeeBasisPoints: number;
  cardFeeCents: number;
}

/**
 * The fee off the driver's receipt for one rider's payment, in cents: service and card, never more than what
 * was captured.
 */
export function feeOf(takenCents: number, terms: FeeTerms): number {
  if (takenCents <= 0) return 0;
  const share = (takenCents * (terms.serviceFeeBasisPoints + terms.cardFeeBasisPoints)) / 10_000;
  return Math.min(takenCents, Math.round(share) + terms.cardFeeCents);
}
