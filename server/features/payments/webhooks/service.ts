import { keptMs } from '#contract/privacy/retention.ts';
import { later } from '../../../platform/clock.ts';
import type { ProviderEvent } from '../provider/event-calls.ts';
import { readFeed, type PageFrom } from '../provider/read-feed.ts';
import { leaseMs, processDueEvents, processEvent } from './process-events.ts';
import type { WebhookContext } from './read-event.ts';
import * as store from './store.ts';

/**
 * What the provider tells by itself. An event only says that something has moved: how it stands is read
 * afresh, so that events may come late, twice and in any order. Each is written down as soon as it comes, and
 * processed the oldest first; one that fails stays, and is tried again.
 */
export const createWebhooks = (context: WebhookContext) => ({
  /**
   * A webhook's body; false when it is not the provider's. What cannot be processed now is kept for later.
   */
  async receive(body: Buffer, signature: string, network: string): Promise<boolean> {
    const { platform, provider } = context;
    const event = provider.readWebhook(body, signature);
    if (event === null) {
      platform.security.note('webhookForged', { path: '/payment/webhook', network, userId: null });
      return false;
    }
    await keepEvents(context, [event]);
    await processEvent(context, event.id);
    return true;
  },

  /** By the clock: keeps events that no webhook has brought, and processes everything that waits. */
  async catchUp(): Promise<void> {
    const { platform, provider } = context;
    await readFeed(platform, {
      feed: { provider: provider.kind, feed: 'events' },
      leaseMs,
      page: (from: PageFrom) => provider.events(from),
      keep: (events) => keepEvents(context, events),
    });
    await processDueEvents(context);
    // The provider lists events for thirty days, so older ones do not return.
    await store.deleteOldEvents(platform.db, later(platform.clock.now(), -keptMs('moneyNews')));
  },
});

/** Writes events down as due; those that are known stay as they are. */
function keepEvents({ platform }: WebhookContext, events: readonly ProviderEvent[]): Promise<void> {
  const now = platform.clock.now();
  return store.insertEvents(
    platform.db,
    events.map((event) => ({ ...rowOf(event), receivedAt: now, nextAt: now })),
  );
}

/** What is kept of an event. One about a refund is about its payment. */
function rowOf({ id, type, at, accountId, about }: ProviderEvent) {
  const isRefund = about.kind === 'refund' || type === 'charge.refunded';
  const thing =
    isRefund && about.paymentId !== null
      ? { kind: 'payment_intent', thingId: about.paymentId }
      : { kind: about.kind, thingId: about.id };
  return { id, type, at, accountId, ...thing, metadata: { ...about.metadata } };
}
