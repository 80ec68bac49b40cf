import { keptMs } from '#contract/privacy/retention.ts';
import type { App } from '../../../app-type.ts';
import { later } from '../../../platform/clock.ts';
import type { ProviderEvent } from '../provider/event-calls.ts';
import { readFeed, type PageFrom } from '../provider/read-feed.ts';
import { leaseMs, processDueEvents, processEvent } from './process-events.ts';
import * as store from './store.ts';

/**
 * Receives a webhook's body; false when it is not the provider's. An event only says that something has
 * moved: the current state is read from the provider, so that events may come late, twice and in any order.
 * Each is written down as soon as it comes, and processed the oldest first; one that fails stays, and is
 * tried again.
 */
export async function receiveWebhook(
  app: App,
  body: Buffer,
  signature: string,
  network: string,
): Promise<boolean> {
  const event = app.payments.provider.readWebhook(body, signature);
  if (event === null) {
    app.security.note('webhookForged', { path: '/payment/webhook', network, userId: null });
    return false;
  }
  await keepEvents(app, [event]);
  await processEvent(app, event.id);
  return true;
}

/** Keeps events that no webhook has brought, and processes everything that waits. */
export async function catchUpWithEvents(app: App): Promise<void> {
  const { provider } = app.payments;
  await readFeed(app, {
    feed: { provider: provider.kind, feed: 'events' },
    leaseMs,
    page: (from: PageFrom) => provider.events(from),
    keep: (events) => keepEvents(app, events),
  });
  await processDueEvents(app);
  // The provider lists events for thirty days, so older ones do not return.
  await store.deleteOldEvents(app.db, later(app.clock.now(), -keptMs('moneyNews')));
}

/** Writes events down as due; those that are known stay as they are. */
function keepEvents(app: App, events: readonly ProviderEvent[]): Promise<void> {
  const now = app.clock.now();
  return store.insertEvents(
    app.db,
    events.map((event) => ({ ...rowOf(event), receivedAt: now, nextAt: now })),
  );
}

/** The row of an event. A refund event is stored under its payment. */
function rowOf({ id, type, at, accountId, about }: ProviderEvent) {
  const isRefund = about.kind === 'refund' || type === 'charge.refunded';
  const thing =
    isRefund && about.paymentId !== null
      ? { kind: 'payment_intent', thingId: about.paymentId }
      : { kind: about.kind, thingId: about.id };
  return { id, type, at, accountId, ...thing, metadata: { ...about.metadata } };
}
