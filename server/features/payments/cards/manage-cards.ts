import type { SavedCard } from '#contract/payments/views.ts';
import type { App } from '../../../app-type.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { contactDetailsOf, peopleByIds } from '../../identity/service.ts';
import { countOpenPayments, plannedOn, replacePlannedCard } from '../authorizations/store.ts';
import { registrationFailed, requireCards, valueOf, unavailable } from '../provider/outcomes.ts';
import { cardState } from '../rules/card-state.ts';
import * as store from './store.ts';
import type { CardRow } from './store.ts';
import { cardGoodAt, syncCards } from './sync-cards.ts';

interface SavedCards {
  methods: SavedCard[];
}

const methodFailed = () =>
  new Refusal('payment.methodFailed', 'Failed to delete or set a default payment method.');
const methodNotFound = () =>
  new Refusal('payment.methodNotFound', 'We couldn’t find this card.', { code: 404 });

/** A person's saved cards, as the provider has them now. */
export async function listCards(app: App, userId: string): Promise<SavedCards> {
  const rows = await syncCards(app, userId);
  const now = app.clock.now();
  return { methods: rows.map((row) => viewCard(row, now)) };
}

/** A person's own card. Refuses `payment.methodNotFound`. */
export async function ownCard(app: App, userId: string, cardId: string): Promise<CardRow> {
  const card = (await syncCards(app, userId)).find(({ id }) => id === cardId);
  if (card === undefined) throw methodNotFound();
  return card;
}

/** Begins to save a card, which its holder enters in the browser. */
export async function beginCard(
  app: App,
  userId: string,
  returnTo: string,
): Promise<{ clientSecret: string; pageUrl: string | null }> {
  const { env } = app;
  requireCards(env);
  const customerId = await customerOf(app, userId);
  const started = await app.payments.provider.startCard(
    { customerId, returnUrl: `${env.publicUrl}${returnTo}` },
    crypto.randomUUID(),
  );
  const { clientSecret, pageUrl } = valueOf(started, registrationFailed);
  return { clientSecret, pageUrl };
}

/** Makes a card the one that pays. Refuses `payment.methodNotFound` and `payment.methodFailed`. */
export async function chooseCard(app: App, userId: string, cardId: string): Promise<SavedCards> {
  await ownCard(app, userId, cardId);
  const customerId = await customerOf(app, userId);
  const ended = await app.payments.provider.setDefaultCard({ customerId, cardId }, crypto.randomUUID());
  valueOf(ended, methodFailed);
  return listCards(app, userId);
}

/**
 * Removes a card; a hold that is planned on it is planned on another one that is good on the ride's day.
 * Refuses `payment.methodNeeded` where there is none, and the last card while a payment still needs one.
 */
export async function removeCard(app: App, userId: string, cardId: string): Promise<SavedCards> {
  const { db, transact, clock } = app;
  await ownCard(app, userId, cardId);
  const others = (await store.cardsOf(db, userId, app.payments.provider.kind)).filter(
    ({ id }) => id !== cardId,
  );
  const needsToday = cardGoodAt(others, clock.now()) === null && (await countOpenPayments(db, userId)) > 0;
  const planned = await plannedOn(db, userId, cardId);
  if (needsToday || planned.some(({ rideAt }) => cardGoodAt(others, rideAt) === null))
    throw new Refusal(
      'payment.methodNeeded',
      'An upcoming ride uses this card. Please add another one first.',
      { code: 409 },
    );
  valueOf(await app.payments.provider.removeCard(cardId, `remove:${cardId}`), methodFailed);
  await transact('remove card', async (tx) => {
    for (const { id, rideAt } of await plannedOn(tx, userId, cardId))
      await replacePlannedCard(tx, { id, cardId }, cardGoodAt(others, rideAt)?.id ?? null);
  });
  return listCards(app, userId);
}

const viewCard = (
  { id, brand, last4, expiryMonth, expiryYear, isDefault }: CardRow,
  now: Date,
): SavedCard => ({
  id,
  brand,
  last4,
  expiryMonth,
  expiryYear,
  isDefault,
  state: cardState({ expiryMonth, expiryYear }, now),
});

/** The id of a person's customer at the provider; it is made at their first card. */
async function customerOf(app: App, userId: string): Promise<string> {
  const known = await store.payerOf(app.db, userId, app.payments.provider.kind);
  if (known !== null) return known;
  const details = (await contactDetailsOf(app, [userId])).get(userId);
  const name = (await peopleByIds(app, [userId])).get(userId)?.name ?? '';
  const made = await app.payments.provider.createCustomer(
    { email: details?.email ?? '', name, metadata: { user: userId } },
    `customer:${userId}`,
  );
  const customerId = valueOf(made, registrationFailed);
  const createdAt = app.clock.now();
  return store.savePayer(app.db, { userId, provider: app.payments.provider.kind, customerId, createdAt });
}

/** Deletes a person's cards and name at the provider, before their account is deleted. */
export async function deleteCustomer(app: App, userId: string): Promise<void> {
  const customerId = await store.payerOf(app.db, userId, app.payments.provider.kind);
  if (customerId === null) return;
  const gone = await app.payments.provider.deleteCustomer(customerId);
  if (gone.outcome === 'unavailable') throw unavailable();
}
