/**
 * The flows of the app's card payments through Stripe's own SDK, on two targets: the sandbox, and with
 * `STRIPE_SECRET_KEY` (a test key; `STRIPE_TEST_ACCOUNT` names a verified Express account) Stripe itself,
 * unchanged. Every request and every answer is compared with Stripe's published OpenAPI description.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Stripe } from 'stripe';
import { dayMs } from '../../../platform/clock.ts';
import { openCardTarget, type CardTarget } from '../../../testing/card-target.ts';
import { openTestDatabase } from '../../../testing/database.ts';
import { loadStripeDescription, problemsOf, type Exchange } from '../../../testing/stripe-description.ts';
import type { AuthorizationInput, Payment } from './payment-calls.ts';
import type { Outcome } from './outcomes.ts';

const description = await loadStripeDescription();
const isStripe = (process.env['STRIPE_SECRET_KEY'] ?? '') !== '';

let target: CardTarget;
let drop: () => Promise<void>;
let accountId: string;
beforeAll(async () => {
  const database = await openTestDatabase();
  drop = database.drop;
  target = await openCardTarget(database.pool);
  accountId = await target.payableAccount();
});
afterAll(async () => {
  await target.close();
  await drop();
});

const key = () => crypto.randomUUID();
const returnUrl = 'https://app.example/back';

function value<T>(outcome: Outcome<T>): T {
  if (outcome.outcome !== 'done') throw new Error(JSON.stringify(outcome));
  return outcome.value;
}

async function passenger(): Promise<string> {
  return value(
    await target.provider.createCustomer(
      { email: 'p@example.com', name: '陈 Leo', metadata: { a: 'b' } },
      key(),
    ),
  );
}

/** A customer with a test card saved for when they are away. */
async function withCard(card = 'pm_card_visa'): Promise<{ customerId: string; cardId: string }> {
  const customerId = await passenger();
  const { id: cardId } = await target.stripe.paymentMethods.attach(card, { customer: customerId });
  return { customerId, cardId };
}

const authorizationInput = (
  who: { customerId: string; cardId: string },
  other: Partial<AuthorizationInput> = {},
): AuthorizationInput => ({
  ...who,
  amountCents: 20_00,
  accountId,
  isPresent: true,
  returnUrl,
  description: 'SW-7KQ2M9',
  metadata: { booking: 'b1' },
  ...other,
});

describe('cards', () => {
  test('saved, listed, made the default, removed', async () => {
    const { provider } = target;
    const { customerId, cardId } = await withCard();
    const { id: otherId } = await target.stripe.paymentMethods.attach('pm_card_mastercard', {
      customer: customerId,
    });
    value(await provider.setDefaultCard({ customerId, cardId }, key()));
    const cards = value(await provider.cards(customerId));
    expect(cards).toMatchObject([
      { id: otherId, brand: 'mastercard', last4: '4444', isDefault: false },
      { id: cardId, brand: 'visa', last4: '4242', isDefault: true },
    ]);
    value(await provider.removeCard(cardId, key()));
    expect(value(await provider.cards(customerId))).toMatchObject([{ id: otherId, isDefault: false }]);
    expect(await provider.removeCard(cardId, key())).toMatchObject({ outcome: 'refused' });
    expect(await provider.authorize(authorizationInput({ customerId, cardId }), key())).toMatchObject({
      outcome: 'refused',
    });
  });

  test('a card of somebody else is neither default nor charged', async () => {
    const mine = await withCard();
    const theirs = await withCard();
    expect(
      await target.provider.setDefaultCard({ customerId: mine.customerId, cardId: theirs.cardId }, key()),
    ).toMatchObject({ outcome: 'refused' });
    expect(
      await target.provider.authorize(
        authorizationInput({ customerId: mine.customerId, cardId: theirs.cardId }),
        key(),
      ),
    ).toMatchObject({ outcome: 'refused' });
  });

  test('a setup waits for a card, and is told where the browser goes on', async () => {
    const customerId = await passenger();
    const setup = value(await target.provider.startCard({ customerId, returnUrl }, key()));
    expect(setup).toMatchObject({ state: 'requires_payment_method', customerId, cardId: null });
    expect(setup.pageUrl === null).toBe(isStripe);
    const confirmed = await target.stripe.setupIntents.confirm(setup.id, {
      payment_method: 'pm_card_visa',
      return_url: returnUrl,
    });
    expect(confirmed.status).toBe('succeeded');
    const after = value(await target.provider.cardSetup(setup.id));
    expect(after.state).toBe('succeeded');
    expect(value(await target.provider.cards(customerId))).toMatchObject([{ id: after.cardId }]);
  });

  test('a setup whose bank asks leads to its page', async () => {
    const customerId = await passenger();
    const { id } = value(await target.provider.startCard({ customerId, returnUrl }, key()));
    const confirmed = await target.stripe.setupIntents.confirm(id, {
      payment_method: 'pm_card_authenticationRequired',
      return_url: returnUrl,
    });
    expect(confirmed.status).toBe('requires_action');
    expect(confirmed.next_action?.redirect_to_url?.url).toMatch(/^https?:/);
    expect((await target.stripe.setupIntents.cancel(id)).status).toBe('canceled');
  });
});

describe('customers', () => {
  test('a customer who leaves takes the cards along', async () => {
    const { customerId, cardId } = await withCard();
    value(await target.provider.deleteCustomer(customerId));
    expect(await target.provider.authorize(authorizationInput({ customerId, cardId }), key())).toMatchObject({
      outcome: 'refused',
    });
    expect(await target.provider.startCard({ customerId, returnUrl }, key())).toMatchObject({
      outcome: 'refused',
      code: 'resource_missing',
    });
    const gone = await target.stripe.customers.retrieve(customerId);
    expect(gone.deleted).toBe(true);
  });
});

describe('holds', () => {
  test('held, taken in part, the rest let go', async () => {
    const who = await withCard();
    const held = value(await target.provider.authorize(authorizationInput(who), key()));
    expect(held).toMatchObject({
      state: 'requires_capture',
      authorizedCents: 20_00,
      capturedCents: 0,
      declineCode: null,
    });
    const days = (held.captureBefore!.getTime() - target.clock.now().getTime()) / 86_400_000;
    expect(days).toBeGreaterThan(4);
    expect(days).toBeLessThan(8);
    const taken = value(
      await target.provider.capture({ paymentId: held.id, amountCents: 15_00, feeCents: 1_50 }, key()),
    );
    expect(taken).toMatchObject({ state: 'succeeded', authorizedCents: 0, capturedCents: 15_00 });
    expect(taken.captureBefore).toBeNull();
    const intent = await target.stripe.paymentIntents.retrieve(held.id, {
      expand: ['latest_charge.transfer', 'latest_charge.balance_transaction'],
    });
    const charge = intent.latest_charge as Stripe.Charge;
    expect(charge).toMatchObject({
      amount: 20_00,
      amount_captured: 15_00,
      amount_refunded: 5_00,
      refunded: false,
    });
    expect(charge.transfer).toMatchObject({ amount: 15_00, destination: accountId });
    expect(charge.balance_transaction).toMatchObject({ amount: 15_00 });
    expect(
      await target.provider.capture({ paymentId: held.id, amountCents: 1_00, feeCents: 0 }, key()),
    ).toMatchObject({ outcome: 'refused', code: 'payment_intent_unexpected_state' });
  });

  test('let go: nothing is taken, and it cannot be taken any more', async () => {
    const held = value(await target.provider.authorize(authorizationInput(await withCard()), key()));
    expect(value(await target.provider.cancel(held.id, key()))).toMatchObject({
      state: 'canceled',
      authorizedCents: 0,
      capturedCents: 0,
    });
    expect(
      await target.provider.capture({ paymentId: held.id, amountCents: 20_00, feeCents: 0 }, key()),
    ).toMatchObject({ outcome: 'refused' });
    expect(await target.provider.cancel(held.id, key())).toMatchObject({ outcome: 'refused' });
  });

  test('taken and let go at the same moment: one of them happens', async () => {
    const held = value(await target.provider.authorize(authorizationInput(await withCard()), key()));
    const tries = await Promise.all([
      target.provider.capture({ paymentId: held.id, amountCents: 20_00, feeCents: 2_00 }, key()),
      target.provider.cancel(held.id, key()),
      target.provider.capture({ paymentId: held.id, amountCents: 20_00, feeCents: 2_00 }, key()),
    ]);
    expect(tries.filter(({ outcome }) => outcome === 'done')).toHaveLength(1);
    const { state, capturedCents } = value(await target.provider.payment(held.id));
    expect(capturedCents).toBe(state === 'succeeded' ? 20_00 : 0);
  });

  test('never more than is held, never a fee above the amount', async () => {
    const held = value(await target.provider.authorize(authorizationInput(await withCard()), key()));
    expect(
      await target.provider.capture({ paymentId: held.id, amountCents: 20_01, feeCents: 0 }, key()),
    ).toMatchObject({ outcome: 'refused' });
    expect(
      await target.provider.capture({ paymentId: held.id, amountCents: 5_00, feeCents: 5_01 }, key()),
    ).toMatchObject({ outcome: 'refused' });
    expect(value(await target.provider.payment(held.id))).toMatchObject({ authorizedCents: 20_00 });
  });
});

describe('refunds', () => {
  test('given back in part and then whole, the shares of driver and platform with it', async () => {
    const held = value(await target.provider.authorize(authorizationInput(await withCard()), key()));
    value(await target.provider.capture({ paymentId: held.id, amountCents: 20_00, feeCents: 2_00 }, key()));
    const refund = (amountCents: number) =>
      target.provider.refund({ paymentId: held.id, amountCents, isShared: true, metadata: {} }, key());
    value(await refund(6_67));
    value(await refund(6_67));
    expect(await refund(6_67)).toMatchObject({ outcome: 'refused' });
    value(await refund(6_66));
    expect(await refund(1)).toMatchObject({ outcome: 'refused', code: 'charge_already_refunded' });
    const list = await target.stripe.refunds.list({ payment_intent: held.id });
    expect(list.data.map(({ amount }) => amount)).toEqual([6_66, 6_67, 6_67]);
    const { latest_charge: latest } = await target.stripe.paymentIntents.retrieve(held.id, {
      expand: ['latest_charge.transfer', 'latest_charge.application_fee'],
    });
    const charge = latest as Stripe.Charge;
    expect(charge).toMatchObject({ amount_refunded: 20_00, refunded: true });
    expect(charge.transfer).toMatchObject({ amount_reversed: 20_00, reversed: true });
    expect(charge.application_fee).toMatchObject({ amount_refunded: 2_00, refunded: true });
  });
});

describe('what a bank says', () => {
  test.each([
    ['pm_card_visa_chargeDeclined', 'generic_decline'],
    ['pm_card_visa_chargeDeclinedInsufficientFunds', 'insufficient_funds'],
    ['pm_card_visa_chargeDeclinedLostCard', 'lost_card'],
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card'],
    ['pm_card_chargeDeclinedIncorrectCvc', 'incorrect_cvc'],
    ['pm_card_chargeDeclinedProcessingError', 'processing_error'],
  ])('%s: %s when it is saved, and when it is charged', async (card, code) => {
    const customerId = await passenger();
    await expect(target.stripe.paymentMethods.attach(card, { customer: customerId })).rejects.toMatchObject({
      type: 'StripeCardError',
      statusCode: 402,
    });
    const outcome = await target.provider.authorize(authorizationInput({ customerId, cardId: card }), key());
    expect(outcome).toMatchObject({
      outcome: 'declined',
      code,
      value: { state: 'requires_payment_method', authorizedCents: 0, declineCode: code },
    });
  });

  test('a card that fails after it was saved, and another one in its place', async () => {
    const who = await withCard('pm_card_chargeCustomerFail');
    const outcome = await target.provider.authorize(authorizationInput(who), key());
    if (outcome.outcome !== 'declined' || outcome.value === null) throw new Error(outcome.outcome);
    expect(outcome.code).toBe('generic_decline');
    const { id: cardId } = await target.stripe.paymentMethods.attach('pm_card_visa', {
      customer: who.customerId,
    });
    const repaired = await target.provider.confirm({ paymentId: outcome.value.id, cardId, returnUrl }, key());
    expect(value(repaired)).toMatchObject({
      state: 'requires_capture',
      declineCode: null,
      authorizedCents: 20_00,
    });
  });

  test('the holder must confirm: present they are asked, away it is a decline', async () => {
    const who = await withCard('pm_card_authenticationRequired');
    const asked = await target.provider.authorize(authorizationInput(who), key());
    expect(asked).toMatchObject({
      outcome: 'needsAction',
      value: { state: 'requires_action', authorizedCents: 0 },
    });
    expect((asked as { actionUrl: string }).actionUrl).toMatch(/^https?:/);
    expect(
      await target.provider.authorize(authorizationInput(who, { isPresent: false }), key()),
    ).toMatchObject({
      outcome: 'declined',
      code: 'authentication_required',
      value: { state: 'requires_payment_method' },
    });
  });
});

/** A payment with such a card, and the first event of a type about it, once the bank has spoken. */
async function chargedBackWith(card: string, type: string, account = accountId) {
  const input = authorizationInput(await withCard(card), { accountId: account });
  const held = value(await target.provider.authorize(input, key()));
  value(await target.provider.capture({ paymentId: held.id, amountCents: 20_00, feeCents: 2_00 }, key()));
  const find = async () => {
    await target.sandbox?.work();
    const { data } = await target.stripe.events.list({ limit: 50, type });
    return data.find(
      ({ data: { object } }) =>
        'payment_intent' in object && (object.payment_intent as string | null) === held.id,
    );
  };
  await expect.poll(find, { timeout: 30_000 }).toBeDefined();
  const event = (await find())!;
  return { paymentId: held.id, id: (event.data.object as { id: string }).id };
}

describe('what a bank takes back', () => {
  test.each([
    ['pm_card_createDispute', 'fraudulent'],
    ['pm_card_createDisputeProductNotReceived', 'product_not_received'],
  ])(
    '%s: the amount and a fee leave the balance, and it cannot be given back any more',
    async (card, reason) => {
      const { provider } = target;
      const { paymentId, id } = await chargedBackWith(card, 'charge.dispute.created');
      const chargeback = value(await provider.chargeback(id));
      expect(chargeback).toMatchObject({
        paymentId,
        amountCents: 20_00,
        reason,
        state: 'needs_response',
        hasEvidence: false,
        withdrawnCents: 20_00,
        feeCents: 15_00,
      });
      expect(chargeback.evidenceDueAt!.getTime()).toBeGreaterThan(target.clock.now().getTime());
      const { items: lines } = value(await provider.balanceLines(null));
      expect(lines.find(({ sourceId }) => sourceId === id)).toMatchObject({
        type: 'adjustment',
        category: 'dispute',
        netCents: -35_00,
      });
      expect(
        await provider.refund({ paymentId, amountCents: 1_00, isShared: true, metadata: {} }, key()),
      ).toMatchObject({
        outcome: 'refused',
        code: 'charge_disputed',
      });
    },
  );

  test('evidence that loses, and none at all: the money stays away', async () => {
    const { provider } = target;
    const { id } = await chargedBackWith('pm_card_createDispute', 'charge.dispute.created');
    value(await provider.answerChargeback({ chargebackId: id, text: 'losing_evidence' }, key()));
    await expect
      .poll(
        async () => {
          await target.sandbox?.work();
          return value(await provider.chargeback(id));
        },
        { timeout: 30_000 },
      )
      .toMatchObject({ state: 'lost', withdrawnCents: 20_00, feeCents: 15_00 });
    expect((await provider.answerChargeback({ chargebackId: id, text: 'more' }, key())).outcome).toBe(
      'refused',
    );
  });

  test('a bank that only warns', async () => {
    const { provider } = target;
    const { paymentId, id } = await chargedBackWith(
      'pm_card_createIssuerFraudRecord',
      'radar.early_fraud_warning.created',
    );
    const warning = value(await provider.fraudWarning(id));
    expect(warning).toMatchObject({ paymentId, isActionable: true });
    expect(warning.fraudType).toMatch(/^[a-z_]+$/);
    expect(await provider.fraudWarning('issfr_nobody')).toMatchObject({ outcome: 'refused' });
  });
});

describe('the transfer of what a bank takes back', () => {
  test('the driver’s part is taken back once, and sent again after it is won', async () => {
    const { provider, clock } = target;
    // The platform's own money, already available: a transfer is made of what is there.
    await target.stripe.paymentIntents.create({
      amount: 200_00,
      currency: 'usd',
      allowed_payment_method_types: ['card'],
      payment_method: 'pm_card_visa',
      confirm: true,
      return_url: returnUrl,
    });
    if (target.sandbox !== null) clock.advance(3 * dayMs);
    const driver = await target.payableAccount();
    const before = value(await provider.earnings(driver));
    const { paymentId, id } = await chargedBackWith(
      'pm_card_createDispute',
      'charge.dispute.created',
      driver,
    );
    const earned = async () => {
      const { availableCents, pendingCents } = value(await provider.earnings(driver));
      return availableCents + pendingCents - before.availableCents - before.pendingCents;
    };
    expect(await earned()).toBe(18_00);
    const taken = { reversedCents: 20_00, feeBackCents: 2_00 };
    const input = { paymentId, atMostCents: 20_00, chargebackId: id };
    expect(value(await provider.reverseTransfer(input, key()))).toEqual(taken);
    // Asked again, even with another key, it has been done.
    expect(value(await provider.reverseTransfer(input, key()))).toEqual(taken);
    expect(await earned()).toBe(0);
    value(await provider.answerChargeback({ chargebackId: id, text: 'winning_evidence' }, key()));
    await expect
      .poll(
        async () => {
          await target.sandbox?.work();
          return value(await provider.chargeback(id)).state;
        },
        { timeout: 30_000 },
      )
      .toBe('won');
    expect(value(await provider.chargeback(id)).withdrawnCents).toBe(0);
    const again = { accountId: driver, amountCents: 18_00, chargebackId: id, bookingId: 'b1' };
    const sent = value(await provider.repeatTransfer(again, key()));
    expect(value(await provider.repeatTransfer(again, key()))).toBe(sent);
    expect(await earned()).toBe(18_00);
    // A refund after that: the first transfer has nothing left, so the driver's share comes out of the
    // second, once.
    const refund = { paymentId, amountCents: 5_00, metadata: {} };
    expect(await provider.refund({ ...refund, isShared: true }, key())).toMatchObject({ outcome: 'refused' });
    const share = { paymentId, bookingId: 'b1', capturedCents: 20_00, feeCents: 2_00, chargebackIds: [id] };
    value(await provider.reverseRepeatedTransfers({ ...share, refundedCents: 5_00 }, 'share'));
    value(await provider.reverseRepeatedTransfers({ ...share, refundedCents: 5_00 }, key()));
    expect(await earned()).toBe(13_50);
    value(await provider.refund({ ...refund, isShared: false }, key()));
    value(await provider.reverseRepeatedTransfers({ ...share, refundedCents: 20_00 }, key()));
    expect(await earned()).toBe(0);
    value(await provider.refund({ ...refund, amountCents: 15_00, isShared: false }, key()));
    expect(value(await provider.payment(paymentId))).toMatchObject({ refundedCents: 20_00 });
  });
});

describe('the seven states', () => {
  const stripe = () => target.stripe;
  const allowed: Stripe.PaymentIntentCreateParams['allowed_payment_method_types'] = ['card'];
  const plain = { amount: 12_00, currency: 'usd', allowed_payment_method_types: allowed };

  test('requires_payment_method, requires_confirmation, succeeded', async () => {
    const made = await stripe().paymentIntents.create(plain);
    expect(made.status).toBe('requires_payment_method');
    const withMethod = await stripe().paymentIntents.update(made.id, { payment_method: 'pm_card_visa' });
    expect(withMethod.status).toBe('requires_confirmation');
    const confirmed = await stripe().paymentIntents.confirm(made.id, { return_url: returnUrl });
    expect(confirmed).toMatchObject({ status: 'succeeded', amount_received: 12_00 });
  });

  test('requires_action, canceled', async () => {
    const asked = await stripe().paymentIntents.create({
      ...plain,
      payment_method: 'pm_card_authenticationRequired',
      confirm: true,
      return_url: returnUrl,
    });
    expect(asked).toMatchObject({ status: 'requires_action', next_action: { type: 'redirect_to_url' } });
    const ended = await stripe().paymentIntents.cancel(asked.id, { cancellation_reason: 'abandoned' });
    expect(ended).toMatchObject({ status: 'canceled', cancellation_reason: 'abandoned', next_action: null });
  });

  test('requires_capture', async () => {
    const held = await stripe().paymentIntents.create({
      ...plain,
      capture_method: 'manual',
      payment_method: 'pm_card_visa',
      confirm: true,
      return_url: returnUrl,
    });
    expect(held).toMatchObject({ status: 'requires_capture', amount_capturable: 12_00, amount_received: 0 });
  });

  test('processing', async () => {
    const { customerId } = await withCard();
    const started = await stripe().paymentIntents.create({
      ...plain,
      allowed_payment_method_types: ['us_bank_account'],
      customer: customerId,
      payment_method: 'pm_usBankAccount_processing',
      confirm: true,
      mandate_data: { customer_acceptance: { type: 'offline', offline: {} } },
    });
    expect(started.status).toBe('processing');
    const ended = await stripe().paymentIntents.cancel(started.id);
    expect(ended.status).toBe('canceled');
  });
});

describe('doing things once', () => {
  test('the same call with the same key holds once', async () => {
    const input = authorizationInput(await withCard());
    const once = key();
    const payments = await Promise.all([0, 1, 2, 3].map(() => target.provider.authorize(input, once)));
    const known = payments.flatMap((each) => (each.outcome === 'done' ? [each.value.id] : []));
    expect(known.length).toBeGreaterThan(0);
    const again = value(await target.provider.authorize(input, once));
    expect(new Set([...known, again.id]).size).toBe(1);
    const list = await target.stripe.paymentIntents.list({ customer: input.customerId });
    expect(list.data).toHaveLength(1);
  });

  test('a decline is answered again too, and a key is good for one request', async () => {
    const input = authorizationInput(await withCard('pm_card_chargeCustomerFail'));
    const once = key();
    const first = await target.provider.authorize(input, once);
    expect(await target.provider.authorize(input, once)).toEqual(first);
    // Nothing is known of what became of the other request: it is no refusal of the card.
    expect(await target.provider.authorize({ ...input, amountCents: 21_00 }, once)).toMatchObject({
      outcome: 'unavailable',
      fault: 'idempotency',
    });
    expect((await target.stripe.charges.list({ customer: input.customerId })).data).toHaveLength(1);
  });

  test('what was wrong by itself is not remembered', async () => {
    const once = key();
    const input = authorizationInput(await withCard());
    expect(await target.provider.authorize({ ...input, amountCents: 49 }, once)).toMatchObject({
      outcome: 'refused',
    });
    expect((await target.provider.authorize(input, once)).outcome).toBe('done');
  });
});

describe('drivers', () => {
  test('an account begins with everything missing, and is led to its papers', async () => {
    const account = value(
      await target.provider.createAccount({ email: 'd@example.com', metadata: { driver: 'd1' } }, key()),
    );
    expect(account).toMatchObject({ state: 'started', metadata: { driver: 'd1' } });
    expect(account.missing.length).toBeGreaterThan(0);
    const link = await target.provider.onboardingUrl(
      { accountId: account.id, returnUrl, refreshUrl: returnUrl },
      key(),
    );
    expect(value(link)).toMatch(/^https?:/);
    expect(
      await target.provider.authorize(authorizationInput(await withCard(), { accountId: account.id }), key()),
    ).toMatchObject({
      outcome: 'refused',
      code: 'insufficient_capabilities_for_transfer',
    });
  });

  test('earnings are the price without the fee, on their way to the bank', async () => {
    const before = value(await target.provider.earnings(accountId));
    const held = value(await target.provider.authorize(authorizationInput(await withCard()), key()));
    value(await target.provider.capture({ paymentId: held.id, amountCents: 20_00, feeCents: 2_00 }, key()));
    const after = value(await target.provider.earnings(accountId));
    expect(after.availableCents + after.pendingCents - before.availableCents - before.pendingCents).toBe(
      18_00,
    );
    expect(Array.isArray(value(await target.provider.payouts(accountId)))).toBe(true);
    expect(await target.provider.earnings('acct_nobody')).toMatchObject({ outcome: 'refused' });
  });
});

test('events tell what happened, page by page', async () => {
  const held = value(await target.provider.authorize(authorizationInput(await withCard()), key()));
  value(await target.provider.cancel(held.id, key()));
  const about = async (): Promise<string[]> => {
    const { items: events } = value(await target.provider.events(null));
    return events.filter((event) => event.about.id === held.id).map(({ type }) => type);
  };
  await expect
    .poll(about, { timeout: 20_000 })
    .toEqual(
      expect.arrayContaining([
        'payment_intent.canceled',
        'payment_intent.amount_capturable_updated',
        'payment_intent.created',
      ]),
    );
  const first = await target.stripe.events.list({ limit: 2 });
  const second = await target.stripe.events.list({ limit: 2, starting_after: first.data[1]!.id });
  const back = await target.stripe.events.list({ limit: 1, ending_before: second.data[0]!.id });
  expect(back.data[0]!.id).toBe(first.data[1]!.id);
  expect(new Set([...first.data, ...second.data].map(({ id }) => id)).size).toBe(4);
  expect(first.has_more).toBe(true);
});

test('mistakes are named', async () => {
  const { stripe } = target;
  await expect(stripe.customers.retrieve('cus_nobody')).rejects.toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
  });
  await expect(stripe.paymentIntents.create({ amount: 10, currency: 'usd' })).rejects.toMatchObject({
    statusCode: 400,
    param: 'amount',
  });
  await expect(stripe.rawRequest('POST', '/v1/customers', { emial: 'x' })).rejects.toMatchObject({
    code: 'parameter_unknown',
    param: 'emial',
  });
  const other = value(
    await target.provider.authorize(authorizationInput(await withCard()), key()),
  ) satisfies Payment;
  await expect(stripe.paymentIntents.confirm(other.id)).rejects.toMatchObject({
    code: 'payment_intent_unexpected_state',
  });
});

test('what is compared with the ledger can be read line by line', async () => {
  const { stripe } = target;
  const who = await withCard();
  const held = value(await target.provider.authorize(authorizationInput(who), key()));
  value(await target.provider.capture({ paymentId: held.id, amountCents: 20_00, feeCents: 2_00 }, key()));
  const refundId = value(
    await target.provider.refund(
      { paymentId: held.id, amountCents: 5_00, isShared: true, metadata: { why: 'test' } },
      key(),
    ),
  );
  const { latest_charge: chargeId } = await stripe.paymentIntents.retrieve(held.id);
  const charge = await stripe.charges.retrieve(chargeId as string);
  expect(await stripe.refunds.retrieve(refundId)).toMatchObject({ amount: 5_00, metadata: { why: 'test' } });
  const transfer = await stripe.transfers.retrieve(charge.transfer as string);
  expect(transfer).toMatchObject({ amount: 20_00, amount_reversed: 5_00 });
  expect((await stripe.transfers.list({ destination: accountId, limit: 3 })).data[0]!.id).toBe(transfer.id);
  const fee = await stripe.applicationFees.retrieve(charge.application_fee as string);
  expect(fee).toMatchObject({ amount: 2_00, amount_refunded: 50, account: accountId });
  expect((await stripe.applicationFees.list({ limit: 1 })).data).toHaveLength(1);
  const line = await stripe.balanceTransactions.retrieve(charge.balance_transaction as string);
  expect(line).toMatchObject({ amount: 20_00, fee: 88, net: 19_12, type: 'charge' });
  const lines = await stripe.balanceTransactions.list({ limit: 5 });
  expect(lines.data.every(({ amount, fee: taken, net }) => net === amount - taken)).toBe(true);
  await stripe.balance.retrieve();
  expect((await stripe.setupIntents.list({ limit: 1 })).object).toBe('list');
  expect((await stripe.customers.list({ email: 'p@example.com', limit: 1 })).data).toHaveLength(1);
  expect(await stripe.paymentMethods.retrieve(who.cardId)).toMatchObject({ customer: who.customerId });
  const [event] = (await stripe.events.list({ limit: 1 })).data;
  expect(await stripe.events.retrieve(event!.id)).toMatchObject({ id: event!.id, type: event!.type });
  expect((await stripe.accounts.list({ limit: 1 })).data).toHaveLength(1);
  expect(await stripe.accounts.update(accountId, { metadata: { seen: 'yes' } })).toMatchObject({
    metadata: { seen: 'yes' },
  });
});

describe.skipIf(description === null)("Stripe's OpenAPI description", () => {
  // Requests that are wrong on purpose, to see them refused, are left out.
  const meant = () => target.exchanges.filter(({ input }) => !('emial' in input));
  const problems = () => meant().flatMap((exchange) => problemsOf(description!, exchange));

  test('holds everything asked and answered above', () => {
    expect([...new Set(problems())]).toEqual([]);
    const calls = meant().map(
      ({ method, path }) =>
        `${method} ${path
          .split('/')
          .map((step) => (/^[a-z]+_[A-Za-z0-9]{14,}$/.test(step) ? '*' : step))
          .join('/')}`,
    );
    expect(new Set(calls).size).toBeGreaterThan(30);
  });

  test('would not hold them if they were otherwise', () => {
    const failed = (change: (exchange: Exchange) => Exchange) =>
      meant().filter((exchange) => problemsOf(description!, change(structuredClone(exchange))).length === 0);
    expect(failed((exchange) => ({ ...exchange, input: { ...exchange.input, emial: 'x' } }))).toEqual([]);
    expect(failed((exchange) => ({ ...exchange, answer: {} }))).toEqual([]);
    expect(failed((exchange) => ({ ...exchange, path: `${exchange.path}/nothing/there` }))).toEqual([]);
    const wrongKind = meant().filter(({ input }) => 'amount' in input);
    expect(wrongKind.length).toBeGreaterThan(10);
    for (const exchange of wrongKind)
      expect(
        problemsOf(description!, { ...exchange, input: { ...exchange.input, amount: '12.50' } }),
      ).toHaveLength(1);
  });
});
