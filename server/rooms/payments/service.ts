import type { Base } from '../../base/base.ts';
import { createCardProvider, type CardProvider } from './card-provider.ts';
import { createSandbox, type Sandbox } from './sandbox/server.ts';

export interface PaymentsService {
  provider: CardProvider;
  /** The embedded provider of test money; null when Stripe itself is configured. */
  sandbox: Sandbox | null;
  /** The secret that the sandbox signs its events with, or Stripe's own. */
  webhookSecret: string;
  /** What the sandbox has to do now and then; nothing with Stripe itself. */
  catchUp(): Promise<void>;
}

/** Where the app serves the sandbox's pages. */
export const testMoneyPath = '/test-money';

/**
 * Card payments: Stripe's with `STRIPE_SECRET_KEY`, else the sandbox's, which begins to listen here. Its keys follow from
 * the installation, so that nobody else on the machine can use it.
 */
export async function createPayments({ env, db, clock, log, seals }: Base): Promise<PaymentsService> {
  if (env.STRIPE_SECRET_KEY !== undefined) {
    const webhookSecret = env.STRIPE_WEBHOOK_SECRET ?? '';
    const provider = createCardProvider({
      kind: 'stripe',
      secretKey: env.STRIPE_SECRET_KEY,
      webhookSecret,
      clock,
    });
    return { provider, sandbox: null, webhookSecret, catchUp: async () => undefined };
  }
  const pagesUrl = `${env.publicUrl}${testMoneyPath}`;
  const secretKey = `sk_test_${await seals.derive('sandbox', 'secret key')}`;
  const webhookSecret = `whsec_${await seals.derive('sandbox', 'webhook')}`;
  const sandbox = createSandbox({ db, clock, log, secretKey, pagesUrl });
  const port = await sandbox.listen();
  const provider = createCardProvider({ kind: 'sandbox', port, pagesUrl, secretKey, webhookSecret, clock });
  return {
    provider,
    sandbox,
    webhookSecret,
    async catchUp() {
      await sandbox.work();
      sandbox.deliver().catch((error: unknown) => log.error({ err: error }, 'events cannot be delivered'));
    },
  };
}
