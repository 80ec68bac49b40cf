import type { App } from '../../../app-type.ts';
import { readAccountById } from '../accounts/read-account.ts';
import { readPayment } from '../authorizations/record-payment.ts';
import { authorizationById, authorizationByPayment } from '../authorizations/store.ts';
import { payerByCustomer } from '../cards/store.ts';
import { syncCards } from '../cards/sync-cards.ts';
import { readChargeback, readWarning } from '../chargebacks/read-chargeback.ts';
import type { EventRow } from './store.ts';

/**
 * Reads the current state of the thing that an event is about.
 * @throws Error where the provider does not answer.
 */
export async function readEvent(app: App, { accountId, kind, thingId, metadata }: EventRow): Promise<void> {
  if (thingId === null) return;
  if (kind === 'payment_intent') await readPaymentOf(app, thingId, metadata['hold']);
  else if (kind === 'dispute') await readChargeback(app, thingId);
  else if (kind === 'radar.early_fraud_warning') await readWarning(app, thingId);
  else if (kind === 'account') await readAccountById(app, thingId);
  else if (kind === 'customer') await readCards(app, thingId);
  else if (kind === 'setup_intent') await readCards(app, await customerBehind(app, thingId));
  else if (accountId !== null) await readAccountById(app, accountId);
}

async function readPaymentOf(
  app: App,
  paymentId: string,
  authorizationId: string | undefined,
): Promise<void> {
  const authorization =
    (await authorizationByPayment(app.db, paymentId)) ??
    // It was made by a request whose answer is still on its way, or was lost.
    (authorizationId === undefined ? null : await authorizationById(app.db, authorizationId));
  if (authorization === null || authorization.provider !== app.payments.provider.kind) return;
  const named = { ...authorization, paymentId: authorization.paymentId ?? paymentId };
  if ((await readPayment(app, named)) === null) throw new Error(`the payment ${paymentId} does not answer`);
}

async function readCards(app: App, customerId: string | null): Promise<void> {
  const userId = customerId === null ? null : await payerByCustomer(app.db, customerId);
  if (userId !== null) await syncCards(app, userId);
}

/**
 * The customer whose card a setup has saved; null where it has none, or the provider knows no such setup.
 * @throws Error where the provider does not answer.
 */
async function customerBehind(app: App, setupId: string): Promise<string | null> {
  const setup = await app.payments.provider.cardSetup(setupId);
  if (setup.outcome === 'unavailable') throw new Error(`the card setup ${setupId} does not answer`);
  return setup.outcome === 'done' ? setup.value.customerId : null;
}
