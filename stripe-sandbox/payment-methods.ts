import { createHash } from 'node:crypto';
import type { Stripe } from 'stripe';
import { z } from 'zod';
import { ApiError, badParameter, notNow } from './api-error.ts';
import { mergeMetadata } from './metadata.ts';
import { listOf, metadata, paging, route, words, type Route } from './routing.ts';
import { pageOf } from './store.ts';
import { cardByNumber, cardByToken, isCardNumber, type Decline, type TestCard } from './test-cards.ts';
import {
  add,
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

type Method = SandboxObject<'payment_method'>;

const cardFields = z.strictObject({
  number: z.string(),
  exp_month: z.string().regex(/^\d{1,2}$/),
  exp_year: z.string().regex(/^\d{2,4}$/),
  cvc: z.string().optional(),
});

export const paymentMethodRoutes: readonly Route[] = [
  route(
    'POST',
    '/v1/payment_methods',
    {
      type: z.literal('card'),
      card: z.union([cardFields, z.strictObject({ token: z.string() })]),
      billing_details: z.strictObject({ name: words(256), email: words(512) }).optional(),
      metadata,
    },
    async (call, input) => {
      const { card: given } = input;
      const card = 'token' in given ? cardByToken(given.token.replace(/^tok_/, 'pm_card_')) : null;
      if ('token' in given && card === null)
        throw badParameter('resource_missing', 'card[token]', `No such token: '${given.token}'`);
      const method =
        'token' in given ? addCard(call, card!, nextYear(call)) : addCard(call, ...checkCard(call, given));
      method.body.metadata = input.metadata ?? {};
      Object.assign(method.body.billing_details, input.billing_details);
      save(call, method);
      return method.body;
    },
  ),

  route(
    'GET',
    '/v1/payment_methods',
    { ...paging, customer: z.string().optional(), type: z.string().optional() },
    (call, input) =>
      listOf(call, 'payment_method', input, {
        url: '/v1/payment_methods',
        where: {
          customer: input.customer,
          type: input.type,
        },
      }),
  ),

  route(
    'GET',
    '/v1/customers/:id/payment_methods',
    { ...paging, type: z.string().optional() },
    async (call, input, id) => {
      await look(call, 'customer', id);
      return listOf(call, 'payment_method', input, {
        url: `/v1/customers/${id}/payment_methods`,
        where: {
          customer: id,
          type: input.type,
        },
      });
    },
  ),

  route(
    'GET',
    '/v1/payment_methods/:id',
    {},
    async (call, _input, id) => (await look(call, 'payment_method', id)).body,
  ),

  route('POST', '/v1/payment_methods/:id', { metadata }, async (call, input, id) => {
    const method = await take(call, 'payment_method', id, { status: 404 });
    method.body.metadata = mergeMetadata(method.body.metadata ?? {}, input.metadata ?? {});
    save(call, method);
    return method.body;
  }),

  route('POST', '/v1/payment_methods/:id/attach', { customer: z.string() }, async (call, input, id) => {
    const method = await methodFor(call, id);
    const refused = attachRefusal(method);
    if (refused !== null) return refused;
    await attach(call, method, input.customer);
    return method.body;
  }),

  route('POST', '/v1/payment_methods/:id/detach', {}, async (call, _input, id) => {
    const method = await take(call, 'payment_method', id, { status: 404 });
    if (method.body.customer === null)
      throw notNow(
        'payment_method_unexpected_state',
        'The payment method you provided is not attached to a customer so detachment is impossible.',
      );
    await detach(call, method);
    return method.body;
  }),
];

/** A payment method by its id, or a new one for the name of a test card. */
export async function methodFor(call: Call, id: string): Promise<Method> {
  const card = cardByToken(id);
  if (card !== null) return addCard(call, card, nextYear(call));
  if (id === 'pm_usBankAccount_success') return addDebit(call, 'succeeds');
  if (id === 'pm_usBankAccount_processing') return addDebit(call, 'stays');
  const method = await take(call, 'payment_method', id);
  if (method.hidden.isDetached === true)
    throw notNow(
      'payment_method_unexpected_state',
      'The provided PaymentMethod was detached from a Customer. It may not be used again.',
      { param: 'payment_method' },
    );
  return method;
}

export const cardOf = (method: Method): TestCard | null =>
  method.hidden.card === undefined ? null : cardByNumber(method.hidden.card);

/** @throws ApiError 402 or 400, as a browser's card field would say it. */
export function checkCard(
  call: Call,
  given: z.output<typeof cardFields>,
): [card: TestCard, expiry: { month: number; year: number }] {
  const number = given.number.replaceAll(/[\s-]/g, '');
  const wrong = (code: string, param: string, message: string) =>
    new ApiError(402, 'card_error', message, { code, param: `card[${param}]` });
  if (!isCardNumber(number)) throw wrong('incorrect_number', 'number', 'Your card number is incorrect.');
  const month = Number(given.exp_month);
  const year = Number(given.exp_year) + (given.exp_year.length === 2 ? 2000 : 0);
  if (month < 1 || month > 12)
    throw wrong('invalid_expiry_month', 'exp_month', "Your card's expiration month is invalid.");
  if (year * 12 + month <= call.now.getUTCFullYear() * 12 + call.now.getUTCMonth())
    throw wrong('invalid_expiry_year', 'exp_year', "Your card's expiration year is invalid.");
  const card = cardByNumber(number);
  if (card === null)
    throw wrong(
      'card_declined',
      'number',
      'Your card was declined. Only test card numbers work here: no real card is ever charged.',
    );
  if (given.cvc !== undefined && !/^\d{3,4}$/.test(given.cvc))
    throw wrong('invalid_cvc', 'cvc', "Your card's security code is invalid.");
  return [card, { month, year }];
}

const nextYear = (call: Call) => ({ month: call.now.getUTCMonth() + 1, year: call.now.getUTCFullYear() + 1 });

export function addCard(
  call: Call,
  card: TestCard,
  { month, year }: { month: number; year: number },
): Method {
  const details = {
    brand: card.brand,
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
    country: 'US',
    display_brand: card.brand === 'amex' ? 'american_express' : card.brand,
    exp_month: month,
    exp_year: year,
    // The same card is recognized when it is saved again.
    fingerprint: createHash('sha256').update(`sandbox ${card.number}`).digest('hex').slice(0, 16),
    funding: card.funding,
    generated_from: null,
    last4: card.number.slice(-4),
    networks: { available: [card.brand], preferred: null },
    regulated_status: 'unregulated',
    three_d_secure_usage: { supported: true },
    wallet: null,
  };
  return addMethod(call, { type: 'card', card: details }, { card: card.number });
}

function addDebit(call: Call, debit: 'succeeds' | 'stays'): Method {
  const details = {
    account_holder_type: 'individual',
    account_type: 'checking',
    bank_name: 'STRIPE TEST BANK',
    financial_connections_account: null,
    fingerprint: 'sandboxaccount00',
    last4: '6789',
    networks: { preferred: 'ach', supported: ['ach'] },
    routing_number: '110000000',
    status_details: {},
  };
  return addMethod(call, { type: 'us_bank_account', us_bank_account: details }, { debit });
}

function addMethod(
  call: Call,
  details: Pick<Stripe.PaymentMethod, 'type' | 'card' | 'us_bank_account'>,
  hidden: Method['hidden'],
): Method {
  const address = { city: null, country: null, line1: null, line2: null, postal_code: null, state: null };
  return add(
    call,
    'payment_method',
    {
      id: newId('payment_method'),
      object: 'payment_method',
      allow_redisplay: 'unspecified',
      billing_details: { address, email: null, name: null, phone: null, tax_id: null },
      created: secondsOf(call.now),
      customer: null,
      customer_account: null,
      livemode: false,
      metadata: {},
      ...details,
    },
    { hidden },
  );
}

/** The error for a card whose bank refuses it already when it is saved; null for others. */
export function attachRefusal(method: Method): ApiError | null {
  const refused = cardOf(method)?.refusedAlways;
  return refused === undefined ? null : declineError(refused);
}

export const declineError = (decline: Decline, fields: Record<string, unknown> = {}): ApiError =>
  new ApiError(402, 'card_error', decline.message, {
    code: decline.code,
    decline_code: decline.declineCode,
    doc_url: `https://docs.stripe.com/error-codes/${decline.code.replaceAll('_', '-')}`,
    ...fields,
  });

export const foreignMethod = (id: string): ApiError =>
  notNow('payment_method_customer_mismatch', `The payment method '${id}' does not belong to the customer.`, {
    param: 'payment_method',
  });

export async function attach(call: Call, method: Method, customerId: string): Promise<void> {
  if (method.body.customer === customerId) return;
  if (method.body.customer !== null)
    throw notNow(
      'payment_method_unexpected_state',
      'The payment method you provided has already been attached to a customer.',
    );
  await take(call, 'customer', customerId);
  method.body.customer = customerId;
  save(call, method);
  tell(call, 'payment_method.attached', method);
}

export async function detach(call: Call, method: Method): Promise<void> {
  const customerId = method.body.customer as string;
  method.body.customer = null;
  method.hidden = { ...method.hidden, isDetached: true };
  save(call, method);
  const customer = await take(call, 'customer', customerId);
  if (customer.body.invoice_settings.default_payment_method === method.id) {
    customer.body.invoice_settings.default_payment_method = null;
    save(call, customer);
    tell(call, 'customer.updated', customer);
  }
  tell(call, 'payment_method.detached', method, { customer: customerId });
}

export async function methodsOf(call: Call, customerId: string): Promise<Method[]> {
  const { rows } = await pageOf(await call.objects.written(), {
    kind: 'payment_method',
    account: call.account,
    where: { customer: customerId },
    limit: 100,
  });
  return rows.map((row) => objectOf('payment_method', row));
}
