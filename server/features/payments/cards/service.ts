import type { SavedCard } from '#contract/payments/views.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Env } from '../../../platform/env.ts';
import { Refusal } from '../../../platform/refusal.ts';
import type { IdentityService } from '../../identity/service.ts';
import type { CardProvider } from '../provider/card-provider.ts';
import type { Outcome } from '../provider/outcomes.ts';
import { cardState, isUsable } from '../rules/card-state.ts';
import { holdAt } from '../rules/next-step.ts';
import * as store from '../store.ts';
import type { CardRow } from '../store.ts';

export type Cards = ReturnType<typeof createCards>;

/** So often cards are read while other reads overtake. */
const mostReads = 5;

export const unavailable = () =>
  new Refusal('payment.unavailable', 'Card payments cannot be reached right now. Please try again.');
const methodFailed = () =>
  new Refusal('payment.methodFailed', 'Failed to delete or set a default payment method.');
const methodNotFound = () =>
  new Refusal('payment.methodNotFound', 'This card could not be found.', { code: 404 });

/** Refuses what leads to a payment by card where none are taken. */
export function requireCards({ takesCards }: Pick<Env, 'takesCards'>): void {
  if (!takesCards) throw new Refusal('payment.off', 'No card payments are taken here.', { code: 409 });
}

/** The value of a call that cannot be declined. Refuses `payment.unavailable` while the provider is away, else as `other` says. */
export function valueOf<T>(outcome: Outcome<T>, other: () => Refusal): T {
  if (outcome.outcome === 'done') return outcome.value;
  throw outcome.outcome === 'unavailable' ? unavailable() : other();
}

/** Saved cards: the provider keeps them, the app knows what it needs to show them and to know who can pay. */
export function createCards(
  { db, transact, clock, env, limit, outbox }: Platform,
  provider: CardProvider,
  identity: IdentityService,
) {
  const registrationFailed = () =>
    new Refusal('payment.registrationFailed', 'Payment registration failed, please try again.');

  /** The person as the provider knows them; made at the first card. */
  async function customerOf(userId: string): Promise<string> {
    const known = await store.payerOf(db, userId, provider.kind);
    if (known !== null) return known;
    const details = (await identity.contactDetails([userId])).get(userId);
    const name = (await identity.people([userId])).get(userId)?.name ?? '';
    const made = await provider.createCustomer(
      { email: details?.email ?? '', name, metadata: { user: userId } },
      `customer:${userId}`,
    );
    const customerId = valueOf(made, registrationFailed);
    return store.savePayer(db, { userId, provider: provider.kind, customerId, createdAt: clock.now() });
  }

  /** Reads a person's cards from the provider. The first one becomes the one that pays, and is tried where one was missing. */
  async function sync(userId: string): Promise<CardRow[]> {
    const customerId = await store.payerOf(db, userId, provider.kind);
    if (customerId === null) return [];
    // A read that was overtaken by another is made again; the last of many that come at once is as good as any.
    for (let tries = 0; tries < mostReads; tries++) {
      const rows = await readOnce(userId, customerId);
      if (rows !== null) return rows;
    }
    return store.cardsOf(db, userId, provider.kind);
  }

  /** Reads the cards and keeps them; null where another read was kept meanwhile, which may be the newer one. */
  async function readOnce(userId: string, customerId: string): Promise<CardRow[] | null> {
    const cardReads = await store.cardReadsOf(db, userId, provider.kind);
    let saved = valueOf(await provider.cards(customerId), unavailable);
    const [first] = saved;
    if (first !== undefined && !saved.some(({ isDefault }) => isDefault)) {
      const set = await provider.setDefaultCard(
        { customerId, cardId: first.id },
        `default:${customerId}:${first.id}:${saved.length}`,
      );
      if (set.outcome === 'done') saved = saved.map((card) => ({ ...card, isDefault: card.id === first.id }));
    }
    return transact(async (tx) => {
      const rows = saved.map((card, position) => ({ ...card, userId, provider: provider.kind, position }));
      if (!(await store.saveCards(tx, { userId, provider: provider.kind, cardReads }, rows))) return null;
      const now = clock.now();
      for (const hold of await store.holdsWithoutCard(tx, userId)) {
        const card = await toPayWith(tx, userId, hold.rideAt);
        if (card === null || hold.isAsked) continue;
        const nextAt = holdAt(hold.rideAt, env.HOLD_DAYS, now);
        await store.want(
          tx,
          hold.id,
          { cardId: card.id, state: 'requires_confirmation', nextAt, attempts: 0 },
          now,
        );
        const { id: holdId, bookingId, rideId, requestId, passengerId, driverId } = hold;
        const moved = { holdId, bookingId, rideId, requestId, passengerId, driverId };
        await outbox.emit(tx, 'payment.moved', { ...moved, state: 'requires_confirmation' }, bookingId);
      }
      return store.cardsOf(tx, userId, provider.kind);
    });
  }

  /** The card that pays for a ride at `at`: the chosen one, else the newest that is still good then. */
  async function toPayWith(tx: Db, userId: string, at: Date): Promise<CardRow | null> {
    const usable = (await store.cardsOf(tx, userId, provider.kind)).filter((card) => isUsable(card, at));
    return usable.find(({ isDefault }) => isDefault) ?? usable[0] ?? null;
  }

  const views = (rows: readonly CardRow[]): SavedCard[] =>
    rows.map(({ id, brand, last4, expiryMonth, expiryYear, isDefault }) => ({
      id,
      brand,
      last4,
      expiryMonth,
      expiryYear,
      isDefault,
      state: cardState({ expiryMonth, expiryYear }, clock.now()),
    }));

  async function own(userId: string, cardId: string): Promise<CardRow> {
    const card = (await sync(userId)).find(({ id }) => id === cardId);
    if (card === undefined) throw methodNotFound();
    return card;
  }

  return {
    customerOf,
    sync,
    toPayWith,
    own,
    /** What is known of a person's cards, without asking the provider. */
    known: (tx: Db, userId: string) => store.cardsOf(tx, userId, provider.kind),

    list: async (userId: string) => ({ methods: views(await sync(userId)) }),

    /** Begins to save a card. */
    async begin(userId: string, returnTo: string): Promise<{ clientSecret: string; pageUrl: string | null }> {
      requireCards(env);
      await limit(`card:${userId}`, 30, 3600);
      const customerId = await customerOf(userId);
      const started = await provider.startCard(
        { customerId, returnUrl: `${env.publicUrl}${returnTo}` },
        crypto.randomUUID(),
      );
      const { clientSecret, pageUrl } = valueOf(started, registrationFailed);
      return { clientSecret, pageUrl };
    },

    async choose(userId: string, cardId: string) {
      await own(userId, cardId);
      const customerId = await customerOf(userId);
      valueOf(await provider.setDefaultCard({ customerId, cardId }, crypto.randomUUID()), methodFailed);
      return { methods: views(await sync(userId)) };
    },

    /** Takes a card away. Refuses the last one while a payment still needs one. */
    async remove(userId: string, cardId: string) {
      await own(userId, cardId);
      const rest = (await store.cardsOf(db, userId, provider.kind)).filter(({ id }) => id !== cardId);
      const now = clock.now();
      if (!rest.some((card) => isUsable(card, now)) && (await store.countOpenPayments(db, userId)) > 0)
        throw new Refusal(
          'payment.methodNeeded',
          'A ride to come is paid with this card. Please add another one first.',
          { code: 409 },
        );
      valueOf(await provider.removeCard(cardId, `remove:${cardId}`), methodFailed);
      // Payments that were to be held on it later are held on another.
      await transact((tx) =>
        store.giveUpCard(tx, userId, cardId, rest.find((card) => isUsable(card, now))?.id ?? null),
      );
      return { methods: views(await sync(userId)) };
    },

    /** Takes a person's cards and name away from the provider, before the account goes. */
    async forget(userId: string): Promise<void> {
      const customerId = await store.payerOf(db, userId, provider.kind);
      if (customerId === null) return;
      const gone = await provider.deleteCustomer(customerId);
      if (gone.outcome === 'unavailable') throw unavailable();
    },
  };
}
