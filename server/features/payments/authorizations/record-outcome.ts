import type { App } from '../../../app-type.ts';
import { later } from '../../../platform/clock.ts';
import { readAccountOfDriver } from '../accounts/read-account.ts';
import type { Outcome } from '../provider/outcomes.ts';
import type { Payment } from '../provider/payment-calls.ts';
import { accountTroubles, keyLivesMs } from '../rules/next-step.ts';
import { readPayment, recordPayment } from './record-payment.ts';
import { emitChanges } from './signals.ts';
import * as store from './store.ts';
import type { AuthorizationRow } from './store.ts';

/** Writes how a request to the provider ended. Null: nothing is known, the step is repeated later. */
export async function recordOutcome(
  app: App,
  authorization: AuthorizationRow,
  ended: Outcome<Payment>,
): Promise<AuthorizationRow | null> {
  if (ended.outcome === 'unavailable') {
    app.log.warn(
      { authorizationId: authorization.id, trouble: ended.message },
      'the card provider does not answer',
    );
    if (ended.fault === 'idempotency' && authorization.paymentId === null)
      await forgetKey(app, authorization);
    return null;
  }
  const payment = 'value' in ended ? ended.value : null;
  if (payment !== null) {
    const known = await recordPayment(app, authorization, payment, authorization.tries);
    if (known !== null) return known;
    return readPayment(app, (await store.authorizationById(app.db, authorization.id)) ?? authorization);
  }
  return recordRefusal(app, authorization, 'code' in ended ? ended.code : 'unknown');
}

/** The key stands for another request: what that one made is to be found, and another key used. */
async function forgetKey(app: App, { id }: AuthorizationRow): Promise<void> {
  const { transact, clock } = app;
  await transact('forget key', (tx) =>
    store.updateFacts(tx, id, { askedAt: later(clock.now(), -keyLivesMs) }, clock.now()),
  );
}

/**
 * Writes that the provider will not do this as things stand there; the payment there decides what is next.
 */
export async function recordRefusal(
  app: App,
  authorization: AuthorizationRow,
  code: string,
): Promise<AuthorizationRow | null> {
  const { id, paymentId, driverId, factsVersion, state, tries } = authorization;
  if (accountTroubles.includes(code)) await readAccountOfDriver(app, driverId);
  if (paymentId === null) return recordUnplaced(app, authorization, code);
  app.log.error({ authorizationId: id, code }, 'the card provider refuses');
  await store.renewIdempotencyKey(app.db, id);
  const after = await readPayment(app, authorization, tries);
  return after?.factsVersion === factsVersion + 1 && after.state === state ? null : after;
}

/** Writes that the bank or the provider has refused before there is a payment to read. */
function recordUnplaced(app: App, { id }: AuthorizationRow, code: string): Promise<AuthorizationRow> {
  return app.transact('record unplaced', async (tx) => {
    const before = (await store.lockAuthorization(tx, id))!;
    const set = { state: 'requires_payment_method', declineCode: code, trouble: code } as const;
    await store.renewIdempotencyKey(tx, id);
    const after = await store.updateFacts(tx, id, set, app.clock.now());
    await emitChanges(app, tx, before, after);
    return after;
  });
}
