import type { Stripe } from 'stripe';
import { z } from 'zod';
import { dayMs } from './clock.ts';
import { notNow } from './api-error.ts';
import { book, disputeFeeCents } from './money.ts';
import { cardOf } from './payment-methods.ts';
import { flag, listOf, metadata, paging, route, type Route } from './routing.ts';
import { objectsOfPayment } from './store.ts';
import {
  add,
  idOf,
  look,
  newId,
  save,
  secondsOf,
  take,
  tell,
  objectOf,
  type Call,
  type SandboxObject,
} from './objects.ts';

type Charge = SandboxObject<'charge'>;
type Dispute = SandboxObject<'dispute'>;

/** How long evidence can be sent in; after that the bank decides for its customer. */
const evidenceWithinMs = 7 * dayMs;
const decisionTakesMs = 3 * dayMs;
const arbitrationTakesMs = 30 * dayMs;

/** What Stripe's test mode takes as evidence that wins, and as evidence that loses. */
const winning = 'winning_evidence';
const losing = 'losing_evidence';
/**
 * Evidence that wins and is overruled in arbitration later. Stripe's test mode has none of it; banks do it,
 * rarely.
 */
const overruled = 'winning_evidence_overruled';

const evidenceNames = [
  'access_activity_log',
  'billing_address',
  'cancellation_policy',
  'cancellation_policy_disclosure',
  'cancellation_rebuttal',
  'customer_communication',
  'customer_email_address',
  'customer_name',
  'customer_purchase_ip',
  'customer_signature',
  'duplicate_charge_documentation',
  'duplicate_charge_explanation',
  'duplicate_charge_id',
  'product_description',
  'receipt',
  'refund_policy',
  'refund_policy_disclosure',
  'refund_refusal_explanation',
  'service_date',
  'service_documentation',
  'shipping_address',
  'shipping_carrier',
  'shipping_date',
  'shipping_documentation',
  'shipping_tracking_number',
  'uncategorized_file',
  'uncategorized_text',
] as const;

type EvidenceName = (typeof evidenceNames)[number];

const listInput = {
  ...paging,
  charge: z.string().optional(),
  payment_intent: z.string().optional(),
};

/** What banks take back after a payment (disputes), and what they warn of before. */
export const disputeRoutes: readonly Route[] = [
  route('GET', '/v1/disputes', listInput, (call, input) =>
    listOf(call, 'dispute', input, {
      url: '/v1/disputes',
      where: {
        charge: input.charge,
        payment_intent: input.payment_intent,
      },
    }),
  ),
  route('GET', '/v1/disputes/:id', {}, async (call, _input, id) => (await look(call, 'dispute', id)).body),
  route(
    'POST',
    '/v1/disputes/:id',
    {
      evidence: z.partialRecord(z.enum(evidenceNames), z.string().max(20_000)).optional(),
      submit: flag.default(true),
      metadata,
    },
    async (call, input, id) => {
      const dispute = await take(call, 'dispute', id, { status: 404 });
      const { body } = dispute;
      if (input.evidence !== undefined) {
        requireAnswerable(dispute);
        body.evidence = { ...body.evidence, ...input.evidence };
        body.evidence_details.has_evidence = true;
      }
      if (input.submit && body.evidence_details.has_evidence) {
        requireAnswerable(dispute);
        body.evidence_details.submission_count++;
        body.evidence_details.submission_method = 'manual';
        body.status = 'under_review';
        const text = body.evidence.uncategorized_text ?? '';
        const isKnown = text.includes(winning) || text.includes(losing);
        dispute.dueAt = new Date(call.now.getTime() + (isKnown ? 0 : decisionTakesMs));
      }
      save(call, dispute);
      tell(call, 'charge.dispute.updated', dispute);
      return body;
    },
  ),
  route('POST', '/v1/disputes/:id/close', {}, async (call, _input, id) => {
    const dispute = await take(call, 'dispute', id, { status: 404 });
    requireAnswerable(dispute);
    await close(call, dispute, 'lost');
    return dispute.body;
  }),

  route('GET', '/v1/radar/early_fraud_warnings', listInput, (call, input) =>
    listOf(call, 'radar.early_fraud_warning', input, {
      url: '/v1/radar/early_fraud_warnings',
      where: {
        charge: input.charge,
        payment_intent: input.payment_intent,
      },
    }),
  ),
  route(
    'GET',
    '/v1/radar/early_fraud_warnings/:id',
    {},
    async (call, _input, id) => (await look(call, 'radar.early_fraud_warning', id)).body,
  ),
];

function requireAnswerable({ id, body }: Dispute): void {
  if (body.status !== 'needs_response')
    throw notNow('dispute_not_answerable', `The dispute ${id} is ${body.status} and takes no evidence.`);
}

/** Whether the money of a charge was taken back by its bank, and has not come again. */
export async function isDisputed(call: Call, charge: Charge): Promise<boolean> {
  if (!charge.body.disputed) return false;
  const disputes = await objectsOfPayment(
    await call.objects.written(),
    'dispute',
    idOf(charge.body.payment_intent) ?? '',
  );
  return disputes.some((row) => objectOf('dispute', row).body.status !== 'won');
}

/** What the bank behind a test card does once the money is taken. */
export async function objectTo(call: Call, charge: Charge): Promise<void> {
  charge.dueAt = null;
  save(call, charge);
  const method = await take(call, 'payment_method', idOf(charge.body.payment_method) ?? '');
  const card = cardOf(method);
  if (card?.disputedAs !== undefined) await openDispute(call, charge, card.disputedAs);
  if (card?.warnsOfFraud === true) warn(call, charge);
}

async function openDispute(call: Call, charge: Charge, reason: string): Promise<void> {
  const { body } = charge;
  const amountCents = body.amount - body.amount_refunded;
  if (amountCents === 0) return;
  const id = newId('dispute');
  const dueAt = new Date(call.now.getTime() + evidenceWithinMs);
  const withdrawn = await bookDispute(
    call,
    { id, account: charge.account },
    { amountCents: -amountCents, feeCents: disputeFeeCents },
  );
  // The type of Object.fromEntries forgets which names they are.
  const none = Object.fromEntries(evidenceNames.map((name) => [name, null])) as Record<EvidenceName, null>;
  const dispute = add(
    call,
    'dispute',
    {
      id,
      object: 'dispute',
      amount: amountCents,
      balance_transactions: [withdrawn],
      charge: charge.id,
      created: secondsOf(call.now),
      currency: 'usd',
      enhanced_eligibility_types: [],
      evidence: { ...none, enhanced_evidence: {} },
      evidence_details: {
        due_by: secondsOf(dueAt),
        enhanced_eligibility: {},
        has_evidence: false,
        past_due: false,
        submission_count: 0,
        submission_method: 'not_submitted',
      },
      intended_submission_method: null,
      is_charge_refundable: false,
      livemode: false,
      metadata: {},
      payment_intent: body.payment_intent,
      reason,
      status: 'needs_response',
    },
    { dueAt },
  );
  body.disputed = true;
  save(call, charge);
  tell(call, 'charge.dispute.created', dispute);
  tell(call, 'charge.dispute.funds_withdrawn', dispute);
}

/**
 * @param cents signed: what goes to the bank is negative, with a fee; what comes back is positive, with the
 *   fee given back.
 */
async function bookDispute(
  call: Call,
  { id: sourceId, account }: Pick<Dispute, 'id' | 'account'>,
  { amountCents, feeCents }: { amountCents: number; feeCents: number },
): Promise<Stripe.BalanceTransaction> {
  const category = amountCents < 0 ? 'dispute' : 'dispute_reversal';
  const booked = { account, type: 'adjustment', category, amountCents, feeCents } as const;
  const id = book(call, { ...booked, sourceId, settlesLater: false });
  return (await look(call, 'balance_transaction', id)).body;
}

/** The bank has decided, or its time is over: who sent nothing has lost. */
export async function meetDispute(call: Call, dispute: Dispute): Promise<void> {
  const text = dispute.body.evidence.uncategorized_text ?? '';
  if (dispute.body.status === 'won') return overrule(call, dispute);
  const isWon = dispute.body.status === 'under_review' && text.includes(winning);
  await close(call, dispute, isWon ? 'won' : 'lost');
  if (!isWon || !text.includes(overruled)) return;
  dispute.dueAt = new Date(call.now.getTime() + arbitrationTakesMs);
  save(call, dispute);
}

/** A dispute that was won is lost after all: the money goes again, without a second fee. */
async function overrule(call: Call, dispute: Dispute): Promise<void> {
  dispute.body.status = 'lost';
  dispute.dueAt = null;
  const gone = { amountCents: -dispute.body.amount, feeCents: 0 };
  dispute.body.balance_transactions.push(await bookDispute(call, dispute, gone));
  save(call, dispute);
  tell(call, 'charge.dispute.funds_withdrawn', dispute);
  tell(call, 'charge.dispute.closed', dispute);
}

async function close(call: Call, dispute: Dispute, status: 'won' | 'lost'): Promise<void> {
  const { body } = dispute;
  dispute.dueAt = null;
  body.status = status;
  if (status === 'won')
    body.balance_transactions.push(
      await bookDispute(call, dispute, { amountCents: body.amount, feeCents: -disputeFeeCents }),
    );
  save(call, dispute);
  if (status === 'won') tell(call, 'charge.dispute.funds_reinstated', dispute);
  tell(call, 'charge.dispute.closed', dispute);
}

function warn(call: Call, charge: Charge): void {
  const paymentId = idOf(charge.body.payment_intent);
  const warning = add(call, 'radar.early_fraud_warning', {
    id: newId('radar.early_fraud_warning'),
    object: 'radar.early_fraud_warning',
    actionable: true,
    charge: charge.id,
    created: secondsOf(call.now),
    fraud_type: 'made_with_stolen_card',
    livemode: false,
    ...(paymentId === null ? {} : { payment_intent: paymentId }),
  });
  tell(call, 'radar.early_fraud_warning.created', warning);
}
