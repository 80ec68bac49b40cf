import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onboardLink, paymentConfig, setupIntent } from '#contract/payments/endpoints.ts';
import { dayMs } from '../../platform/clock.ts';
import { readEnv } from '../../platform/env.ts';
import { addVehicle, publishRide } from '../../testing/orders.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import type { Outcome } from './provider/outcomes.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ env: { PUBLIC_URL: 'https://sameway.example/' } });
});
afterAll(() => app.close());

function value<T>(outcome: Outcome<T>): T {
  if (outcome.outcome !== 'done') throw new Error(JSON.stringify(outcome));
  return outcome.value;
}
const key = () => crypto.randomUUID();
const origin = 'https://sameway.example';

/** A browser's answer for an address of the app. */
const open = (url: string, form?: Record<string, string>) =>
  app.http.inject({
    method: form === undefined ? 'GET' : 'POST',
    url: url.replace(origin, ''),
    ...(form === undefined
      ? {}
      : {
          payload: new URLSearchParams(form).toString(),
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        }),
  });

async function savedCard(): Promise<{ customerId: string; cardId: string }> {
  const { provider } = app.platform.payments;
  const customerId = value(
    await provider.createCustomer({ email: 'a@example.com', name: 'A', metadata: {} }, key()),
  );
  const setup = value(
    await provider.startCard({ customerId, returnUrl: `${origin}/pages/account/payments` }, key()),
  );
  expect(setup.pageUrl).toMatch(/^https:\/\/sameway\.example\/test-money\/card\/seti_/);
  const page = await open(setup.pageUrl!);
  expect(page.statusCode).toBe(200);
  expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  expect(page.headers['content-security-policy']).not.toContain('unsafe');
  const answer = await open(setup.pageUrl!, { number: '4242424242424242', expiry: '12/34', cvc: '123' });
  expect(answer.statusCode).toBe(303);
  expect(answer.headers.location).toMatch(
    /^https:\/\/sameway\.example\/pages\/account\/payments\?setup_intent=/,
  );
  const [card] = value(await provider.cards(customerId));
  return { customerId, cardId: card!.id };
}

test('without keys of Stripe the app has test money, its pages at its own address, its clock', async () => {
  const { provider, sandbox } = app.platform.payments;
  expect(provider.kind).toBe('sandbox');
  expect(sandbox).not.toBeNull();
  const who = await savedCard();
  const account = value(await provider.createAccount({ email: 'd@example.com', metadata: {} }, key()));
  const link = value(
    await provider.onboardingUrl(
      { accountId: account.id, returnUrl: `${origin}/pages/account/stripelanding`, refreshUrl: origin },
      key(),
    ),
  );
  expect((await open(link, { outcome: 'verified' })).headers.location).toBe(
    `${origin}/pages/account/stripelanding`,
  );
  const held = value(
    await provider.authorize(
      {
        ...who,
        amountCents: 12_00,
        accountId: account.id,
        isPresent: true,
        returnUrl: origin,
        description: 'SW-7KQ2M9',
        metadata: {},
      },
      key(),
    ),
  );
  app.clock.advance(8 * dayMs);
  await app.scheduler.tick();
  expect(value(await provider.payment(held.id)).state).toBe('canceled');
});

test('the app itself takes no forms but on those pages', async () => {
  const answer = await app.http.inject({
    method: 'POST',
    url: '/feedback/post',
    payload: 'subject=a&message=b',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(answer.statusCode).toBe(415);
  expect((await open(`${origin}/test-money/card/seti_nothing_secret_nothing`)).statusCode).toBe(410);
});

test('what happens is posted to the app, signed with a secret of this installation', async () => {
  const { provider, sendEventsTo, sandbox, catchUp } = app.platform.payments;
  const received: { body: string; signature: string }[] = [];
  const listener = http.createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      received.push({ body, signature: String(request.headers['stripe-signature']) });
      response.end();
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  sendEventsTo(`http://127.0.0.1:${(listener.address() as AddressInfo).port}/payment/webhook`);
  const id = value(await provider.createCustomer({ email: 'a@example.com', name: 'A', metadata: {} }, key()));
  await catchUp();
  await expect.poll(() => received.length).toBe(1);
  sandbox!.sendEventsTo(null);
  const { body, signature } = received[0]!;
  expect(provider.readWebhook(body, signature)).toMatchObject({ type: 'customer.created', about: { id } });
  const other = await openTestApp();
  expect(other.platform.payments.provider.readWebhook(body, signature)).toBeNull();
  await other.close();
  listener.closeAllConnections();
  listener.close();
});

test('with keys of Stripe there is no test money', async () => {
  const real = await openTestApp({
    env: {
      STRIPE_SECRET_KEY: 'sk_test_123',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_123',
      STRIPE_WEBHOOK_SECRET: 'whsec_123, whsec_456',
    },
  });
  expect(real.platform.env.STRIPE_WEBHOOK_SECRET).toEqual(['whsec_123', 'whsec_456']);
  expect(real.platform.payments.sandbox).toBeNull();
  expect(real.platform.payments.provider.kind).toBe('stripe');
  const page = await real.http.inject({ method: 'GET', url: '/test-money/card/seti_a_secret_b' });
  expect(page.body).not.toContain('TEST MONEY');
  await real.close();
  expect(() => readEnv({ STRIPE_SECRET_KEY: 'sk_test_123' })).toThrow('STRIPE_WEBHOOK_SECRET');
  expect(() => readEnv({ STRIPE_SECRET_KEY: 'pk_test_123', STRIPE_WEBHOOK_SECRET: 'whsec_1' })).toThrow(
    'STRIPE_SECRET_KEY',
  );
});

test('in production without keys of Stripe every ride is free: test cards pay for nothing real', async () => {
  const real = await openTestApp({ env: { NODE_ENV: 'production' } });
  const driver = await real.person('Driver');
  expect(await real.ok(null, paymentConfig, {})).toMatchObject({ takesCards: false });
  expect((await real.call(driver, setupIntent, {})).reason).toBe('payment.off');
  expect((await real.call(driver, onboardLink, {})).reason).toBe('payment.off');
  const vehicleId = await addVehicle(real, driver);
  await expect(publishRide(real, driver, { vehicleId, costCents: 2000 })).rejects.toThrow(
    /422 order\.cardsOff .*"order\.costCents"/,
  );
  const ride = await publishRide(real, driver, { vehicleId, costCents: 0 });
  expect(ride.costCents).toBe(0);
  await real.close();
  expect(readEnv({ NODE_ENV: 'production' }).takesCards).toBe(false);
  expect(readEnv({}).takesCards).toBe(true);
  const keys = {
    STRIPE_SECRET_KEY: 'sk_live_1',
    STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
  };
  expect(readEnv({ NODE_ENV: 'production', ...keys }).takesCards).toBe(true);
});

test('the card form takes an expiry from a number pad, and names its fields for browsers', async () => {
  const { provider } = app.platform.payments;
  const customerId = value(
    await provider.createCustomer({ email: 'n@example.com', name: 'N', metadata: {} }, key()),
  );
  const { pageUrl } = value(await provider.startCard({ customerId, returnUrl: `${origin}/back` }, key()));
  const page = await open(pageUrl!);
  for (const name of ['cc-number', 'cc-exp', 'cc-csc']) expect(page.body).toContain(`autocomplete="${name}"`);
  expect((await open(pageUrl!, { number: '4242424242424242', expiry: '12', cvc: '123' })).statusCode).toBe(
    402,
  );
  const saved = await open(pageUrl!, { number: '4242424242424242', expiry: '1234', cvc: '123' });
  expect(saved.statusCode).toBe(303);
  expect(value(await provider.cards(customerId))).toMatchObject([{ expiryMonth: 12, expiryYear: 2034 }]);
});
