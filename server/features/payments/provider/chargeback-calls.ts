import type { Stripe } from 'stripe';
import { chargebackStates, type ChargebackState } from '#contract/payments/views.ts';
import { done, idOf, instantOf, type Attempt, type Outcome } from './outcomes.ts';

/** A charge that its bank has taken back, or asks about. */
export interface ProviderChargeback {
  id: string;
  paymentId: string | null;
  amountCents: number;
  /** The bank's word for why, such as `fraudulent`. */
  reason: string;
  state: ChargebackState;
  evidenceDueAt: Date | null;
  hasEvidence: boolean;
  /** The provider's fees for it so far, in addition to the amount. */
  feeCents: number;
  /** Money that has left the platform's balance over it and not come back, without the fee. */
  withdrawnCents: number;
  openedAt: Date;
}

/**
 * A bank's word that a charge may not have been meant by the card's holder, before any money is taken back.
 */
export interface ProviderFraudWarning {
  id: string;
  paymentId: string | null;
  /** The bank's word, such as `made_with_stolen_card`. */
  fraudType: string;
  /** False once the bank has taken the charge back, or it is refunded whole. */
  isActionable: boolean;
  at: Date;
}

/** The calls about what banks take back, and what they warn of. */
export const chargebackCalls = (stripe: Stripe, attempt: Attempt) => ({
  chargeback: (chargebackId: string): Promise<Outcome<ProviderChargeback>> =>
    attempt(async () => done(chargebackOf(await stripe.disputes.retrieve(chargebackId)))),

  /** Sends in what speaks for the charge; it can be sent once. */
  answerChargeback: (
    { chargebackId, text }: { chargebackId: string; text: string },
    key: string,
  ): Promise<Outcome<ProviderChargeback>> =>
    attempt(async () =>
      done(
        chargebackOf(
          await stripe.disputes.update(
            chargebackId,
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
});

function chargebackOf(dispute: Stripe.Dispute): ProviderChargeback {
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
