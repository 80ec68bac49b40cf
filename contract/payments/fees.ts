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
export function feeOf(capturedCents: number, terms: FeeTerms): number {
  if (capturedCents <= 0) return 0;
  const share = (capturedCents * (terms.serviceFeeBasisPoints + terms.cardFeeBasisPoints)) / 10_000;
  return Math.min(capturedCents, Math.round(share) + terms.cardFeeCents);
}
