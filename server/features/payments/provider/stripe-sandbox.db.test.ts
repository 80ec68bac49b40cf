import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Stripe } from 'stripe';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { withObjects, type KeptObjects } from '../../../../stripe-sandbox/kept-objects.ts';
import { apiVersion } from '../../../../stripe-sandbox/protocol.ts';
import { createSandbox, type Sandbox } from '../../../../stripe-sandbox/server.ts';
import { dayMs, hourMs, MovableClock, secondMs } from '../../../platform/clock.ts';
import { databaseOf } from '../../../platform/database/db.ts';
import { onboard, press, testSecretKey, testWebhookSecret } from '../../../testing/card-target.ts';
import { openTestDatabase } from '../../../testing/database.ts';
import { SandboxProcess } from '../../../testing/sandbox-process.ts';
import { sized } from '../../../testing/size.ts';
import type { CardSetup } from './card-calls.ts';
import { createCardProvider, type CardProvider } from './card-provider.ts';
import type { Outcome } from './outcomes.ts';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let sandbox: Sandbox;
let provider: CardProvider;
let stripe: Stripe;
let port: number;
let listener: WebhookListener;
const clock = new MovableClock();
const log = pino({ level: 'error' });

beforeAll(async () => {
  database = await openTestDatabase();
  sandbox = createSandbox({ db: databaseOf(database.pool), clock, log, secretKey: testSecretKey });
  port = await sandbox.listen();
  listener = await openWebhookListener();
  provider = providerAt(port);
  stripe = new Stripe(testSecretKey, { apiVersion, host: '127.0.0.1', port, protocol: 'http' });
});
afterAll(async () => {
  listener.close();
  await sandbox.close();
  await database.drop();
});

const providerAt = (at: number) =>
  createCardProvider({
    kind: 'sandbox',
    port: at,
    pagesUrl: `http://127.0.0.1:${at}/test-money`,
    secretKey: testSecretKey,
    webhookSecrets: ['whsec_of_another_endpoint', testWebhookSecret],
    clock,
  });

const key = () => crypto.randomUUID();
const returnUrl = 'https://app.example/back?from=card';

function value<T>(outcome: Outcome<T>): T {
  if (outcome.outcome !== 'done') throw new Error(JSON.stringify(outcome));
  return outcome.value;
}

async function customerWithCard(card = 'pm_card_visa') {
  const { id: customerId } = await stripe.customers.create({ name: 'Leo' });
  const { id: cardId } = await stripe.paymentMethods.attach(card, { customer: customerId });
  return { customerId, cardId };
}

async function driver(outcome: 'verified' | 'restricted' | 'rejected' = 'verified'): Promise<string> {
  const { id } = value(await provider.createAccount({ email: 'd@example.com', metadata: {} }, key()));
  expect(await onboard(provider, id, outcome)).toBe('https://app.example/back');
  return id;
}

async function hold(accountId: string, card?: string, amountCents = 20_00) {
  const who = await customerWithCard(card);
  return provider.authorize(
    {
      ...who,
      amountCents,
      accountId,
      isPresent: true,
      returnUrl,
      description: 'SW-7KQ2M9',
      metadata: {},
    },
    key(),
  );
}

/** Does what is due until nothing is. */
async function catchUp() {
  for (let round = 0; round < 5; round += 1) await sandbox.work();
}

describe('the hosted card page', () => {
  const start = async (): Promise<CardSetup> => {
    const { id } = await stripe.customers.create();
    return value(await provider.startCard({ customerId: id, returnUrl }, key()));
  };
  const good = { number: '4242 4242 4242 4242', expiry: '12/34', cvc: '123' };

  test('saves a card and leads back, once', async () => {
    const setup = await start();
    const page = await (await fetch(setup.pageUrl!)).text();
    expect(page).toContain('TEST MONEY');
    const { to } = await press(setup.pageUrl!, good);
    const back = new URL(to!);
    expect(`${back.origin}${back.pathname}`).toBe('https://app.example/back');
    expect(Object.fromEntries(back.searchParams)).toEqual({
      from: 'card',
      setup_intent: setup.id,
      setup_intent_client_secret: setup.clientSecret,
      redirect_status: 'succeeded',
    });
    const cards = value(await provider.cards(setup.customerId!));
    expect(cards).toMatchObject([{ last4: '4242', expiryMonth: 12, expiryYear: 2034 }]);
    expect(await press(setup.pageUrl!, good)).toMatchObject({ status: 410, to: null });
    expect(value(await provider.cards(setup.customerId!))).toHaveLength(1);
  });

  test.each([
    [{ number: '4242424242424241' }, 'Your card number is incorrect.', '卡号不正确'],
    [{ number: '4000 0000 0000 0002' }, 'Your card was declined.', '银行卡被拒绝'],
    [{ number: '4000000000009995' }, 'insufficient funds', '余额不足'],
    [{ number: '5105105105105100' }, 'Only test card numbers work here', '测试卡'],
    [{ expiry: '12/20' }, 'expiration year is invalid', '年份不正确'],
    [{ expiry: '13/34' }, 'expiration month is invalid', '月份不正确'],
    [{ expiry: 'soon' }, 'month and year like 12/34', '12/34'],
    [{ cvc: 'abc' }, 'security code is invalid', '安全码不正确'],
  ])('%j is refused in words, and another try works', async (wrong, english, chinese) => {
    const setup = await start();
    const refused = await press(setup.pageUrl!, { ...good, ...wrong });
    expect(refused).toMatchObject({ status: 402, to: null });
    expect(refused.page).toContain(english.replaceAll("'", '&#39;'));
    expect((await press(`${setup.pageUrl!}?lang=zh`, { ...good, ...wrong })).page).toContain(chinese);
    expect(value(await provider.cards(setup.customerId!))).toEqual([]);
    expect((await press(setup.pageUrl!, good)).to).toContain('redirect_status=succeeded');
  });

  test('asks the holder on a second page; a refusal saves nothing', async () => {
    for (const [answer, status, count] of [
      ['yes', 'succeeded', 1],
      ['no', 'failed', 0],
    ] as const) {
      const setup = await start();
      const { to } = await press(setup.pageUrl!, { ...good, number: '4000002760003184' });
      expect(to).toContain('/test-money/confirm/');
      expect((await press(to!, { answer })).to).toContain(`redirect_status=${status}`);
      expect(value(await provider.cards(setup.customerId!))).toHaveLength(count);
      expect((await press(to!, { answer: 'yes' })).status).toBe(410);
    }
  });

  test('shows what was typed as text, speaks Chinese when asked, and nothing without the secret', async () => {
    const setup = await start();
    const typed = await press(setup.pageUrl!, { ...good, number: '"><script>alert(1)</script>' });
    expect(typed.page).not.toContain('<script>alert');
    const chinese = await fetch(setup.pageUrl!, { headers: { 'accept-language': 'zh-CN,zh;q=0.9' } });
    const page = await chinese.text();
    expect(page).toContain('<html lang="zh-CN">');
    expect(page).toContain('测试资金');
    expect(chinese.headers.get('content-security-policy')).toContain("default-src 'none'");
    const wrong = await fetch(setup.pageUrl!.replace(/.$/, '_'));
    expect(wrong.status).toBe(410);
    expect((await fetch(`http://127.0.0.1:${port}/test-money/card/${setup.id}`)).status).toBe(410);
  });
});

describe('a hold whose bank asks', () => {
  test.each([
    ['pm_card_authenticationRequired', 'yes', 'succeeded', 'requires_capture'],
    ['pm_card_authenticationRequired', 'no', 'failed', 'requires_payment_method'],
    [
      'pm_card_authenticationRequiredChargeDeclinedInsufficientFunds',
      'yes',
      'failed',
      'requires_payment_method',
    ],
  ])('%s: %s, %s', async (card, answer, status, state) => {
    const asked = await hold(await driver(), card);
    if (asked.outcome !== 'needsAction') throw new Error(asked.outcome);
    const page = await (await fetch(asked.actionUrl!)).text();
    expect(page).toContain('$20.00');
    const { to } = await press(asked.actionUrl!, { answer });
    expect(to).toContain(`payment_intent=${asked.value.id}`);
    expect(to).toContain(`redirect_status=${status}`);
    const outcome = value(await provider.payment(asked.value.id));
    expect(outcome.state).toBe(state);
    expect(outcome.authorizedCents).toBe(state === 'requires_capture' ? 20_00 : 0);
  });

  test('a card that was set up is not asked again while its holder is away', async () => {
    const { id: customerId } = await stripe.customers.create();
    const setup = value(await provider.startCard({ customerId, returnUrl }, key()));
    const { to } = await press(setup.pageUrl!, { number: '4000002500003155', expiry: '12/34', cvc: '123' });
    await press(to!, { answer: 'yes' });
    const [card] = value(await provider.cards(customerId));
    const held = await provider.authorize(
      {
        customerId,
        cardId: card!.id,
        amountCents: 20_00,
        accountId: await driver(),
        isPresent: false,
        returnUrl,
        description: '',
        metadata: {},
      },
      key(),
    );
    expect(value(held).state).toBe('requires_capture');
  });
});

describe('onboarding', () => {
  test.each([
    ['verified', []],
    ['restricted', ['individual.verification.document']],
    ['rejected', []],
  ] as const)('%s', async (outcome, missing) => {
    const id = await driver(outcome);
    expect(value(await provider.account(id))).toMatchObject({ state: outcome, missing });
    const { data } = await stripe.events.list({ limit: 1 }, { stripeAccount: id });
    expect(data[0]).toMatchObject({ type: 'account.updated', account: id, data: { object: { id } } });
    expect((await hold(id)).outcome).toBe(outcome === 'verified' ? 'done' : 'refused');
  });

  test('a link is good once, and for minutes', async () => {
    const { id: accountId } = value(
      await provider.createAccount({ email: 'd@example.com', metadata: {} }, key()),
    );
    const urls = { returnUrl: 'https://app.example/back', refreshUrl: 'https://app.example/again' };
    const link = async () => value(await provider.onboardingUrl({ accountId, ...urls }, key()));
    const used = await link();
    await press(used, { outcome: 'restricted' });
    expect((await press(used, { outcome: 'verified' })).to).toBe(urls.refreshUrl);
    const old = await link();
    clock.advance(6 * 60 * secondMs);
    expect((await press(old, { outcome: 'verified' })).to).toBe(urls.refreshUrl);
    expect(value(await provider.account(accountId)).state).toBe('restricted');
  });
});

describe('the clock', () => {
  test('a hold ends after seven days, whether the clock or a capture finds it first', async () => {
    const accountId = await driver();
    const [found, asked] = [value(await hold(accountId)), value(await hold(accountId))];
    expect(found.captureBefore!.getTime() - clock.now().getTime()).toBeGreaterThan(7 * dayMs - 5 * secondMs);
    clock.advance(7 * dayMs - hourMs);
    await catchUp();
    expect(value(await provider.payment(found.id)).state).toBe('requires_capture');
    clock.advance(hourMs);
    expect(
      await provider.capture({ paymentId: asked.id, amountCents: 20_00, feeCents: 0 }, key()),
    ).toMatchObject({ outcome: 'refused', code: 'payment_intent_unexpected_state' });
    await catchUp();
    for (const { id } of [found, asked])
      expect(value(await provider.payment(id))).toMatchObject({
        state: 'canceled',
        authorizedCents: 0,
        capturedCents: 0,
      });
    const events = await stripe.events.list({ type: 'charge.expired', limit: 100 });
    const expired = events.data.map(({ data }) => (data.object as Stripe.Charge).payment_intent);
    expect(expired.filter((id) => id === found.id || id === asked.id)).toHaveLength(2);
  });

  test('a debit arrives after four days', async () => {
    const started = await stripe.paymentIntents.create({
      amount: 12_00,
      currency: 'usd',
      allowed_payment_method_types: ['us_bank_account'],
      payment_method: 'pm_usBankAccount_success',
      confirm: true,
    });
    expect(started.status).toBe('processing');
    clock.advance(4 * dayMs);
    await catchUp();
    expect((await stripe.paymentIntents.retrieve(started.id)).status).toBe('succeeded');
  });

  test('earnings wait two days, are paid out whole and once, and arrive two days later', async () => {
    const accountId = await driver();
    const held = value(await hold(accountId));
    value(await provider.capture({ paymentId: held.id, amountCents: 20_00, feeCents: 2_00 }, key()));
    expect(value(await provider.earnings(accountId))).toEqual({ availableCents: 0, pendingCents: 18_00 });
    await catchUp();
    expect(value(await provider.payouts(accountId))).toEqual([]);
    clock.advance(2 * dayMs);
    await Promise.all([sandbox.work(), sandbox.work(), sandbox.work()]);
    expect(value(await provider.payouts(accountId))).toMatchObject([
      { amountCents: 18_00, state: 'in_transit' },
    ]);
    expect(value(await provider.earnings(accountId))).toEqual({ availableCents: 0, pendingCents: 0 });
    clock.advance(2 * dayMs);
    await catchUp();
    expect(value(await provider.payouts(accountId))).toMatchObject([{ amountCents: 18_00, state: 'paid' }]);
  });

  test('nobody takes out more than there is, at the same time either', async () => {
    const accountId = await driver();
    const held = value(await hold(accountId));
    value(await provider.capture({ paymentId: held.id, amountCents: 20_00, feeCents: 2_00 }, key()));
    clock.advance(2 * dayMs);
    const tries = await Promise.allSettled(
      [0, 1, 2].map(() =>
        stripe.payouts.create({ amount: 10_00, currency: 'usd' }, { stripeAccount: accountId }),
      ),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(value(await provider.earnings(accountId)).availableCents).toBe(8_00);
  });
});

test('only its own key opens it, and it tells nobody why', async () => {
  const stranger = new Stripe('sk_test_other', { apiVersion, host: '127.0.0.1', port, protocol: 'http' });
  const wrong = createCardProvider({
    kind: 'sandbox',
    port,
    pagesUrl: '',
    secretKey: 'sk_test_other',
    webhookSecrets: [],
    clock,
  });
  expect(await wrong.account('acct_1')).toMatchObject({ outcome: 'unavailable' });
  await expect(stranger.customers.list()).rejects.toMatchObject({ type: 'StripeAuthenticationError' });
  await expect(stripe.customers.create({ name: 'a\0b' })).rejects.toMatchObject({ statusCode: 400 });
  expect((await fetch(`http://127.0.0.1:${port}/test-money/onboarding/%00`)).status).toBe(410);
  await expect(stripe.customers.retrieve('cus_\0')).rejects.toMatchObject({ statusCode: 404 });
  const answer = await fetch(`http://127.0.0.1:${port}/v1/nothing`);
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ error: { type: 'invalid_request_error' } });
});

test('a provider that is not there is unavailable, and nothing else', async () => {
  const closed = http.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => closed.once('listening', resolve));
  const free = (closed.address() as AddressInfo).port;
  await new Promise((resolve) => closed.close(resolve));
  expect(await providerAt(free).account('acct_1')).toMatchObject({ outcome: 'unavailable' });
  const broken = http.createServer((_request, response) => response.writeHead(500).end('{"error":{}}'));
  await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve));
  expect(await providerAt((broken.address() as AddressInfo).port).account('acct_1')).toMatchObject({
    outcome: 'unavailable',
  });
  broken.closeAllConnections();
  broken.close();
});

test('a payment that waits for its card does not keep others from the customer', async () => {
  const { customerId, cardId } = await customerWithCard();
  const other = await database.pool.connect();
  try {
    // As a request that makes the card the customer's default: the card first, then the customer.
    await other.query('begin');
    await other.query('select from sandbox_objects where id = $1 for update', [cardId]);
    const intents = [
      stripe.paymentIntents.create({
        amount: 20_00,
        currency: 'usd',
        customer: customerId,
        payment_method: cardId,
      }),
      stripe.setupIntents.create({ customer: customerId, payment_method: cardId }),
    ];
    await vi.waitFor(async () => {
      const { rows } = await database.pool.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      );
      expect(rows).toHaveLength(intents.length);
    });
    await other.query('select from sandbox_objects where id = $1 for update nowait', [customerId]);
    await other.query('commit');
    for (const intent of await Promise.all(intents)) expect(intent.payment_method).toBe(cardId);
  } finally {
    other.release(true);
  }
});

test('a second request with a key under way is told to wait', async () => {
  const client = await database.own.connect();
  const once = key();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`sandbox  ${once}`]);
    await expect(
      stripe.customers.create({}, { idempotencyKey: once, maxNetworkRetries: 0 }),
    ).rejects.toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' });
    await client.query('rollback');
  } finally {
    client.release();
  }
  expect((await stripe.customers.create({}, { idempotencyKey: once })).object).toBe('customer');
});

interface WebhookListener {
  url: string;
  received: { body: string; signature: string }[];
  /** The status codes of the next answers; 200 after them. */
  answers: number[];
  close(): void;
}

/** An endpoint that keeps what is posted to it. */
async function openWebhookListener(): Promise<WebhookListener> {
  const received: WebhookListener['received'] = [];
  const answers: number[] = [];
  const listener = http.createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      received.push({ body, signature: String(request.headers['stripe-signature']) });
      response.writeHead(answers.shift() ?? 200).end();
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}/payment/webhook`,
    received,
    answers,
    close() {
      listener.closeAllConnections();
      listener.close();
    },
  };
}

describe('the webhook', () => {
  afterEach(() => {
    sandbox.sendEventsTo(null);
    listener.received.length = 0;
    listener.answers.length = 0;
  });
  const listen = () => sandbox.sendEventsTo({ url: listener.url, secret: testWebhookSecret });

  test('is signed so that the SDK believes it, and nobody else is believed', async () => {
    listen();
    const { id } = await stripe.customers.create({ metadata: { person: 'p1' } });
    await sandbox.deliver();
    const { body, signature } = listener.received[0]!;
    expect(provider.readWebhook(body, signature)).toMatchObject({
      type: 'customer.created',
      about: { kind: 'customer', id, metadata: { person: 'p1' } },
      accountId: null,
    });
    expect(provider.readWebhook(Buffer.from(body), signature)).not.toBeNull();
    expect(provider.readWebhook(body.replace(id, 'cus_other'), signature)).toBeNull();
    expect(
      provider.readWebhook(
        body,
        signature.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      ),
    ).toBeNull();
    expect(provider.readWebhook(body, '')).toBeNull();
    expect(provider.readWebhook(body, 'nonsense')).toBeNull();
    // Recorded and replayed later by an attacker who has read it.
    clock.advance(6 * 60 * secondMs);
    expect(provider.readWebhook(body, signature)).toBeNull();
  });

  test('a no is asked again, later and later, with the same event', async () => {
    listen();
    const { received, answers } = listener;
    answers.push(500, 302, 404);
    await stripe.customers.create();
    await sandbox.deliver();
    await sandbox.deliver();
    expect(received).toHaveLength(1);
    for (const pauseMs of [5 * secondMs, 30 * secondMs, 5 * 60 * secondMs]) {
      clock.advance(pauseMs - secondMs);
      const before = received.length;
      await sandbox.deliver();
      expect(received).toHaveLength(before);
      clock.advance(secondMs);
      await sandbox.deliver();
      expect(received).toHaveLength(before + 1);
    }
    clock.advance(dayMs);
    await sandbox.deliver();
    expect(received).toHaveLength(4);
    const ids = received.map(({ body, signature }) => provider.readWebhook(body, signature)?.id ?? null);
    expect(new Set(ids.slice(3)).size).toBe(1);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
  });

  test('what nobody hears for days is given up, and still listed', async () => {
    sandbox.sendEventsTo({ url: 'http://127.0.0.1:1/', secret: testWebhookSecret });
    const { id } = await stripe.customers.create();
    for (let day = 0; day < 9; day += 1) {
      await sandbox.deliver();
      clock.advance(dayMs);
    }
    listen();
    await sandbox.deliver();
    expect(listener.received).toEqual([]);
    const { items: events } = value(await provider.events(null));
    expect(events[0]).toMatchObject({ type: 'customer.created', about: { id } });
  });
});

describe('what a request writes', () => {
  const asked = (who: { customerId: string; cardId: string }, accountId: string) => ({
    amount: 20_00,
    currency: 'usd',
    customer: who.customerId,
    payment_method: who.cardId,
    capture_method: 'manual' as const,
    confirm: true,
    off_session: true,
    transfer_data: { destination: accountId },
  });

  test('each of its events shows the payment as it was then, in their order', async () => {
    const accountId = await driver();
    const intent = await stripe.paymentIntents.create(asked(await customerWithCard(), accountId));
    const { data } = await stripe.events.list({ limit: 100 });
    const told = data.flatMap(({ type, data: { object } }) =>
      'status' in object && 'id' in object && [intent.id, intent.latest_charge].includes(object.id)
        ? [[type, object.status]]
        : [],
    );
    expect(told.toReversed()).toEqual([
      ['payment_intent.created', 'requires_payment_method'],
      ['charge.succeeded', 'succeeded'],
      ['payment_intent.amount_capturable_updated', 'requires_capture'],
    ]);
  });

  test('one that fails at its last step leaves nothing, and may be asked again with its key', async () => {
    const accountId = await driver();
    const who = await customerWithCard();
    const idempotencyKey = key();
    const { data: before } = await stripe.events.list({ limit: 1 });
    const wrong = stripe.paymentIntents.create(
      { ...asked(who, accountId), expand: ['no_such_thing'] },
      { idempotencyKey },
    );
    await expect(wrong).rejects.toMatchObject({ param: 'expand[0]' });
    expect((await stripe.paymentIntents.list({ customer: who.customerId })).data).toEqual([]);
    expect((await stripe.charges.list({ customer: who.customerId })).data).toEqual([]);
    expect((await stripe.events.list({ limit: 1 })).data).toEqual(before);
    const made = await stripe.paymentIntents.create(asked(who, accountId), { idempotencyKey });
    expect(made.status).toBe('requires_capture');
  });

  test('payments to one driver at the same time are each made once', async () => {
    const accountId = await driver();
    const held = await Promise.all(Array.from({ length: 12 }, () => hold(accountId)));
    const taken = await Promise.all(
      held.map((each) =>
        provider.capture({ paymentId: value(each).id, amountCents: 10_00, feeCents: 1_00 }, key()),
      ),
    );
    expect(taken.map((each) => value(each).capturedCents)).toEqual(held.map(() => 10_00));
    const account = { stripeAccount: accountId };
    const { data } = await stripe.balanceTransactions.list({ limit: 100 }, account);
    expect(data.map(({ net }) => net)).toEqual(held.map(() => 9_00));
  });
});

test('what was written on the way is undone too; what is done before and after it stays', async () => {
  const object = (id: string) => ({
    id,
    kind: 'customer',
    account: '',
    body: { id },
    hidden: {},
    dueAt: null,
  });
  const find = (objects: KeptObjects, id: string) => objects.find({ id, kind: null, account: '' });
  const [before, undone, after] = [`cus_${key()}`, `cus_${key()}`, `cus_${key()}`];
  await databaseOf(database.pool).transaction((tx) =>
    withObjects(tx, async (objects) => {
      objects.save(object(before));
      const failing = objects.undoable(async () => {
        objects.save(object(undone));
        objects.save({ ...object(before), body: { id: before, name: 'changed' } });
        await objects.written();
        expect(await find(objects, undone)).not.toBe(null);
        throw new Error('too late');
      });
      await expect(failing).rejects.toThrow('too late');
      objects.save(object(after));
    }),
  );
  await databaseOf(database.pool).transaction((tx) =>
    withObjects(tx, async (objects) => {
      expect(await find(objects, before)).toMatchObject({ body: { id: before } });
      expect((await find(objects, before))!.body).not.toHaveProperty('name');
      expect(await find(objects, undone)).toBe(null);
      expect(await find(objects, after)).not.toBe(null);
    }),
  );
});

test('what moves between accounts adds up to nothing', async () => {
  const accountId = await driver();
  const held = value(await hold(accountId));
  value(await provider.capture({ paymentId: held.id, amountCents: 15_00, feeCents: 1_01 }, key()));
  for (const amountCents of [3_33, 3_33, 4_01, 4_33])
    value(await provider.refund({ paymentId: held.id, amountCents, isShared: true, metadata: {} }, key()));
  const { rows } = await database.pool.query<{ count: string; net: string }>(
    `select count(*), sum((body ->> 'net')::bigint) as net from sandbox_objects
     where kind = 'balance_transaction' and body ->> 'type' not in ('charge', 'refund', 'payout')`,
  );
  expect(Number(rows[0]!.count)).toBeGreaterThan(15);
  expect(Number(rows[0]!.net)).toBe(0);
  const { availableCents, pendingCents } = value(await provider.earnings(accountId));
  expect(availableCents + pendingCents).toBe(0);
});

async function freePort(): Promise<number> {
  const probe = http.createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port: free } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return free;
}

/** Creates one customer after the other, each until it is acknowledged, until the run is over. */
async function keepCreating(
  at: number,
  name: number,
  { acknowledged, run }: { acknowledged: Map<string, string>; run: { isOver: boolean } },
): Promise<void> {
  const client = new Stripe(testSecretKey, {
    apiVersion,
    host: '127.0.0.1',
    port: at,
    protocol: 'http',
    maxNetworkRetries: 0,
  });
  for (let count = 0; !run.isOver; count += 1) {
    const once = `${name}-${count}`;
    while (!acknowledged.has(once))
      await client.customers
        .create({ name: 'killed', metadata: { once } }, { idempotencyKey: `kill-${once}` })
        .then(({ id }) => acknowledged.set(once, id))
        .catch(() => new Promise((resolve) => setTimeout(resolve, 50)));
  }
}

describe('killed (-9)', () => {
  const sandboxProcess = new SandboxProcess(() => database.pool, testSecretKey);
  afterAll(() => sandboxProcess.kill());

  test('between the deed and its answer: asked again, it is answered and not done twice', async () => {
    clock.moveTo(null);
    const accountId = await driver();
    const who = await customerWithCard();
    const at = await freePort();
    const there = providerAt(at);
    const input = {
      ...who,
      amountCents: 20_00,
      accountId,
      isPresent: true,
      returnUrl,
      description: '',
      metadata: {},
    };
    let paymentId = '';
    const steps: ((once: string) => Promise<Outcome<unknown>>)[] = [
      (once) => there.authorize(input, once),
      (once) => there.capture({ paymentId, amountCents: 20_00, feeCents: 2_00 }, once),
      (once) => there.refund({ paymentId, amountCents: 5_00, isShared: true, metadata: {} }, once),
    ];
    for (const step of steps) {
      await sandboxProcess.start(at, 1);
      const once = key();
      expect(await step(once)).toMatchObject({ outcome: 'unavailable' });
      expect(await sandboxProcess.ended()).toBe('SIGKILL');
      await sandboxProcess.start(at);
      const outcome = await step(once);
      expect(outcome.outcome).toBe('done');
      if (paymentId === '') paymentId = (value(outcome) as { id: string }).id;
      await sandboxProcess.kill();
    }
    const intents = await stripe.paymentIntents.list({ customer: who.customerId });
    expect(intents.data.map(({ amount_received: received }) => received)).toEqual([20_00]);
    expect((await stripe.refunds.list({ payment_intent: paymentId })).data).toHaveLength(1);
    const earned = value(await provider.earnings(accountId));
    // 18.00 earned, a quarter of it given back.
    expect(earned.availableCents + earned.pendingCents).toBe(13_50);
  });

  test('at random points of a busy run: nothing acknowledged is lost, nothing is done twice', async () => {
    const at = await freePort();
    const acknowledged = new Map<string, string>();
    const run = { isOver: false };
    await sandboxProcess.start(at);
    const workers = [0, 1, 2, 3].map((name) => keepCreating(at, name, { acknowledged, run }));
    const kills = sized(3, 20);
    for (let kill = 0; kill < kills; kill += 1) {
      const before = acknowledged.size;
      await expect.poll(() => acknowledged.size, { timeout: 60_000 }).toBeGreaterThan(before + 6);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 50));
      await sandboxProcess.kill();
      await sandboxProcess.start(at);
    }
    run.isOver = true;
    await Promise.all(workers);
    const found = await database.pool.query<{ id: string; once: string }>(
      `select id, body -> 'metadata' ->> 'once' as once from sandbox_objects where kind = 'customer' and body ->> 'name' = 'killed'`,
    );
    expect(acknowledged.size).toBeGreaterThan(6 * kills);
    expect(found.rows).toHaveLength(acknowledged.size);
    expect(new Map(found.rows.map(({ id, once }) => [once, id]))).toEqual(acknowledged);
    // Processes start one after another: on a busy machine that takes minutes.
  }, 600_000);
});
