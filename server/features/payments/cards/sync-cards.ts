import type { App } from '../../../app-type.ts';
import type { Db } from '../../../platform/database/db.ts';
import { authorizationsWithoutCard, updateGoal } from '../authorizations/store.ts';
import type { SavedCard } from '../provider/card-calls.ts';
import { unavailable, valueOf } from '../provider/outcomes.ts';
import { isUsable } from '../rules/card-state.ts';
import { authorizationDueAt } from '../rules/next-step.ts';
import * as store from './store.ts';
import type { CardRow } from './store.ts';

/** Maximum reads of cards while other reads overtake. */
const mostReads = 5;

/**
 * Reads a person's cards from the provider. The first one becomes the one that pays, and is tried where one
 * was missing.
 */
export async function syncCards(app: App, userId: string): Promise<CardRow[]> {
  const customerId = await store.payerOf(app.db, userId, app.payments.provider.kind);
  if (customerId === null) return [];
  // A read that was overtaken by another is made again; the last of many that come at once is as good as any.
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
async function readWithDefault(app: App, customerId: string): Promise<SavedCard[]> {
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
export function cardGoodAt(cards: readonly CardRow[], at: Date): CardRow | null {
  const usable = cards.filter((card) => isUsable(card, at));
  return usable.find(({ isDefault }) => isDefault) ?? usable[0] ?? null;
}

/** The stored cards of a person, without asking the provider. */
export const knownCards = (app: App, tx: Db, userId: string): Promise<CardRow[]> =>
  store.cardsOf(tx, userId, app.payments.provider.kind);
