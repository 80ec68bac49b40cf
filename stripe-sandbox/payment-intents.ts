import type { Stripe } from 'stripe';
import { z } from 'zod';
import { badParameter, notNow } from './api-error.ts';
import { requirePayable } from './accounts.ts';
import { settleCharge } from './charges.ts';
import { mergeMetadata } from './metadata.ts';
import { cancel, confirm, isOver, requireStatus, setMethod, succeed, takeIntent } from './payment-moves.ts';
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
import {
  add,
  idOf,
  look,
  newId,
  randomWord,
  requirePresent,
  save,
  secondsOf,
  take,
  tell,
  type Call,
  type SandboxObject,
} from './objects.ts';

type Intent = SandboxObject<'payment_intent'>;

const leastCents = 50;
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
      if (input.customer !== undefined) await requirePresent(call, 'customer', input.customer);
      if (input.transfer_data !== undefined) await requirePayable(call, input.transfer_data.destination);
      checkFee(input.application_fee_amount ?? null, input.amount, input.transfer_data !== undefined);
      const intent = addIntent(call, input);
      tell(call, 'payment_intent.created', intent);
      if (input.payment_method !== undefined) await setMethod(call, intent, input.payment_method);
      save(call, intent);
      return input.confirm ? confirm(call, intent, input) : intent.body;
    },
  ),

  route('GET', '/v1/payment_intents', { ...paging, customer: z.string().optional() }, (call, input) =>
    listOf(call, 'payment_intent', input, {
      url: '/v1/payment_intents',
      where: { customer: input.customer },
    }),
  ),

  route(
    'GET',
    '/v1/payment_intents/:id',
    { client_secret: z.string().optional() },
    async (call, _input, id) => {
      const { body, dueAt } = await look(call, 'payment_intent', id);
      return isOver(call, dueAt) ? (await takeIntent(call, id)).body : body;
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
      save(call, intent);
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
      const capturedCents = input.amount_to_capture ?? body.amount_capturable;
      if (capturedCents < 1)
        throw badParameter('parameter_invalid_integer', 'amount_to_capture', 'Invalid positive integer');
      if (capturedCents > body.amount_capturable)
        throw notNow(
          'amount_too_large',
          `The requested capture amount is greater than the amount you can capture for this charge.`,
          { param: 'amount_to_capture' },
        );
      const feeCents = input.application_fee_amount ?? body.application_fee_amount;
      checkFee(feeCents, capturedCents, body.transfer_data != null);
      body.metadata = mergeMetadata(body.metadata, input.metadata ?? {});
      body.application_fee_amount = feeCents;
      const charge = await take(call, 'charge', idOf(body.latest_charge) ?? '');
      await settleCharge(call, charge, capturedCents, feeCents);
      succeed(call, intent, capturedCents);
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

function addIntent(call: Call, input: NewIntent): Intent {
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
