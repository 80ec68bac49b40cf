import type { Stripe } from 'stripe';
import { chargebackStates, type ChargebackState } from '#contract/payments/views.ts';
import { done, idOf, instantOf, type Attempt, type Outcome } from './outcomes.ts';
import { feeBackOf } from '../rules/fees.ts';

/** A charge that its bank has taken back, or asks about. */
export interface ProviderDispute {
  id: string;
  paymentId: string | null;
  amountCents: number;
  /** The bank's word for why, such as `fraudulent`. */
  reason: string;
  state: ChargebackState;
  evidenceDueAt: Date | null;
  hasEvidence: boolean;
  /** What the provider has kept for it so far, beside the amount. */
  feeCents: number;
  /** What has gone from the platform's balance over it and not come back, without the fee. */
  withdrawnCents: number;
  openedAt: Date;
}

/** A bank's word that a charge may not have been meant by the card's holder, before any money is taken back. */
export interface ProviderFraudWarning {
  id: string;
  paymentId: string | null;
  /** The bank's word, such as `made_with_stolen_card`. */
  fraudType: string;
  /** False once the charge is disputed or given back whole. */
  isActionable: boolean;
  at: Date;
}

/** The calls about what banks take back, and about the transfers behind it. */
export function disputeCalls(stripe: Stripe, attempt: Attempt) {
  return {
    dispute: (disputeId: string): Promise<Outcome<ProviderDispute>> =>
      attempt(async () => done(disputeOf(await stripe.disputes.retrieve(disputeId)))),

    /** Sends in what speaks for the charge; it can be sent once. */
    answerDispute: (
      { disputeId, text }: { disputeId: string; text: string },
      key: string,
    ): Promise<Outcome<ProviderDispute>> =>
      attempt(async () =>
        done(
          disputeOf(
            await stripe.disputes.update(
              disputeId,
              { evidence: { uncategorized_text: text }, submit: true },
              { idempotencyKey: key },
            ),
          ),
        ),
      ),

    fraudWarning: (warningId: string): Promise<Outcome<ProviderFraudWarning>> =>
      attempt(async () => {
        const warning = await stripe.radar.earlyFraudWarnings.retrieve(warningId);
        return done({
          id: warning.id,
          paymentId: idOf(warning.payment_intent),
          fraudType: warning.fraud_type,
          isActionable: warning.actionable,
          at: instantOf(warning.created),
        });
      }),

    /**
     * Takes back from the driver what a disputed payment brought them, the platform's fee going back to them.
     * @returns what the driver has lost by it; 0 where nothing was left to take back.
     */
    takeBackTransfer: (
      input: { paymentId: string; atMostCents: number; disputeId: string },
      key: string,
    ): Promise<Outcome<{ reversedCents: number; feeBackCents: number }>> =>
      attempt(async () => {
        const before = await transferOf(stripe, input.paymentId);
        if (before === null) return done({ reversedCents: 0, feeBackCents: 0 });
        const own = before.transfer.reversals.data.find(
          ({ metadata }) => metadata?.['dispute'] === input.disputeId,
        );
        const leftCents = before.transfer.amount - before.transfer.amount_reversed;
        const amountCents = Math.min(input.atMostCents, leftCents);
        if (own === undefined && amountCents > 0)
          await stripe.transfers.createReversal(
            before.transfer.id,
            {
              amount: amountCents,
              refund_application_fee: before.fee !== null,
              metadata: { dispute: input.disputeId },
            },
            { idempotencyKey: key },
          );
        const reversedCents = own?.amount ?? Math.max(0, amountCents);
        const beforeCents = before.transfer.amount_reversed - (own?.amount ?? 0);
        const feeBackCents = feeBackOf(before.fee?.amount ?? 0, before.transfer.amount, {
          beforeCents,
          afterCents: beforeCents + reversedCents,
        });
        return done({ reversedCents, feeBackCents });
      }),

    /** Gives a driver back what was taken back over a dispute that is won. */
    sendAgain: (
      input: { accountId: string; amountCents: number; disputeId: string; bookingId: string },
      key: string,
    ): Promise<Outcome<string>> =>
      attempt(async () => {
        const sent = await sentAgainOf(stripe, input.disputeId);
        if (sent !== null) return done(sent.id);
        const { id } = await stripe.transfers.create(
          {
            amount: input.amountCents,
            currency: 'usd',
            destination: input.accountId,
            transfer_group: groupOf(input.disputeId),
            metadata: { dispute: input.disputeId, booking: input.bookingId },
          },
          { idempotencyKey: key },
        );
        return done(id);
      }),

    /**
     * Takes the driver's share of a refund from the transfers that were sent again after disputes were won: the provider can
     * take it back by itself only from the first transfer, which is reversed. What was taken for this refund before is not
     * taken twice.
     * @param refundedCents of the payment, with this refund.
     * @param disputeIds the won disputes after which the app sent the driver's part again, the oldest first.
     */
    takeBackSentAgain: (
      input: {
        paymentId: string;
        bookingId: string;
        takenCents: number;
        feeCents: number;
        refundedCents: number;
        disputeIds: readonly string[];
      },
      key: string,
    ): Promise<Outcome<null>> =>
      attempt(async () => {
        const before = await transferOf(stripe, input.paymentId);
        if (before === null) return done(null);
        const metadata = { booking: input.bookingId };
        const reversals = before.transfer.reversals.data;
        const driverOf = (cents: number) =>
          cents - feeBackOf(input.feeCents, input.takenCents, { beforeCents: 0, afterCents: cents });
        // Refunds before the disputes, disputes and refunds since then took the payment in this order, without gaps.
        let fromCents = reversals
          .filter(
            (each) => each.metadata?.['dispute'] === undefined && each.metadata?.['booking'] === undefined,
          )
          .reduce((sum, { amount }) => sum + amount, 0);
        for (const disputeId of input.disputeIds) {
          const disputed = reversals.find((each) => each.metadata?.['dispute'] === disputeId);
          const sent = await sentAgainOf(stripe, disputeId);
          if (disputed === undefined || sent === null) continue;
          const toCents = Math.min(input.refundedCents, fromCents + disputed.amount);
          const wholeCents = Math.min(sent.amount, driverOf(toCents) - driverOf(fromCents));
          const dueCents = wholeCents - sent.amount_reversed;
          if (dueCents > 0)
            await stripe.transfers.createReversal(
              sent.id,
              { amount: dueCents, metadata },
              { idempotencyKey: `${key}:${sent.id}:${wholeCents}` },
            );
          fromCents += disputed.amount;
        }
        // What no dispute took is left in the first transfer, with its part of the fee.
        const leftCents = input.refundedCents - before.transfer.amount_reversed;
        if (leftCents > 0)
          await stripe.transfers.createReversal(
            before.transfer.id,
            { amount: leftCents, refund_application_fee: before.fee !== null, metadata },
            { idempotencyKey: `${key}:${before.transfer.id}:${input.refundedCents}` },
          );
        return done(null);
      }),
  };
}

/** The transfer that was made anew after a dispute was won; null for none. */
async function sentAgainOf(stripe: Stripe, disputeId: string): Promise<Stripe.Transfer | null> {
  const sent = await stripe.transfers.list({ transfer_group: groupOf(disputeId), limit: 1 });
  return sent.data[0] ?? null;
}

const groupOf = (disputeId: string): string => `dispute_${disputeId}`;

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

function disputeOf(dispute: Stripe.Dispute): ProviderDispute {
  const lines = dispute.balance_transactions;
  const dueBy = dispute.evidence_details.due_by;
  return {
    id: dispute.id,
    paymentId: idOf(dispute.payment_intent),
    amountCents: dispute.amount,
    reason: dispute.reason,
    state: chargebackStates.find((state) => state === dispute.status) ?? 'unknown',
    evidenceDueAt: dueBy === null || dueBy === 0 ? null : instantOf(dueBy),
    hasEvidence: dispute.evidence_details.has_evidence,
    feeCents: lines.reduce((sum, { fee }) => sum + fee, 0),
    withdrawnCents: lines.reduce((sum, { amount }) => sum - amount, 0),
    openedAt: instantOf(dispute.created),
  };
}
