import type { Db } from '../../../platform/database/db.ts';
import { authorizationsWithoutCard, updateGoal } from '../authorizations/store.ts';
import type { SavedCard } from '../provider/card-calls.ts';
import { unavailable, valueOf } from '../provider/refusals.ts';
import { isUsable } from '../rules/card-state.ts';
import { authorizationDueAt } from '../rules/next-step.ts';
import type { ProviderContext } from '../provider/context.ts';
import * as store from './store.ts';
import type { CardRow } from './store.ts';

/** So often cards are read while other reads overtake. */
const mostReads = 5;

/**
 * Reads a person's cards from the provider. The first one becomes the one that pays, and is tried where one
 * was missing.
 */
export async function syncCards(context: ProviderContext, userId: string): Promise<CardRow[]> {
  const { platform, provider } = context;
  const customerId = await store.payerOf(platform.db, userId, provider.kind);
  if (customerId === null) return [];
  // A read that was overtaken by another is made again; the last of many that come at once is as good as any.
  for (let reads = 0; reads < mostReads; reads++) {
    const rows = await readOnce(context, userId, customerId);
    if (rows !== null) return rows;
  }
  return store.cardsOf(platform.db, userId, provider.kind);
}

/** Reads the cards and keeps them; null where another read was kept meanwhile, which may be the newer one. */
async function readOnce(
  context: ProviderContext,
  userId: string,
  customerId: string,
): Promise<CardRow[] | null> {
  const { platform, provider } = context;
  const cardReads = await store.cardReadsOf(platform.db, userId, provider.kind);
  const saved = await readWithDefault(context, customerId);
  return platform.transact(async (tx) => {
    const rows = saved.map((card, position) => ({ ...card, userId, provider: provider.kind, position }));
    if (!(await store.saveCards(tx, { userId, provider: provider.kind, cardReads }, rows))) return null;
    await planOnNewCard(context, tx, userId);
    return store.cardsOf(tx, userId, provider.kind);
  });
}

/** The cards at the provider; where none pays by default the newest is made to. */
async function readWithDefault({ provider }: ProviderContext, customerId: string): Promise<SavedCard[]> {
  const saved = valueOf(await provider.cards(customerId), unavailable);
  const [first] = saved;
  if (first === undefined || saved.some(({ isDefault }) => isDefault)) return saved;
  const set = await provider.setDefaultCard(
    { customerId, cardId: first.id },
    `default:${customerId}:${first.id}:${saved.length}`,
  );
  if (set.outcome !== 'done') return saved;
  return saved.map((card) => ({ ...card, isDefault: card.id === first.id }));
}

/** Plans a person's authorizations that had no card on the one that pays for them now. */
async function planOnNewCard({ platform, provider }: ProviderContext, tx: Db, userId: string): Promise<void> {
  const { clock, env, outbox } = platform;
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
    const card = await cardToPayWith({ provider }, tx, userId, rideAt);
    if (card === null || authorization.isAsked) continue;
    const nextAt = authorizationDueAt(rideAt, env.HOLD_DAYS, now);
    const state = 'requires_confirmation';
    await updateGoal(tx, authorizationId, { cardId: card.id, state, nextAt, attempts: 0 }, now);
    const moved = { authorizationId, bookingId, rideId, requestId, passengerId, driverId };
    await outbox.emit(tx, 'payment.moved', { ...moved, state }, bookingId);
  }
}

/** The card that pays for a ride at `at`: the chosen one, else the newest that is still good then. */
export async function cardToPayWith(
  { provider }: Pick<ProviderContext, 'provider'>,
  tx: Db,
  userId: string,
  at: Date,
): Promise<CardRow | null> {
  return cardGoodAt(await store.cardsOf(tx, userId, provider.kind), at);
}

/** Of some cards the one that pays at `at`: the chosen one, else the newest that is still good then. */
export function cardGoodAt(cards: readonly CardRow[], at: Date): CardRow | null {
  const usable = cards.filter((card) => isUsable(card, at));
  return usable.find(({ isDefault }) => isDefault) ?? usable[0] ?? null;
}
