import { Stripe } from 'stripe';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { MovableClock } from '../platform/clock.ts';
import { databaseOf } from '../platform/database/db.ts';
import { createCardProvider, type CardProvider } from '../features/payments/provider/card-provider.ts';
import { decodeForm } from '../../stripe-sandbox/form.ts';
import { apiVersion } from '../../stripe-sandbox/protocol.ts';
import { createSandbox, type Sandbox } from '../../stripe-sandbox/server.ts';
import type { Exchange } from './stripe-description.ts';

/** Where the flows of card payments are tried: the sandbox, or Stripe itself. */
export interface CardTarget {
  kind: 'sandbox' | 'stripe';
  provider: CardProvider;
  /** The SDK itself, for what the app never asks and the tests want to see. */
  stripe: Stripe;
  clock: MovableClock;
  /** Everything that was asked and answered so far. */
  exchanges: Exchange[];
  /** Null with Stripe itself. */
  sandbox: Sandbox | null;
  /** A driver's account that can be paid. */
  payableAccount(): Promise<string>;
  close(): Promise<void>;
}

export const testSecretKey = 'sk_test_sandbox';
export const testWebhookSecret = 'whsec_test';

/** A client of the SDK that notes every request with its answer. */
export function watchedClient(exchanges: Exchange[]): Stripe.HttpClient {
  const inner = Stripe.createNodeHttpClient();
  const watched = Object.create(inner) as Stripe.HttpClient;
  watched.makeRequest = async (...request) => {
    const [, , path, method, , body] = request;
    const response = await inner.makeRequest(...request);
    const read = response.toJSON.bind(response);
    response.toJSON = async () => {
      const answer: unknown = await read();
      const [plain = '', query = ''] = path.split('?');
      const text = method === 'GET' ? query : body;
      exchanges.push({
        method,
        path: plain,
        input: decodeForm(text),
        status: response.getStatusCode(),
        answer: structuredClone(answer),
      });
      return answer;
    };
    return response;
  };
  return watched;
}

/** The sandbox on a database of a test, or Stripe itself when `STRIPE_SECRET_KEY` is set. */
export async function openCardTarget(pool: Pool): Promise<CardTarget> {
  const clock = new MovableClock();
  const exchanges: Exchange[] = [];
  const httpClient = watchedClient(exchanges);
  const common = { webhookSecrets: [testWebhookSecret], clock, httpClient };
  const realKey = process.env['STRIPE_SECRET_KEY'];
  if (realKey !== undefined && realKey !== '') {
    if (!realKey.startsWith('sk_test_')) throw new Error('Tests take a test key of Stripe alone: sk_test_…');
    return {
      kind: 'stripe',
      provider: createCardProvider({ kind: 'stripe', secretKey: realKey, ...common }),
      stripe: new Stripe(realKey, { apiVersion, httpClient }),
      clock,
      exchanges,
      sandbox: null,
      async payableAccount() {
        const account = process.env['STRIPE_TEST_ACCOUNT'];
        if (account === undefined)
          throw new Error(
            'With STRIPE_SECRET_KEY set, STRIPE_TEST_ACCOUNT names an Express account that is verified.',
          );
        return account;
      },
      close: async () => undefined,
    };
  }
  const sandbox = createSandbox({
    db: databaseOf(pool),
    clock,
    log: pino({ level: 'error' }),
    secretKey: testSecretKey,
  });
  const port = await sandbox.listen();
  const provider = createCardProvider({
    kind: 'sandbox',
    secretKey: testSecretKey,
    port,
    pagesUrl: `http://127.0.0.1:${port}/test-money`,
    ...common,
  });
  return {
    kind: 'sandbox',
    provider,
    stripe: new Stripe(testSecretKey, { apiVersion, host: '127.0.0.1', port, protocol: 'http', httpClient }),
    clock,
    exchanges,
    sandbox,
    payableAccount: async () => {
      const account = await provider.createAccount(
        { email: 'driver@example.com', metadata: {} },
        crypto.randomUUID(),
      );
      if (account.outcome !== 'done') throw new Error(account.outcome);
      await onboard(provider, account.value.id, 'verified');
      return account.value.id;
    },
    close: () => sandbox.close(),
  };
}

/**
 * Presses a button of a page as a browser would: follows no redirect.
 * @returns where it leads, or the page.
 */
export async function press(
  url: string,
  fields: Readonly<Record<string, string>>,
): Promise<{ status: number; to: string | null; page: string }> {
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  return { status: answer.status, to: answer.headers.get('location'), page: await answer.text() };
}

/** Goes through the hosted onboarding of the sandbox. @returns where its page leads. */
export async function onboard(
  provider: CardProvider,
  accountId: string,
  outcome: 'verified' | 'restricted' | 'rejected',
): Promise<string | null> {
  const link = await provider.onboardingUrl(
    { accountId, returnUrl: 'https://app.example/back', refreshUrl: 'https://app.example/again' },
    crypto.randomUUID(),
  );
  if (link.outcome !== 'done') throw new Error(link.outcome);
  return (await press(link.value, { outcome })).to;
}
