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
