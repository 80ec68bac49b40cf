/** What is kept of money that is captured. */
export interface FeeTerms {
  serviceFeeBasisPoints: number;
  cardFeeBasisPoints: number;
  cardFeeCents: number;
}

/** The fee off the driver's receipt, in cents: service and card, never more than what was captured. */
export function feeOf(takenCents: number, terms: FeeTerms): number {
  if (takenCents === 0) return 0;
  const share = (takenCents * (terms.serviceFeeBasisPoints + terms.cardFeeBasisPoints)) / 10_000;
  return Math.min(takenCents, Math.round(share) + terms.cardFeeCents);
}

/** What is refunded of a fee as part of its money is refunded; in steps it adds up to the same. */
export const feeBackOf = (
  feeCents: number,
  takenCents: number,
  refunded: { beforeCents: number; afterCents: number },
): number =>
  takenCents === 0
    ? 0
    : Math.round((feeCents * refunded.afterCents) / takenCents) -
      Math.round((feeCents * refunded.beforeCents) / takenCents);
