import type { Stripe } from 'stripe';
import { chargebackStates, type ChargebackState } from '#contract/payments/views.ts';
import { done, idOf, instantOf, type Attempt, type Outcome } from './outcomes.ts';

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
        const feeBackCents = Math.round(
          ((before.fee?.amount ?? 0) * reversedCents) / Math.max(1, before.transfer.amount),
        );
        return done({ reversedCents, feeBackCents });
      }),

    /** Gives a driver back what was taken back over a dispute that is won. */
    sendAgain: (
      input: { accountId: string; amountCents: number; disputeId: string; bookingId: string },
      key: string,
    ): Promise<Outcome<string>> =>
      attempt(async () => {
        const group = `dispute_${input.disputeId}`;
        const sent = await stripe.transfers.list({ transfer_group: group, limit: 1 });
        if (sent.data[0] !== undefined) return done(sent.data[0].id);
        const { id } = await stripe.transfers.create(
          {
            amount: input.amountCents,
            currency: 'usd',
            destination: input.accountId,
            transfer_group: group,
            metadata: { dispute: input.disputeId, booking: input.bookingId },
          },
          { idempotencyKey: key },
        );
        return done(id);
      }),
  };
}

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
