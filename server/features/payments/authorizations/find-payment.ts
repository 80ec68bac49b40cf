import type { PaymentState } from '#contract/payments/views.ts';
import type { App } from '../../../app-type.ts';
import { hourMs, later } from '../../../platform/clock.ts';
import { payerOf } from '../cards/store.ts';
import type { Payment } from '../provider/payment-calls.ts';
import { requestLandsWithinMs } from '../rules/next-step.ts';
import { readPayment } from './record-payment.ts';
import { emitChanges } from './signals.ts';
import * as store from './store.ts';
import type { AuthorizationRow } from './store.ts';

/**
 * Finds what a request has made whose answer was lost, by the authorization's id that it carried: one payment
 * is adopted, others are canceled. Where there is none, it is requested with another key; what is not wanted
 * any more is over, once nothing can be on its way. Null while the provider does not answer, or something may
 * still be on its way.
 */
export async function findPayment(
  app: App,
  authorization: AuthorizationRow,
): Promise<AuthorizationRow | null> {
  const found = await paymentsMadeFor(app, authorization);
  if (found === null) return null;
  const [own, ...orphans] = found.toSorted((a, b) => worth(b) - worth(a));
  for (const orphan of orphans)
    if (orphan.state !== 'canceled' && orphan.state !== 'succeeded')
      await app.payments.provider.cancel(orphan.id, `${orphan.id}:orphan`);
  if (own !== undefined) return readPayment(app, { ...authorization, paymentId: own.id });
  const now = app.clock.now();
  const { askedAt, goal } = authorization;
  const isLost = askedAt === null || now.getTime() - askedAt.getTime() > requestLandsWithinMs;
  if (goal === 'cancel' && !isLost) return null;
  return recordNothingFound(app, authorization, now);
}

async function paymentsMadeFor(
  app: App,
  { id, passengerId, createdAt }: AuthorizationRow,
): Promise<Payment[] | null> {
  const customerId = await payerOf(app.db, passengerId, app.payments.provider.kind);
  if (customerId === null) return [];
  const since = later(createdAt, -hourMs);
  const ended = await app.payments.provider.paymentsOf({ customerId, since, authorizationId: id });
  return ended.outcome === 'done' ? ended.value : null;
}

/**
 * Writes that no request has made a payment: the next one has a new key, or what is not wanted any more is
 * canceled.
 */
function recordNothingFound(
  app: App,
  { id, factsVersion, version }: AuthorizationRow,
  now: Date,
): Promise<AuthorizationRow> {
  return app.transact('record nothing found', async (tx) => {
    const before = (await store.lockAuthorization(tx, id))!;
    if (before.factsVersion !== factsVersion || before.version !== version) return before;
    const set =
      before.goal === 'cancel'
        ? ({ state: 'canceled', trouble: null } as const)
        : { askedAt: now, keysUsed: before.keysUsed + 1 };
    const after = await store.updateFacts(tx, id, set, now);
    await emitChanges(app, tx, before, after);
    return after;
  });
}

const worthOf: Readonly<Partial<Record<PaymentState, number>>> = {
  succeeded: 4,
  requires_capture: 3,
  processing: 2,
  requires_action: 1,
  canceled: -1,
};
/** Ranks several payments of one authorization: one that has the money goes before one that might. */
const worth = ({ state }: Payment): number => worthOf[state] ?? 0;
