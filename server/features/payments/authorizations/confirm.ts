import type { Payment } from '../provider/payment-calls.ts';
import type { Outcome } from '../provider/outcomes.ts';
import type { AuthorizationContext } from './context.ts';
import { keyFor } from './idempotency-key.ts';
import { returnUrlOf } from './place-authorization.ts';
import type { AuthorizationRow } from './store.ts';

/** Tries an authorization again with its passenger present; each of their tries has a key of its own. */
export const confirmPayment = (
  context: AuthorizationContext,
  authorization: AuthorizationRow,
): Promise<Outcome<Payment>> =>
  context.provider.confirm(
    {
      paymentId: authorization.paymentId!,
      cardId: authorization.cardId!,
      returnUrl: returnUrlOf(context, authorization),
    },
    keyFor(authorization, `confirm:${authorization.tries}`),
  );
