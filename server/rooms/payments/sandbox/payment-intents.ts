import type { Stripe } from 'stripe';
import { z } from 'zod';
import { ApiError, badParameter, notNow } from './api-error.ts';
import { requirePayable } from './accounts.ts';
import { addCharge, holdSeconds, releaseCharge, settleCharge } from './charges.ts';
import { mergeMetadata } from './metadata.ts';
import { attach, attachRefusal, cardOf, declineError, foreignMethod, methodFor } from './payment-methods.ts';
import {
  cents,
  flag,
  listOf,
  metadata,
  paging,
  route,
  usd,
  webAddress,
  words,
  type Route,
} from './routing.ts';
import { mustAskHolder, type Decline } from './test-cards.ts';
import {
  add,
  idOf,
  look,
  newId,
  randomWord,
  save,
  secondsOf,
  take,
  tell,
  type Call,
  type Thing,
} from './things.ts';

type Intent = Thing<'payment_intent'>;
type Method = Thing<'payment_method'>;

const leastCents = 50;
/** A debit from a bank account arrives after four days. */
const debitMs = 4 * 86_400_000;

const amount = cents.pipe(z.number().min(leastCents, 'the amount must be at least $0.50').max(99_999_999));
const fee = cents.pipe(z.number().min(1, 'a fee is a positive amount'));
const mandate = z.record(z.string(), z.unknown()).optional();
const confirmation = {
  off_session: flag.optional(),
  return_url: webAddress.optional(),
  error_on_requires_action: flag.optional(),
  mandate_data: mandate,
};
const captureMethod = z.enum(['automatic', 'automatic_async', 'manual']);
const methodTypes = z.array(z.enum(['card', 'us_bank_account'])).optional();

export const paymentIntentRoutes: readonly Route[] = [
  route(
    'POST',
    '/v1/payment_intents',
    {
      ...confirmation,
      amount,
      currency: usd,
      customer: z.string().optional(),
      payment_method: z.string().optional(),
      allowed_payment_method_types: methodTypes,
      capture_method: captureMethod.default('automatic_async'),
      confirm: flag.default(false),
      description: words(1000),
      metadata,
      receipt_email: words(800),
      setup_future_usage: z.enum(['on_session', 'off_session']).optional(),
      application_fee_amount: fee.optional(),
      transfer_data: z.strictObject({ destination: z.string(), amount: amount.optional() }).optional(),
      transfer_group: words(500),
    },
    async (call, input) => {
      if (!input.confirm)
        for (const name of ['off_session', 'return_url', 'error_on_requires_action'] as const)
          if (input[name] !== undefined)
            throw badParameter(
              'parameter_invalid_empty',
              name,
              `${name} may only be used with confirm=true.`,
            );
      if (input.customer !== undefined) await take(call, 'customer', input.customer);
      if (input.transfer_data !== undefined) await requirePayable(call, input.transfer_data.destination);
      checkFee(input.application_fee_amount ?? null, input.amount, input.transfer_data !== undefined);
      const intent = await addIntent(call, input);
      await tell(call, 'payment_intent.created', intent);
      if (input.payment_method !== undefined) await setMethod(call, intent, input.payment_method);
      await save(call, intent);
      return input.confirm ? confirm(call, intent, input) : intent.body;
    },
  ),

  route('GET', '/v1/payment_intents', { ...paging, customer: z.string().optional() }, (call, input) =>
    listOf(call, 'payment_intent', '/v1/payment_intents', input, { customer: input.customer }),
  ),

  route(
    'GET',
    '/v1/payment_intents/:id',
    { client_secret: z.string().optional() },
    async (call, _input, id) => {
      await look(call, 'payment_intent', id);
      return (await takeIntent(call, id)).body;
    },
  ),

  route(
    'POST',
    '/v1/payment_intents/:id',
    {
      amount: amount.optional(),
      application_fee_amount: fee.optional(),
      description: words(1000),
      metadata,
      payment_method: z.string().optional(),
      receipt_email: words(800),
      transfer_group: words(500),
    },
    async (call, input, id) => {
      const intent = await takeIntent(call, id);
      const { body } = intent;
      const changesMoney = (['amount', 'application_fee_amount', 'payment_method'] as const).some(
        (name) => input[name] !== undefined,
      );
      if (changesMoney)
        requireStatus(body, 'update', [
          'requires_payment_method',
          'requires_confirmation',
          'requires_action',
        ]);
      if (input.amount !== undefined) body.amount = input.amount;
      if (input.application_fee_amount !== undefined)
        body.application_fee_amount = input.application_fee_amount;
      checkFee(body.application_fee_amount, body.amount, body.transfer_data != null);
      for (const name of ['description', 'receipt_email', 'transfer_group'] as const)
        if (input[name] !== undefined) body[name] = input[name];
      body.metadata = mergeMetadata(body.metadata, input.metadata ?? {});
      if (input.payment_method !== undefined) await setMethod(call, intent, input.payment_method);
      await save(call, intent);
      return body;
    },
  ),

  route(
    'POST',
    '/v1/payment_intents/:id/confirm',
    { ...confirmation, payment_method: z.string().optional(), client_secret: z.string().optional() },
    async (call, input, id) => {
      const intent = await takeIntent(call, id);
      requireStatus(intent.body, 'confirm', [
        'requires_payment_method',
        'requires_confirmation',
        'requires_action',
      ]);
      if (input.payment_method !== undefined) await setMethod(call, intent, input.payment_method);
      return confirm(call, intent, input);
    },
  ),

  route(
    'POST',
    '/v1/payment_intents/:id/capture',
    { amount_to_capture: cents.optional(), application_fee_amount: fee.optional(), metadata },
    async (call, input, id) => {
      const intent = await takeIntent(call, id);
      const { body } = intent;
      requireStatus(body, 'capture', ['requires_capture']);
      const takenCents = input.amount_to_capture ?? body.amount_capturable;
      if (takenCents < 1)
        throw badParameter('parameter_invalid_integer', 'amount_to_capture', 'Invalid positive integer');
      if (takenCents > body.amount_capturable)
        throw notNow(
          'amount_too_large',
          `The requested capture amount is greater than the amount you can capture for this charge.`,
          { param: 'amount_to_capture' },
        );
      const feeCents = input.application_fee_amount ?? body.application_fee_amount;
      checkFee(feeCents, takenCents, body.transfer_data != null);
      body.metadata = mergeMetadata(body.metadata, input.metadata ?? {});
      body.application_fee_amount = feeCents;
      const charge = await take(call, 'charge', idOf(body.latest_charge) ?? '');
      await settleCharge(call, charge, takenCents, feeCents);
      await succeed(call, intent, takenCents);
      return body;
    },
  ),

  route(
    'POST',
    '/v1/payment_intents/:id/cancel',
    {
      cancellation_reason: z
        .enum(['duplicate', 'fraudulent', 'requested_by_customer', 'abandoned'])
        .optional(),
    },
    async (call, input, id) => {
      const intent = await takeIntent(call, id);
      requireStatus(intent.body, 'cancel', [
        'requires_payment_method',
        'requires_confirmation',
        'requires_action',
        'requires_capture',
        'processing',
      ]);
      await cancel(call, intent, input.cancellation_reason ?? null);
      return intent.body;
    },
  ),
];

/** The intent, locked; a hold whose time is over has expired first. */
export async function takeIntent(call: Call, id: string): Promise<Intent> {
  const intent = await take(call, 'payment_intent', id, { param: 'intent', status: 404 });
  if (intent.dueAt !== null && intent.dueAt <= call.now) await meetDueTime(call, intent);
  return intent;
}

/** What the clock does to an intent: a hold expires, a debit arrives. */
export async function meetDueTime(call: Call, intent: Intent): Promise<void> {
  intent.dueAt = null;
  if (intent.body.status === 'requires_capture') return cancel(call, intent, 'automatic');
  if (intent.body.status !== 'processing') return save(call, intent);
  const method = await take(call, 'payment_method', idOf(intent.body.payment_method) ?? '');
  await grant(call, intent, method);
}

interface NewIntent {
  amount: number;
  currency: string;
  customer?: string;
  allowed_payment_method_types?: ('card' | 'us_bank_account')[];
  capture_method: Stripe.PaymentIntent.CaptureMethod;
  description?: string | null;
  metadata?: Record<string, string>;
  receipt_email?: string | null;
  setup_future_usage?: 'on_session' | 'off_session';
  application_fee_amount?: number;
  transfer_data?: { destination: string; amount?: number };
  transfer_group?: string | null;
}

function addIntent(call: Call, input: NewIntent): Promise<Intent> {
  const id = newId('payment_intent');
  return add(call, 'payment_intent', {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: input.allowed_payment_method_types ?? null,
    amount: input.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: input.application_fee_amount ?? null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: input.capture_method,
    client_secret: `${id}_secret_${randomWord(25)}`,
    confirmation_method: 'automatic',
    created: secondsOf(call.now),
    currency: input.currency,
    customer: input.customer ?? null,
    customer_account: null,
    description: input.description ?? null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: input.metadata ?? {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: input.allowed_payment_method_types ?? ['card'],
    payment_record: null,
    processing: null,
    receipt_email: input.receipt_email ?? null,
    review: null,
    setup_future_usage: input.setup_future_usage ?? null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_data: input.transfer_data ?? null,
    transfer_group: input.transfer_group ?? null,
  });
}

function checkFee(feeCents: number | null, amountCents: number, hasDestination: boolean): void {
  if (feeCents === null) return;
  if (!hasDestination)
    throw badParameter(
      'parameter_missing',
      'application_fee_amount',
      'Can only apply an application_fee_amount when the PaymentIntent is attempting a direct payment or a destination payment.',
    );
  if (feeCents > amountCents)
    throw notNow('amount_too_large', 'The application fee cannot be greater than the amount.', {
      param: 'application_fee_amount',
    });
}

function requireStatus(
  body: Stripe.PaymentIntent,
  verb: string,
  from: readonly Stripe.PaymentIntent.Status[],
): void {
  if (from.includes(body.status)) return;
  throw notNow(
    'payment_intent_unexpected_state',
    `You cannot ${verb} this PaymentIntent because it has a status of ${body.status}. Only a PaymentIntent with one of the following statuses may be used: ${from.join(', ')}.`,
    { payment_intent: body },
  );
}

async function setMethod(call: Call, intent: Intent, methodId: string): Promise<void> {
  const method = await methodFor(call, methodId);
  if (!intent.body.payment_method_types.includes(method.body.type))
    throw notNow(
      'payment_intent_incompatible_payment_method',
      'The payment method type is not one of those of the PaymentIntent.',
      { param: 'payment_method' },
    );
  const customer = idOf(intent.body.customer);
  if (method.body.customer !== null && method.body.customer !== customer) throw foreignMethod(methodId);
  if (intent.body.capture_method === 'manual' && method.body.type !== 'card')
    throw notNow('payment_intent_invalid_parameter', 'A bank debit cannot be captured manually.', {
      param: 'capture_method',
    });
  intent.body.payment_method = method.id;
  intent.body.status = 'requires_confirmation';
  intent.body.next_action = null;
}

async function confirm(
  call: Call,
  intent: Intent,
  input: { off_session?: boolean; return_url?: string; error_on_requires_action?: boolean },
): Promise<object | ApiError> {
  const { body } = intent;
  const methodId = idOf(body.payment_method);
  if (methodId === null)
    throw notNow(
      'payment_intent_unexpected_state',
      'You cannot confirm this PaymentIntent because it is missing a payment method.',
      { payment_intent: body },
    );
  const method = await take(call, 'payment_method', methodId);
  body.last_payment_error = null;
  body.next_action = null;
  if (method.hidden.debit !== undefined) return startDebit(call, intent, method);
  const card = cardOf(method);
  if (card === null) throw new Error(`The payment method ${methodId} has no card.`);
  if (card.refusedAlways !== undefined) return decline(call, intent, method, card.refusedAlways);
  const offSession = input.off_session === true;
  if (mustAskHolder(card, { offSession, isSetUp: method.hidden.isSetUp === true })) {
    if (offSession || input.error_on_requires_action === true)
      return decline(call, intent, method, needsHolder);
    body.status = 'requires_action';
    intent.hidden = {
      ...intent.hidden,
      ...(input.return_url === undefined ? {} : { returnUrl: input.return_url }),
    };
    body.next_action =
      input.return_url === undefined
        ? { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect' } }
        : {
            type: 'redirect_to_url',
            redirect_to_url: {
              return_url: input.return_url,
              url: `${call.pagesUrl}/confirm/${body.client_secret}`,
            },
          };
    await save(call, intent);
    await tell(call, 'payment_intent.requires_action', intent);
    return body;
  }
  return charge(call, intent, method);
}

const needsHolder: Decline = {
  code: 'authentication_required',
  declineCode: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
};

/** What the holder said on the page that asks. The intent waits for it no more. */
export async function answerHolder(call: Call, intent: Intent, isConfirmed: boolean): Promise<void> {
  const { body } = intent;
  requireStatus(body, 'authenticate', ['requires_action']);
  body.next_action = null;
  const method = await take(call, 'payment_method', idOf(body.payment_method) ?? '');
  if (isConfirmed) {
    await charge(call, intent, method);
    return;
  }
  await fail(call, intent, method, {
    code: 'payment_intent_authentication_failure',
    message:
      'The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this PaymentIntent again.',
    type: 'invalid_request_error',
  });
}

/** Asks the bank for the money. */
async function charge(call: Call, intent: Intent, method: Method): Promise<object | ApiError> {
  const refused = cardOf(method)?.refusedOnCharge;
  if (refused !== undefined) return decline(call, intent, method, refused);
  const { body } = intent;
  if (body.setup_future_usage !== null && body.customer !== null && method.body.customer === null) {
    const atAttach = attachRefusal(method);
    if (atAttach !== null) return atAttach;
    await attach(call, method, idOf(body.customer)!);
    method.hidden = { ...method.hidden, isSetUp: body.setup_future_usage === 'off_session' };
    await save(call, method);
  }
  await grant(call, intent, method);
  return body;
}

async function grant(call: Call, intent: Intent, method: Method): Promise<void> {
  const { body } = intent;
  const granted = await addCharge(call, intent, method, null);
  body.latest_charge = granted.id;
  if (body.capture_method === 'manual') {
    body.status = 'requires_capture';
    body.amount_capturable = body.amount;
    intent.dueAt = new Date(call.now.getTime() + holdSeconds * 1000);
    await save(call, intent);
    return tell(call, 'payment_intent.amount_capturable_updated', intent);
  }
  await settleCharge(call, granted, body.amount, body.application_fee_amount);
  return succeed(call, intent, body.amount);
}

async function succeed(call: Call, intent: Intent, receivedCents: number): Promise<void> {
  const { body } = intent;
  body.status = 'succeeded';
  body.amount_capturable = 0;
  body.amount_received = receivedCents;
  body.processing = null;
  intent.dueAt = null;
  await save(call, intent);
  await tell(call, 'payment_intent.succeeded', intent);
}

async function startDebit(call: Call, intent: Intent, method: Method): Promise<object> {
  intent.body.status = 'processing';
  if (method.hidden.debit === 'succeeds') intent.dueAt = new Date(call.now.getTime() + debitMs);
  await save(call, intent);
  await tell(call, 'payment_intent.processing', intent);
  return intent.body;
}

/** The bank refuses: the intent waits for another card, and the answer is an error that shows it. */
async function decline(call: Call, intent: Intent, method: Method, why: Decline): Promise<ApiError> {
  const refused = await addCharge(call, intent, method, why);
  intent.body.latest_charge = refused.id;
  await fail(call, intent, method, {
    charge: refused.id,
    code: why.code,
    decline_code: why.declineCode,
    message: why.message,
    type: 'card_error',
  });
  return declineError(why, {
    charge: refused.id,
    payment_intent: intent.body,
    payment_method: method.body,
  });
}

async function fail(
  call: Call,
  intent: Intent,
  method: Method,
  why: Omit<Stripe.PaymentIntent.LastPaymentError, 'payment_method'>,
): Promise<void> {
  intent.body.last_payment_error = { ...why, payment_method: method.body };
  intent.body.status = 'requires_payment_method';
  intent.body.payment_method = null;
  await save(call, intent);
  await tell(call, 'payment_intent.payment_failed', intent);
}

async function cancel(
  call: Call,
  intent: Intent,
  reason: Stripe.PaymentIntent.CancellationReason | null,
): Promise<void> {
  const { body } = intent;
  const held = body.status === 'requires_capture' ? idOf(body.latest_charge) : null;
  body.status = 'canceled';
  body.canceled_at = secondsOf(call.now);
  body.cancellation_reason = reason;
  body.amount_capturable = 0;
  body.next_action = null;
  body.processing = null;
  intent.dueAt = null;
  if (held !== null) await releaseCharge(call, held, reason === 'automatic');
  await save(call, intent);
  await tell(call, 'payment_intent.canceled', intent);
}
