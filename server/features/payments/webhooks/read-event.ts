import type { App } from '../../../app-type.ts';
import type { Accounts } from '../accounts/service.ts';
import type { Authorizations } from '../authorizations/service.ts';
import { authorizationById, authorizationByPayment } from '../authorizations/store.ts';
import type { Cards } from '../cards/service.ts';
import { payerByCustomer } from '../cards/store.ts';
import type { Chargebacks } from '../chargebacks/service.ts';
import type { CardProvider } from '../provider/card-provider.ts';
import type { EventRow } from './store.ts';

/** What the reading of events works with. */
export interface WebhookContext {
  platform: App;
  provider: CardProvider;
  authorizations: Authorizations;
  cards: Cards;
  accounts: Accounts;
  chargebacks: Chargebacks;
}

/**
 * Reads afresh how the thing stands that an event is about.
 * @throws Error where the provider does not answer.
 */
export async function readEvent(
  context: WebhookContext,
  { accountId, kind, thingId, metadata }: EventRow,
): Promise<void> {
  const { chargebacks, accounts } = context;
  if (thingId === null) return;
  if (kind === 'payment_intent') await readPayment(context, thingId, metadata['hold']);
  else if (kind === 'dispute') await chargebacks.read(thingId);
  else if (kind === 'radar.early_fraud_warning') await chargebacks.readWarning(thingId);
  else if (kind === 'account') await accounts.readById(thingId);
  else if (kind === 'customer') await readCards(context, thingId);
  else if (kind === 'setup_intent') await readCards(context, await customerBehind(context, thingId));
  else if (accountId !== null) await accounts.readById(accountId);
}

async function readPayment(
  { platform, provider, authorizations }: WebhookContext,
  paymentId: string,
  authorizationId: string | undefined,
): Promise<void> {
  const authorization =
    (await authorizationByPayment(platform.db, paymentId)) ??
    // It was made by a request whose answer is still on its way, or was lost.
    (authorizationId === undefined ? null : await authorizationById(platform.db, authorizationId));
  if (authorization === null || authorization.provider !== provider.kind) return;
  const named = { ...authorization, paymentId: authorization.paymentId ?? paymentId };
  if ((await authorizations.read(named)) === null)
    throw new Error(`the payment ${paymentId} does not answer`);
}

async function readCards({ platform, cards }: WebhookContext, customerId: string | null): Promise<void> {
  const userId = customerId === null ? null : await payerByCustomer(platform.db, customerId);
  if (userId !== null) await cards.sync(userId);
}

/**
 * The customer whose card a setup has saved; null where it has none, or the provider knows no such setup.
 * @throws Error where the provider does not answer.
 */
async function customerBehind({ provider }: WebhookContext, setupId: string): Promise<string | null> {
  const setup = await provider.cardSetup(setupId);
  if (setup.outcome === 'unavailable') throw new Error(`the card setup ${setupId} does not answer`);
  return setup.outcome === 'done' ? setup.value.customerId : null;
}
