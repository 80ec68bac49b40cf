import type { Payment } from '../provider/payment-calls.ts';
import type { Outcome } from '../provider/outcomes.ts';
import { keyFor } from './idempotency-key.ts';
import { emitChanges } from './signals.ts';
import * as store from './store.ts';
import type { AuthorizationRow } from './store.ts';
import type { App } from '../../../app-type.ts';

/** Cancels an authorization at the provider: nothing of it is captured any more. */
export const cancelPayment = (app: App, authorization: AuthorizationRow): Promise<Outcome<Payment>> =>
  app.payments.provider.cancel(authorization.paymentId!, keyFor(authorization, 'release'));

/** Cancels an authorization that was never placed; one that is being placed meanwhile stays as it is. */
export const cancelUnplaced = (app: App, { id }: AuthorizationRow): Promise<AuthorizationRow> =>
  app.transact(async (tx) => {
    const before = (await store.lockAuthorization(tx, id))!;
    if (before.isAsked) return before;
    const after = await store.updateFacts(tx, id, { state: 'canceled', trouble: null }, app.clock.now());
    await emitChanges(app, tx, before, after);
    return after;
  });
