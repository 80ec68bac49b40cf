import type { SavedCard } from '#contract/payments/views.ts';
import type { App } from '../../../app-type.ts';
import type { Db } from '../../../platform/database/db.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { contactDetailsOf, peopleByIds } from '../../identity/service.ts';
import {
  countOpenPayments,
  plannedOn,
  replacePlannedCard,
  authorizationsWithoutCard,
  updateGoal,
} from '../authorizations/store.ts';
import type { SavedCard as ProviderCard } from '../provider/card-calls.ts';
import { registrationFailed, requireCards, valueOf, unavailable } from '../provider/outcomes.ts';
import { cardState, isUsable } from '../rules/card-state.ts';
import { authorizationDueAt } from '../rules/next-step.ts';
import * as store from './store.ts';
import type { CardRow } from './store.ts';

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

/** Maximum reads of cards while other reads overtake. */
const mostReads = 5;

/**
 * Reads a person's cards from the provider. The first one becomes the one that pays, and is tried where one
 * was missing.
 */
export async function syncCards(app: App, userId: string): Promise<CardRow[]> {
  const customerId = await store.payerOf(app.db, userId, app.payments.provider.kind);
  if (customerId === null) return [];
  // A read is repeated where another one was stored meanwhile; after several the stored cards are recent.
  for (let reads = 0; reads < mostReads; reads++) {
    const rows = await readOnce(app, userId, customerId);
    if (rows !== null) return rows;
  }
  return store.cardsOf(app.db, userId, app.payments.provider.kind);
}

/**
 * Reads the cards and stores them; null where another read was stored meanwhile, which may be the newer one.
 */
async function readOnce(app: App, userId: string, customerId: string): Promise<CardRow[] | null> {
  const cardReads = await store.cardReadsOf(app.db, userId, app.payments.provider.kind);
  const saved = await readWithDefault(app, customerId);
  return app.transact('sync cards', async (tx) => {
    const rows = saved.map((card, position) => ({
      ...card,
      userId,
      provider: app.payments.provider.kind,
      position,
    }));
    if (!(await store.saveCards(tx, { userId, provider: app.payments.provider.kind, cardReads }, rows)))
      return null;
    await planOnNewCard(app, tx, userId);
    return store.cardsOf(tx, userId, app.payments.provider.kind);
  });
}

/** The cards at the provider; where none pays by default the newest is made to. */
async function readWithDefault(app: App, customerId: string): Promise<ProviderCard[]> {
  const saved = valueOf(await app.payments.provider.cards(customerId), unavailable);
  const [first] = saved;
  if (first === undefined || saved.some(({ isDefault }) => isDefault)) return saved;
  const set = await app.payments.provider.setDefaultCard(
    { customerId, cardId: first.id },
    `default:${customerId}:${first.id}:${saved.length}`,
  );
  if (set.outcome !== 'done') return saved;
  return saved.map((card) => ({ ...card, isDefault: card.id === first.id }));
}

/** Plans a person's authorizations that had no card on the one that pays for them now. */
async function planOnNewCard(app: App, tx: Db, userId: string): Promise<void> {
  const { clock, env, outbox } = app;
  const now = clock.now();
  for (const authorization of await authorizationsWithoutCard(tx, userId)) {
    const {
      id: authorizationId,
      bookingId,
      rideId,
      requestId,
      passengerId,
      driverId,
      rideAt,
    } = authorization;
    const card = await cardToPayWith(app, tx, userId, rideAt);
    if (card === null || authorization.isAsked) continue;
    const nextAt = authorizationDueAt(rideAt, env.HOLD_DAYS, now);
    const state = 'requires_confirmation';
    await updateGoal(tx, authorizationId, { cardId: card.id, state, nextAt, attempts: 0 }, now);
    const moved = { authorizationId, bookingId, rideId, requestId, passengerId, driverId };
    await outbox.emit(tx, 'payment.moved', { ...moved, state }, bookingId);
  }
}

/** The card that pays for a ride at `at`: the chosen one, else the newest that is still good then. */
export async function cardToPayWith(app: App, tx: Db, userId: string, at: Date): Promise<CardRow | null> {
  return cardGoodAt(await store.cardsOf(tx, userId, app.payments.provider.kind), at);
}

/** Of some cards the one that pays at `at`: the chosen one, else the newest that is still good then. */
function cardGoodAt(cards: readonly CardRow[], at: Date): CardRow | null {
  const usable = cards.filter((card) => isUsable(card, at));
  return usable.find(({ isDefault }) => isDefault) ?? usable[0] ?? null;
}

/** The stored cards of a person, without asking the provider. */
export const knownCards = (app: App, tx: Db, userId: string): Promise<CardRow[]> =>
  store.cardsOf(tx, userId, app.payments.provider.kind);
