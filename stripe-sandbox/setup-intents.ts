import type { Stripe } from 'stripe';
import { z } from 'zod';
import { ApiError, notNow } from './api-error.ts';
import { mergeMetadata } from './metadata.ts';
import { attach, attachRefusal, cardOf, foreignMethod, methodFor } from './payment-methods.ts';
import { flag, listOf, metadata, paging, route, webAddress, words, type Route } from './routing.ts';
import { mustAskHolder } from './test-cards.ts';
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

type Intent = SandboxObject<'setup_intent'>;

export const setupIntentRoutes: readonly Route[] = [
  route(
    'POST',
    '/v1/setup_intents',
    {
      customer: z.string().optional(),
      payment_method: z.string().optional(),
      allowed_payment_method_types: z.array(z.literal('card')).optional(),
      usage: z.enum(['on_session', 'off_session']).default('off_session'),
      confirm: flag.default(false),
      return_url: webAddress.optional(),
      description: words(1000),
      metadata,
    },
    async (call, input) => {
      if (input.customer !== undefined) await requirePresent(call, 'customer', input.customer);
      const id = newId('setup_intent');
      const intent = add(call, 'setup_intent', {
        id,
        object: 'setup_intent',
        allowed_payment_method_types: input.allowed_payment_method_types ?? null,
        application: null,
        automatic_payment_methods: null,
        cancellation_reason: null,
        client_secret: `${id}_secret_${randomWord(25)}`,
        created: secondsOf(call.now),
        customer: input.customer ?? null,
        customer_account: null,
        description: input.description ?? null,
        excluded_payment_method_types: null,
        flow_directions: null,
        last_setup_error: null,
        latest_attempt: null,
        livemode: false,
        mandate: null,
        metadata: input.metadata ?? {},
        next_action: null,
        on_behalf_of: null,
        payment_method: null,
        payment_method_configuration_details: null,
        payment_method_options: {
          card: { mandate_options: null, network: null, request_three_d_secure: 'automatic' },
        },
        payment_method_types: input.allowed_payment_method_types ?? ['card'],
        single_use_mandate: null,
        status: 'requires_payment_method',
        usage: input.usage,
      });
      tell(call, 'setup_intent.created', intent);
      if (input.payment_method !== undefined) {
        intent.body.payment_method = (await methodFor(call, input.payment_method)).id;
        intent.body.status = 'requires_confirmation';
        save(call, intent);
      }
      return input.confirm ? confirmSetup(call, intent, input.return_url) : intent.body;
    },
  ),

  route('GET', '/v1/setup_intents', { ...paging, customer: z.string().optional() }, (call, input) =>
    listOf(call, 'setup_intent', input, { url: '/v1/setup_intents', where: { customer: input.customer } }),
  ),

  route(
    'GET',
    '/v1/setup_intents/:id',
    { client_secret: z.string().optional() },
    async (call, _input, id) => (await look(call, 'setup_intent', id)).body,
  ),

  route('POST', '/v1/setup_intents/:id', { metadata, description: words(1000) }, async (call, input, id) => {
    const intent = await take(call, 'setup_intent', id, { param: 'intent', status: 404 });
    if (input.description !== undefined) intent.body.description = input.description;
    intent.body.metadata = mergeMetadata(intent.body.metadata ?? {}, input.metadata ?? {});
    save(call, intent);
    return intent.body;
  }),

  route(
    'POST',
    '/v1/setup_intents/:id/confirm',
    {
      payment_method: z.string().optional(),
      return_url: webAddress.optional(),
      client_secret: z.string().optional(),
    },
    async (call, input, id) => {
      const intent = await take(call, 'setup_intent', id, { param: 'intent', status: 404 });
      requireOpen(intent.body, 'confirm');
      if (input.payment_method !== undefined)
        intent.body.payment_method = (await methodFor(call, input.payment_method)).id;
      return confirmSetup(call, intent, input.return_url);
    },
  ),

  route(
    'POST',
    '/v1/setup_intents/:id/cancel',
    { cancellation_reason: z.enum(['abandoned', 'duplicate', 'requested_by_customer']).optional() },
    async (call, input, id) => {
      const intent = await take(call, 'setup_intent', id, { param: 'intent', status: 404 });
      requireOpen(intent.body, 'cancel');
      intent.body.status = 'canceled';
      intent.body.next_action = null;
      intent.body.cancellation_reason = input.cancellation_reason ?? null;
      save(call, intent);
      tell(call, 'setup_intent.canceled', intent);
      return intent.body;
    },
  ),
];

const openStatuses: readonly Stripe.SetupIntent.Status[] = [
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
];

export function requireOpen(body: Stripe.SetupIntent, verb: string): void {
  if (openStatuses.includes(body.status)) return;
  throw notNow(
    'setup_intent_unexpected_state',
    `You cannot ${verb} this SetupIntent because it has a status of ${body.status}.`,
    { setup_intent: body },
  );
}

/** Saves the card for later, asking its holder first where the card wants that. */
export async function confirmSetup(
  call: Call,
  intent: Intent,
  returnUrl: string | undefined,
): Promise<object | ApiError> {
  const { body } = intent;
  const methodId = idOf(body.payment_method);
  if (methodId === null)
    throw notNow(
      'setup_intent_unexpected_state',
      'You cannot confirm this SetupIntent because it is missing a payment method.',
      { setup_intent: body },
    );
  const method = await take(call, 'payment_method', methodId);
  const owner = idOf(method.body.customer);
  if (owner !== null && owner !== body.customer) throw foreignMethod(methodId);
  const refused = attachRefusal(method);
  if (refused !== null) {
    fail(call, intent, method, refused);
    return new ApiError(refused.status, refused.type, refused.message, {
      ...refused.fields,
      payment_method: method.body,
      setup_intent: body,
    });
  }
  const card = cardOf(method);
  if (card !== null && mustAskHolder(card, { offSession: false, isSetUp: false })) {
    body.status = 'requires_action';
    body.last_setup_error = null;
    intent.hidden = { ...intent.hidden, ...(returnUrl === undefined ? {} : { returnUrl }) };
    body.next_action =
      returnUrl === undefined
        ? { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect' } }
        : {
            type: 'redirect_to_url',
            redirect_to_url: { return_url: returnUrl, url: `${call.pagesUrl}/confirm/${body.client_secret}` },
          };
    save(call, intent);
    tell(call, 'setup_intent.requires_action', intent);
    return body;
  }
  await finish(call, intent, method);
  return body;
}

/** What the holder said on the page that asks. */
export async function answerSetup(call: Call, intent: Intent, isConfirmed: boolean): Promise<void> {
  const { body } = intent;
  if (body.status !== 'requires_action') requireOpen({ ...body, status: 'canceled' }, 'authenticate');
  body.next_action = null;
  const method = await take(call, 'payment_method', idOf(body.payment_method) ?? '');
  if (isConfirmed) return finish(call, intent, method);
  return fail(
    call,
    intent,
    method,
    new ApiError(
      402,
      'invalid_request_error',
      'The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this SetupIntent again.',
      { code: 'setup_intent_authentication_failure' },
    ),
  );
}

async function finish(call: Call, intent: Intent, method: SandboxObject<'payment_method'>): Promise<void> {
  const customerId = idOf(intent.body.customer);
  if (customerId !== null) await attach(call, method, customerId);
  method.hidden = { ...method.hidden, isSetUp: intent.body.usage === 'off_session' };
  save(call, method);
  intent.body.status = 'succeeded';
  intent.body.last_setup_error = null;
  save(call, intent);
  tell(call, 'setup_intent.succeeded', intent);
}

function fail(call: Call, intent: Intent, method: SandboxObject<'payment_method'>, why: ApiError): void {
  intent.body.last_setup_error = {
    ...why.body.error,
    payment_method: method.body,
  } as Stripe.SetupIntent.LastSetupError;
  intent.body.status = 'requires_payment_method';
  intent.body.payment_method = null;
  save(call, intent);
  tell(call, 'setup_intent.setup_failed', intent);
}
