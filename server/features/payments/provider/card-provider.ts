import { Stripe } from 'stripe';
import { apiVersion } from '../../../../stripe-sandbox/protocol.ts';
import { secondMs, type Clock } from '../../../platform/clock.ts';
import { accountCalls } from './account-calls.ts';
import { authorizationCalls, paymentCalls, refundCalls } from './payment-calls.ts';
import { balanceCalls, eventCalls } from './event-calls.ts';
import { cardCalls, customerCalls } from './card-calls.ts';
import { chargebackCalls } from './chargeback-calls.ts';
import { attemptWith, type ProviderFault } from './outcomes.ts';
import { transferCalls } from './transfer-calls.ts';

export type CardProviderOptions = {
  secretKey: string;
  /** Stripe has one for its own events and one for those of connected accounts. */
  webhookSecrets: readonly string[];
  clock: Clock;
  /** Carries the requests instead of the SDK's own client: tests watch and disturb it. */
  httpClient?: Stripe.HttpClient;
  /** Called when a call fails for a fault that the operator has to repair. */
  onFault?: (fault: ProviderFault, message: string) => void;
} & (
  | { kind: 'stripe' }
  | {
      kind: 'sandbox';
      port: number;
      /** Where the browser finds the sandbox's pages, without a slash at the end. */
      pagesUrl: string;
    }
);

const answerWithinMs = 20 * secondMs;

/**
 * The one face of card payments, over Stripe's SDK: to Stripe with a key, else to the embedded sandbox, by
 * the same code. Everything that changes something takes a `key`; the same call with the same key does it
 * once. Amounts are whole US cents.
 */
export function createCardProvider(options: CardProviderOptions) {
  const stripe = new Stripe(options.secretKey, {
    apiVersion,
    // Over a line that tests disturb, the caller tries again: the SDK would wait in
    // real time.
    maxNetworkRetries: options.httpClient === undefined ? 2 : 0,
    timeout: answerWithinMs,
    telemetry: false,
    appInfo: { name: 'Sameway' },
    ...(options.httpClient === undefined ? {} : { httpClient: options.httpClient }),
    ...(options.kind === 'sandbox'
      ? { host: '127.0.0.1', port: options.port, protocol: 'http' as const }
      : {}),
  });
  const attempt = attemptWith(options.onFault ?? (() => undefined));
  return {
    kind: options.kind,
    ...customerCalls(stripe, attempt),
    ...cardCalls(stripe, attempt, options.kind === 'sandbox' ? options.pagesUrl : null),
    ...authorizationCalls(stripe, attempt),
    ...paymentCalls(stripe, attempt),
    ...refundCalls(stripe, attempt),
    ...chargebackCalls(stripe, attempt),
    ...transferCalls(stripe, attempt),
    ...accountCalls(stripe, attempt),
    ...eventCalls(stripe, attempt, options),
    ...balanceCalls(stripe, attempt),
  };
}

export type CardProvider = ReturnType<typeof createCardProvider>;
