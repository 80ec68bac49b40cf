import type { Stripe } from 'stripe';
import { createSandbox, type Sandbox } from '../../../../stripe-sandbox/server.ts';
import type { Platform } from '../../../platform/platform.ts';
import { createCardProvider, type CardProvider, type CardProviderOptions } from './card-provider.ts';

/** The configured provider, and the sandbox where that is one. */
export interface ChosenProvider {
  provider: CardProvider;
  /** The embedded provider of test money; null when Stripe itself is configured. */
  sandbox: Sandbox | null;
  /**
   * Has the sandbox post its events to this address from now on, signed so that `provider.readWebhook`
   * believes them. Stripe itself knows its addresses from its own settings.
   */
  sendEventsTo(url: string): void;
  /** The sandbox's periodic work; nothing with Stripe itself. */
  catchUp(): Promise<void>;
  /** Whether that is anything just now, as a condition; null with Stripe itself. */
  isDue: Sandbox['isDue'] | null;
}

/** Where the app serves the sandbox's pages. */
export const testMoneyPath = '/test-money';

/**
 * Card payments: Stripe's with `STRIPE_SECRET_KEY`, else the sandbox's, which begins to listen here. Its keys
 * follow from the installation, so that no other process on the machine can use it.
 */
export async function chooseProvider(
  { env, db, clock, log, signedTokens }: Platform,
  {
    httpClient,
    onFault,
  }: Pick<CardProviderOptions, 'onFault'> & { httpClient?: Stripe.HttpClient | undefined },
): Promise<ChosenProvider> {
  const common = { clock, ...(onFault && { onFault }), ...(httpClient && { httpClient }) };
  if (env.STRIPE_SECRET_KEY !== undefined) {
    const provider = createCardProvider({
      kind: 'stripe',
      secretKey: env.STRIPE_SECRET_KEY,
      webhookSecrets: env.STRIPE_WEBHOOK_SECRET,
      ...common,
    });
    return {
      provider,
      sandbox: null,
      sendEventsTo: () => undefined,
      catchUp: async () => undefined,
      isDue: null,
    };
  }
  const pagesUrl = `${env.publicUrl}${testMoneyPath}`;
  const secretKey = `sk_test_${await signedTokens.derive('sandbox', 'secret key')}`;
  const webhookSecrets = (await signedTokens.derivations('sandbox', 'webhook')).map(
    (each) => `whsec_${each}`,
  );
  const [secret = ''] = webhookSecrets;
  const sandbox = createSandbox({ db, clock, log, secretKey, pagesUrl });
  const port = await sandbox.listen();
  return {
    provider: createCardProvider({
      kind: 'sandbox',
      port,
      pagesUrl,
      secretKey,
      webhookSecrets,
      ...common,
    }),
    sandbox,
    sendEventsTo: (url) => sandbox.sendEventsTo({ url, secret }),
    isDue: sandbox.isDue,
    async catchUp() {
      await sandbox.work();
      sandbox.deliver().catch((error: unknown) => log.error({ err: error }, 'events cannot be delivered'));
    },
  };
}
