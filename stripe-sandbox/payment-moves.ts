import type { Stripe } from 'stripe';
import { dayMs } from './clock.ts';
import { notNow, type ApiError } from './api-error.ts';
import { addCharge, holdSeconds, releaseCharge, settleCharge } from './charges.ts';
import { attach, attachRefusal, cardOf, declineError, foreignMethod, methodFor } from './payment-methods.ts';
import { mustAskHolder, type Decline } from './test-cards.ts';
import { idOf, save, secondsOf, take, tell, type Call, type SandboxObject } from './objects.ts';

type Intent = SandboxObject<'payment_intent'>;
type Method = SandboxObject<'payment_method'>;

/** A debit from a bank account arrives after four days. */
const debitMs = 4 * dayMs;

/** The intent, locked; a hold whose time is over has expired first. */
export async function takeIntent(call: Call, id: string): Promise<Intent> {
  const intent = await take(call, 'payment_intent', id, { param: 'intent', status: 404 });
  if (isOver(call, intent.dueAt)) await meetDueTime(call, intent);
  return intent;
}

/** Whether the clock has something to do to an intent before it is shown. */
export const isOver = (call: Call, dueAt: Date | null): boolean => dueAt !== null && dueAt <= call.now;

/** What the clock does to an intent: a hold expires, a debit arrives. */
export async function meetDueTime(call: Call, intent: Intent): Promise<void> {
  intent.dueAt = null;
  if (intent.body.status === 'requires_capture') return cancel(call, intent, 'automatic');
  if (intent.body.status !== 'processing') return save(call, intent);
  const method = await take(call, 'payment_method', idOf(intent.body.payment_method) ?? '');
  await grant(call, intent, method);
}

/** @throws ApiError `payment_intent_unexpected_state` unless the intent is in one of these states. */
export function requireStatus(
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

/** Chooses what the intent will be paid with. */
export async function setMethod(call: Call, intent: Intent, methodId: string): Promise<void> {
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

/** Tries to pay: the holder is asked where the card wants that, then the bank. */
export async function confirm(
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
    save(call, intent);
    tell(call, 'payment_intent.requires_action', intent);
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
  fail(call, intent, method, {
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
    save(call, method);
  }
  await grant(call, intent, method);
  return body;
}

async function grant(call: Call, intent: Intent, method: Method): Promise<void> {
  const { body } = intent;
  const granted = addCharge(call, intent, method, null);
  body.latest_charge = granted.id;
  if (body.capture_method === 'manual') {
    body.status = 'requires_capture';
    body.amount_capturable = body.amount;
    intent.dueAt = new Date(call.now.getTime() + holdSeconds * 1000);
    save(call, intent);
    return tell(call, 'payment_intent.amount_capturable_updated', intent);
  }
  await settleCharge(call, granted, body.amount, body.application_fee_amount);
  return succeed(call, intent, body.amount);
}

/** The money has come in. */
export function succeed(call: Call, intent: Intent, receivedCents: number): void {
  const { body } = intent;
  body.status = 'succeeded';
  body.amount_capturable = 0;
  body.amount_received = receivedCents;
  body.processing = null;
  intent.dueAt = null;
  save(call, intent);
  tell(call, 'payment_intent.succeeded', intent);
}

function startDebit(call: Call, intent: Intent, method: Method): object {
  intent.body.status = 'processing';
  if (method.hidden.debit === 'succeeds') intent.dueAt = new Date(call.now.getTime() + debitMs);
  save(call, intent);
  tell(call, 'payment_intent.processing', intent);
  return intent.body;
}

/** The bank refuses: the intent waits for another card, and the answer is an error that shows it. */
function decline(call: Call, intent: Intent, method: Method, why: Decline): ApiError {
  const refused = addCharge(call, intent, method, why);
  intent.body.latest_charge = refused.id;
  fail(call, intent, method, {
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

function fail(
  call: Call,
  intent: Intent,
  method: Method,
  why: Omit<Stripe.PaymentIntent.LastPaymentError, 'payment_method'>,
): void {
  intent.body.last_payment_error = { ...why, payment_method: method.body };
  intent.body.status = 'requires_payment_method';
  intent.body.payment_method = null;
  save(call, intent);
  tell(call, 'payment_intent.payment_failed', intent);
}

/** Ends an intent; its authorized amount is released. */
export async function cancel(
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
  save(call, intent);
  tell(call, 'payment_intent.canceled', intent);
}
