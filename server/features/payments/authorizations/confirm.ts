import type { Payment } from '../provider/payment-calls.ts';
import type { Outcome } from '../provider/outcomes.ts';
import { keyFor } from './idempotency-key.ts';
import { returnUrlOf } from './place-authorization.ts';
import type { AuthorizationRow } from './store.ts';
import type { App } from '../../../app-type.ts';

/** Tries an authorization again with its passenger present; each of their tries has a key of its own. */
export const confirmPayment = (app: App, authorization: AuthorizationRow): Promise<Outcome<Payment>> =>
  app.payments.provider.confirm(
    {
      paymentId: authorization.paymentId!,
      cardId: authorization.cardId!,
      returnUrl: returnUrlOf(app, authorization),
    },
    keyFor(authorization, `confirm:${authorization.tries}`),
  );
