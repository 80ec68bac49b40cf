import type { Stripe } from 'stripe';
import { book, processingFeeCents } from './money.ts';
import { cardOf } from './payment-methods.ts';
import { listOf, paging, route, type Route } from './routing.ts';
import type { Decline } from './test-cards.ts';
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
import { z } from 'zod';

type Charge = SandboxObject<'charge'>;
type Intent = SandboxObject<'payment_intent'>;
type Method = SandboxObject<'payment_method'>;

/** Holds of cards end after seven days. */
export const holdSeconds = 7 * 86_400;

export const chargeRoutes: readonly Route[] = [
  route(
    'GET',
    '/v1/charges',
    { ...paging, customer: z.string().optional(), payment_intent: z.string().optional() },
    (call, input) =>
      listOf(call, 'charge', input, {
        url: '/v1/charges',
        where: {
          customer: input.customer,
          payment_intent: input.payment_intent,
        },
      }),
  ),
  route('GET', '/v1/charges/:id', {}, async (call, _input, id) => (await look(call, 'charge', id)).body),
];

/** Asks the bank: the charge is written whether it is granted or refused. */
export function addCharge(call: Call, intent: Intent, method: Method, decline: Decline | null): Charge {
  const { body } = intent;
  const isHold = decline === null && body.capture_method === 'manual';
  const charge = add(call, 'charge', {
    ...emptyCharge(call, newId('charge')),
    amount: body.amount,
    amount_captured: decline === null && !isHold ? body.amount : 0,
    application_fee_amount: body.application_fee_amount,
    billing_details: method.body.billing_details,
    captured: decline === null && !isHold,
    customer: idOf(body.customer),
    description: body.description,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    metadata: body.metadata,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: decline === null ? 'approved_by_network' : 'declined_by_network',
      reason: decline?.declineCode ?? null,
      risk_level: 'normal',
      seller_message:
        decline === null
          ? 'Payment complete.'
          : 'The bank did not return any further details with this decline.',
      type: decline === null ? 'authorized' : 'issuer_declined',
    },
    paid: decline === null,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: detailsOf(call, method, isHold, body.amount),
    status: decline === null ? 'succeeded' : 'failed',
    transfer_data:
      body.transfer_data == null
        ? null
        : {
            amount: body.transfer_data.amount ?? null,
            destination: idOf(body.transfer_data.destination) ?? '',
          },
    transfer_group: body.transfer_group,
  });
  tell(call, decline === null ? 'charge.succeeded' : 'charge.failed', charge);
  return charge;
}

function detailsOf(
  call: Call,
  method: Method,
  isHold: boolean,
  amountCents: number,
): Stripe.Charge.PaymentMethodDetails {
  const { card, us_bank_account: debit } = method.body;
  if (card === undefined) return { type: 'us_bank_account', us_bank_account: debit && debitDetails(debit) };
  return {
    type: 'card',
    card: {
      amount_authorized: amountCents,
      authorization_code: null,
      brand: card.brand,
      ...(isHold ? { capture_before: secondsOf(call.now) + holdSeconds } : {}),
      checks: card.checks,
      country: card.country,
      electronic_commerce_indicator: null,
      exp_month: card.exp_month,
      exp_year: card.exp_year,
      extended_authorization: { status: 'disabled' },
      fingerprint: card.fingerprint ?? null,
      funding: card.funding,
      incremental_authorization: { status: 'unavailable' },
      installments: null,
      last4: card.last4,
      mandate: null,
      multicapture: { status: 'unavailable' },
      network: card.brand,
      network_token: { used: false },
      network_transaction_id: null,
      overcapture: { maximum_amount_capturable: amountCents, status: 'unavailable' },
      regulated_status: 'unregulated',
      three_d_secure: null,
      transaction_link_id: null,
      wallet: null,
    },
  };
}

const debitDetails = (
  debit: Stripe.PaymentMethod.UsBankAccount,
): Stripe.Charge.PaymentMethodDetails.UsBankAccount => ({
  account_holder_type: debit.account_holder_type ?? null,
  account_type: debit.account_type ?? null,
  bank_name: debit.bank_name ?? null,
  fingerprint: debit.fingerprint ?? null,
  last4: debit.last4 ?? null,
  payment_reference: null,
  routing_number: debit.routing_number ?? null,
});

const emptyCharge = (call: Call, id: string): Stripe.Charge => ({
  id,
  object: 'charge',
  amount: 0,
  amount_captured: 0,
  amount_refunded: 0,
  application: null,
  application_fee: null,
  application_fee_amount: null,
  balance_transaction: null,
  billing_details: {
    address: { city: null, country: null, line1: null, line2: null, postal_code: null, state: null },
    email: null,
    name: null,
    phone: null,
    tax_id: null,
  },
  calculated_statement_descriptor: 'SAMEWAY TEST',
  captured: true,
  created: secondsOf(call.now),
  currency: 'usd',
  customer: null,
  description: null,
  disputed: false,
  failure_balance_transaction: null,
  failure_code: null,
  failure_message: null,
  fraud_details: {},
  livemode: false,
  metadata: {},
  on_behalf_of: null,
  outcome: null,
  paid: true,
  payment_intent: null,
  payment_method: null,
  payment_method_details: null,
  receipt_email: null,
  receipt_number: null,
  receipt_url: null,
  refunded: false,
  review: null,
  shipping: null,
  source: null,
  source_transfer: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  status: 'succeeded',
  transfer_data: null,
  transfer_group: null,
});

/**
 * Takes the money of a granted charge: all of it, or a part, the rest of a hold being let go. What a
 * destination charge promises its driver is transferred whole, and the application fee comes back from there.
 */
export async function settleCharge(
  call: Call,
  charge: Charge,
  amountCents: number,
  applicationFeeCents: number | null,
): Promise<void> {
  const { body } = charge;
  const wasHold = !body.captured;
  body.captured = true;
  body.amount_captured = amountCents;
  body.amount_refunded = body.amount - amountCents;
  body.application_fee_amount = applicationFeeCents;
  body.balance_transaction = book(call, {
    account: charge.account,
    type: 'charge',
    amountCents,
    feeCents: processingFeeCents(amountCents),
    sourceId: charge.id,
  });
  const destination = idOf(body.transfer_data?.destination);
  if (destination !== null)
    payDestination(call, charge, destination, body.transfer_data?.amount ?? amountCents);
  if (await isObjectedTo(call, charge)) charge.dueAt = call.now;
  save(call, charge);
  if (wasHold) tell(call, 'charge.captured', charge);
}

/** Whether the bank behind the card will object to this charge: the next round of the clock says so. */
async function isObjectedTo(call: Call, charge: Charge): Promise<boolean> {
  const id = idOf(charge.body.payment_method) ?? '';
  const method = await call.objects.find({ id, kind: 'payment_method', account: charge.account });
  const card = method === null ? null : cardOf(objectOf('payment_method', method));
  return card?.disputedAs !== undefined || card?.warnsOfFraud === true;
}

function payDestination(call: Call, charge: Charge, destination: string, amountCents: number): void {
  const feeCents = charge.body.application_fee_amount ?? 0;
  const payment: Stripe.Charge = {
    ...emptyCharge(call, newId('charge').replace('ch_', 'py_')),
    amount: amountCents,
    amount_captured: amountCents,
    application_fee_amount: feeCents === 0 ? null : feeCents,
  };
  const transfer = addTransfer(call, {
    amountCents,
    destination,
    paymentId: payment.id,
    sourceTransaction: charge.id,
    group: charge.body.transfer_group ?? `group_${idOf(charge.body.payment_intent) ?? charge.id}`,
    metadata: {},
    description: null,
  });
  payment.source_transfer = transfer.id;
  payment.balance_transaction = book(call, {
    account: destination,
    type: 'payment',
    amountCents,
    feeCents,
    feeType: 'application_fee',
    sourceId: payment.id,
  });
  charge.body.transfer = transfer.id;
  charge.body.transfer_group = transfer.body.transfer_group;
  if (feeCents > 0) {
    const fee = addApplicationFee(call, charge, { paymentId: payment.id, destination, feeCents });
    charge.body.application_fee = fee.id;
    payment.application_fee = fee.id;
  }
  add(call, 'charge', payment, { account: destination });
}

/** Moves money of the platform to a connected account; the other side is booked by the caller. */
export function addTransfer(
  call: Call,
  given: {
    amountCents: number;
    destination: string;
    paymentId: string;
    sourceTransaction: string | null;
    group: string | null;
    metadata: Record<string, string>;
    description: string | null;
  },
): SandboxObject<'transfer'> {
  const id = newId('transfer');
  const transfer = add(call, 'transfer', {
    id,
    object: 'transfer',
    amount: given.amountCents,
    amount_reversed: 0,
    balance_transaction: book(call, {
      account: call.account,
      type: 'transfer',
      amountCents: -given.amountCents,
      sourceId: id,
      settlesLater: given.sourceTransaction !== null,
    }),
    created: secondsOf(call.now),
    currency: 'usd',
    description: given.description,
    destination: given.destination,
    destination_payment: given.paymentId,
    livemode: false,
    metadata: given.metadata,
    reversals: { object: 'list', data: [], has_more: false, url: `/v1/transfers/${id}/reversals` },
    reversed: false,
    source_transaction: given.sourceTransaction,
    source_type: 'card',
    transfer_group: given.group,
  });
  tell(call, 'transfer.created', transfer);
  return transfer;
}

function addApplicationFee(
  call: Call,
  charge: Charge,
  { paymentId, destination, feeCents }: { paymentId: string; destination: string; feeCents: number },
): SandboxObject<'application_fee'> {
  const id = newId('application_fee');
  const fee = add(call, 'application_fee', {
    id,
    object: 'application_fee',
    account: destination,
    amount: feeCents,
    amount_refunded: 0,
    application: 'ca_sandbox',
    balance_transaction: book(call, {
      account: call.account,
      type: 'application_fee',
      amountCents: feeCents,
      sourceId: id,
    }),
    charge: paymentId,
    created: secondsOf(call.now),
    currency: 'usd',
    fee_source: { charge: paymentId, type: 'charge' },
    livemode: false,
    originating_transaction: charge.id,
    refunded: false,
    refunds: { object: 'list', data: [], has_more: false, url: `/v1/application_fees/${id}/refunds` },
  });
  tell(call, 'application_fee.created', fee);
  return fee;
}

/** Cancels an authorization: nothing was ever captured. */
export async function releaseCharge(call: Call, chargeId: string, hasExpired: boolean): Promise<void> {
  const charge = await take(call, 'charge', chargeId);
  charge.body.refunded = true;
  charge.body.amount_refunded = charge.body.amount;
  save(call, charge);
  tell(call, hasExpired ? 'charge.expired' : 'charge.refunded', charge);
}
