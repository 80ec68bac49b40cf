import type { Base } from '../../base/base.ts';
import type { Accounts } from './accounts.ts';
import type { Cards } from './cards.ts';
import type { CardProvider, ProviderEvent } from './card-provider.ts';
import type { Holds } from './holds.ts';
import * as store from './store.ts';

const mostPages = 10;

/**
 * What the provider tells by itself. An event only says that something has moved: how it stands is read afresh, so that
 * events may come late, twice and in any order. One is noted once it has been dealt with; what fails is told again.
 */
export function createListening(
  { db, clock, log }: Base,
  provider: CardProvider,
  { holds, cards, accounts }: { holds: Holds; cards: Cards; accounts: Accounts },
) {
  async function read({ accountId, about }: ProviderEvent): Promise<void> {
    const { kind, id, metadata } = about;
    if (id === null) return;
    if (kind === 'payment_intent') {
      const hold =
        (await store.holdByPayment(db, id)) ??
        // It was made by an ask whose answer is still on its way, or was lost.
        (metadata['hold'] === undefined ? null : await store.holdById(db, metadata['hold']));
      if (hold !== null && (await holds.look({ ...hold, paymentId: hold.paymentId ?? id })) === null)
        throw new Error(`the payment ${id} cannot be read`);
    } else if (kind === 'account') await accounts.heard(id);
    else if (kind === 'customer') await readCards(id);
    else if (kind === 'setup_intent') await readCards(await customerBehind(id));
    else if (accountId !== null) await accounts.heard(accountId);
  }

  async function readCards(customerId: string | null): Promise<void> {
    const userId = customerId === null ? null : await store.payerByCustomer(db, customerId);
    if (userId !== null) await cards.sync(userId);
  }

  async function customerBehind(setupId: string): Promise<string | null> {
    const setup = await provider.cardSetup(setupId);
    return setup.outcome === 'done' ? setup.value.customerId : null;
  }

  async function hear(event: ProviderEvent): Promise<void> {
    if ((await store.knownEvents(db, [event.id])).size > 0) return;
    await read(event);
    const { id, type, at } = event;
    await store.noteEvent(db, { id, type, at, receivedAt: clock.now() });
  }

  return {
    /** A webhook's body; false when it is not the provider's. */
    async receive(body: Buffer, signature: string): Promise<boolean> {
      const event = provider.readWebhook(body, signature);
      if (event === null) return false;
      await hear(event);
      return true;
    },

    /** By the clock: deals with events that no webhook has brought, the oldest first. */
    async catchUp(): Promise<void> {
      const missed: ProviderEvent[] = [];
      let before: string | null = null;
      for (let page = 0; page < mostPages; page++) {
        const read = await provider.events(before);
        if (read.outcome !== 'done') return;
        const { events, hasMore } = read.value;
        const known = await store.knownEvents(
          db,
          events.map(({ id }) => id),
        );
        missed.push(...events.filter(({ id }) => !known.has(id)));
        before = events.at(-1)?.id ?? null;
        // All of a page are known: whatever is older was dealt with before.
        if (!hasMore || known.size === events.length || before === null) break;
      }
      for (const event of missed.toReversed())
        await hear(event).catch((error: unknown) =>
          log.error({ err: error, event: event.id }, 'an event of the card provider was not dealt with'),
        );
    },
  };
}
