import type { Payment } from '../provider/payment-calls.ts';
import type { Outcome } from '../provider/outcomes.ts';
import type { AuthorizationContext } from './context.ts';
import { keyFor } from './idempotency-key.ts';
import { emitChanges } from './signals.ts';
import * as store from './store.ts';
import type { AuthorizationRow } from './store.ts';

/** Cancels an authorization at the provider: nothing of it is captured any more. */
export const cancelPayment = (
  { provider }: AuthorizationContext,
  authorization: AuthorizationRow,
): Promise<Outcome<Payment>> => provider.cancel(authorization.paymentId!, keyFor(authorization, 'release'));

/** Cancels an authorization that was never placed; one that is being placed meanwhile stays as it is. */
export const cancelUnplaced = (
  { platform }: AuthorizationContext,
  { id }: AuthorizationRow,
): Promise<AuthorizationRow> =>
  platform.transact(async (tx) => {
    const before = (await store.lockAuthorization(tx, id))!;
    if (before.isAsked) return before;
    const after = await store.updateFacts(tx, id, { state: 'canceled', trouble: null }, platform.clock.now());
    await emitChanges(platform, tx, before, after);
    return after;
  });
