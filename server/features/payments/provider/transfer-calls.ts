import type { Stripe } from 'stripe';
import { feeBackOf } from '../rules/fees.ts';
import { done, type Attempt, type Outcome } from './outcomes.ts';

/** A refund of a payment whose first transfer was reversed, and repeated, over chargebacks. */
interface RepeatedShares {
  paymentId: string;
  bookingId: string;
  capturedCents: number;
  feeCents: number;
  /** Of the payment, with this refund. */
  refundedCents: number;
  /** The won chargebacks after which the app repeated the driver's transfer, the oldest first. */
  chargebackIds: readonly string[];
}

/** The calls about transfers to drivers. */
export const transferCalls = (stripe: Stripe, attempt: Attempt) => ({
  /**
   * Reverses the transfer of a charge that its bank has taken back; the platform's fee goes back to the
   * driver. Where the transfer was repeated because the bank had decided otherwise before, the repeated one
   * is reversed. Asked again, it is done already.
   * @returns what the driver has lost by it; 0 where nothing was left to reverse.
   */
  reverseTransfer: (
    input: { paymentId: string; atMostCents: number; chargebackId: string },
    key: string,
  ): Promise<Outcome<ReversedCents>> =>
    attempt(async () => {
      const before = await transferOf(stripe, input.paymentId);
      if (before === null) return done({ reversedCents: 0, feeBackCents: 0 });
      const repeated = await repeatedTransferOf(stripe, input.chargebackId);
      return done(
        repeated === null
          ? await reverseFirst(stripe, { ...input, ...before }, key)
          : await reverseAgain(stripe, { ...input, ...before, repeated }, key),
      );
    }),

  /**
   * Repeats the transfer that was reversed over a chargeback that is won. Asked again, it is done already.
   */
  repeatTransfer: (
    input: { accountId: string; amountCents: number; chargebackId: string; bookingId: string },
    key: string,
  ): Promise<Outcome<string>> =>
    attempt(async () => {
      const repeated = await repeatedTransferOf(stripe, input.chargebackId);
      if (repeated !== null && reversalOver(input.chargebackId, repeated) === undefined)
        return done(repeated.id);
      const { id } = await stripe.transfers.create(
        {
          amount: input.amountCents,
          currency: 'usd',
          destination: input.accountId,
          transfer_group: groupOf(input.chargebackId),
          metadata: { dispute: input.chargebackId, booking: input.bookingId },
        },
        { idempotencyKey: key },
      );
      return done(id);
    }),

  /**
   * Reverses the driver's share of a refund in the transfers that were repeated after chargebacks were won:
   * the provider can reverse it by itself only in the first transfer, which is reversed already. What was
   * reversed for this refund before is not reversed twice.
   */
  reverseRepeatedTransfers: (input: RepeatedShares, key: string): Promise<Outcome<null>> =>
    attempt(async () => {
      const before = await transferOf(stripe, input.paymentId);
      if (before === null) return done(null);
      await reverseRepeated(stripe, input, before.transfer.reversals.data, key);
      // The rest that no chargeback took is in the first transfer, with its part of the fee.
      const leftCents = input.refundedCents - before.transfer.amount_reversed;
      if (leftCents > 0)
        await stripe.transfers.createReversal(
          before.transfer.id,
          {
            amount: leftCents,
            refund_application_fee: before.fee !== null,
            metadata: { booking: input.bookingId },
          },
          { idempotencyKey: `${key}:${before.transfer.id}:${input.refundedCents}` },
        );
      return done(null);
    }),
});

/** @param reversals those of the first transfer. */
async function reverseRepeated(
  stripe: Stripe,
  input: RepeatedShares,
  reversals: readonly Stripe.TransferReversal[],
  key: string,
): Promise<void> {
  const driverOf = (cents: number) =>
    cents - feeBackOf(input.feeCents, input.capturedCents, { beforeCents: 0, afterCents: cents });
  // Refunds before the chargebacks, chargebacks and refunds since then took the payment in this order,
  // without gaps.
  let fromCents = reversals
    .filter((each) => each.metadata?.['dispute'] === undefined && each.metadata?.['booking'] === undefined)
    .reduce((sum, { amount }) => sum + amount, 0);
  for (const chargebackId of input.chargebackIds) {
    const reversal = reversals.find((each) => each.metadata?.['dispute'] === chargebackId);
    const repeated = await repeatedTransferOf(stripe, chargebackId);
    if (reversal === undefined || repeated === null) continue;
    const toCents = Math.min(input.refundedCents, fromCents + reversal.amount);
    const wholeCents = Math.min(repeated.amount, driverOf(toCents) - driverOf(fromCents));
    const dueCents = wholeCents - repeated.amount_reversed;
    if (dueCents > 0)
      await stripe.transfers.createReversal(
        repeated.id,
        { amount: dueCents, metadata: { booking: input.bookingId } },
        { idempotencyKey: `${key}:${repeated.id}:${wholeCents}` },
      );
    fromCents += reversal.amount;
  }
}

/** A driver's loss of a transfer, and the part of the platform's fee that went back to them. */
interface ReversedCents {
  reversedCents: number;
  feeBackCents: number;
}

interface ToReverse {
  chargebackId: string;
  atMostCents: number;
  /** The charge's own transfer, with the platform's fee. */
  transfer: Stripe.Transfer;
  fee: Stripe.ApplicationFee | null;
}

async function reverseFirst(
  stripe: Stripe,
  { chargebackId, atMostCents, transfer, fee }: ToReverse,
  key: string,
): Promise<ReversedCents> {
  const own = reversalOver(chargebackId, transfer);
  const amountCents = Math.min(atMostCents, transfer.amount - transfer.amount_reversed);
  if (own === undefined && amountCents > 0)
    await stripe.transfers.createReversal(
      transfer.id,
      { amount: amountCents, refund_application_fee: fee !== null, metadata: { dispute: chargebackId } },
      { idempotencyKey: key },
    );
  return firstReversed({ transfer, fee }, own?.amount ?? Math.max(0, amountCents), own !== undefined);
}

function firstReversed(
  { transfer, fee }: Pick<ToReverse, 'transfer' | 'fee'>,
  reversedCents: number,
  isIncluded: boolean,
): ReversedCents {
  const beforeCents = transfer.amount_reversed - (isIncluded ? reversedCents : 0);
  const afterCents = beforeCents + reversedCents;
  const feeBackCents = feeBackOf(fee?.amount ?? 0, transfer.amount, { beforeCents, afterCents });
  return { reversedCents, feeBackCents };
}

/**
 * The repeated transfer has no fee of its own: it was the driver's net part, and the platform already had the
 * fee of the first. So the loss includes the fee that went back when the first was reversed, in proportion.
 */
async function reverseAgain(
  stripe: Stripe,
  { chargebackId, transfer, fee, repeated }: ToReverse & { repeated: Stripe.Transfer },
  key: string,
): Promise<ReversedCents> {
  const own = reversalOver(chargebackId, repeated);
  const netCents = own?.amount ?? repeated.amount - repeated.amount_reversed;
  if (own === undefined && netCents > 0)
    await stripe.transfers.createReversal(
      repeated.id,
      { amount: netCents, metadata: { dispute: chargebackId } },
      { idempotencyKey: key },
    );
  const wholeCents = reversalOver(chargebackId, transfer)?.amount ?? 0;
  const whole = firstReversed({ transfer, fee }, wholeCents, true);
  const feeBackCents = Math.round((whole.feeBackCents * netCents) / repeated.amount);
  return { reversedCents: netCents + feeBackCents, feeBackCents };
}

const reversalOver = (chargebackId: string, transfer: Stripe.Transfer): Stripe.TransferReversal | undefined =>
  transfer.reversals.data.find(({ metadata }) => metadata?.['dispute'] === chargebackId);

/** The last transfer that was repeated after a chargeback was won; null for none. */
async function repeatedTransferOf(stripe: Stripe, chargebackId: string): Promise<Stripe.Transfer | null> {
  const sent = await stripe.transfers.list({ transfer_group: groupOf(chargebackId), limit: 1 });
  return sent.data[0] ?? null;
}

const groupOf = (chargebackId: string): string => `dispute_${chargebackId}`;

async function transferOf(
  stripe: Stripe,
  paymentId: string,
): Promise<{ transfer: Stripe.Transfer; fee: Stripe.ApplicationFee | null } | null> {
  const { latest_charge: latest } = await stripe.paymentIntents.retrieve(paymentId, {
    expand: ['latest_charge.transfer', 'latest_charge.application_fee'],
  });
  if (latest === null || typeof latest === 'string') return null;
  const { transfer, application_fee: fee } = latest;
  if (transfer == null || typeof transfer === 'string') return null;
  return { transfer, fee: fee === null || typeof fee === 'string' ? null : fee };
}
