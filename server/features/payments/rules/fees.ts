/** The part of a fee to refund as part of its money is refunded; in steps it adds up to the same. */
export const feeBackOf = (
  feeCents: number,
  capturedCents: number,
  refunded: { beforeCents: number; afterCents: number },
): number =>
  capturedCents === 0
    ? 0
    : Math.round((feeCents * refunded.afterCents) / capturedCents) -
      Math.round((feeCents * refunded.beforeCents) / capturedCents);
