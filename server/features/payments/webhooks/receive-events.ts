import { keptMs } from '#contract/privacy/retention.ts';
import type { App } from '../../../app-type.ts';
import { later, hourMs, minuteMs } from '../../../platform/clock.ts';
import { readAccountById } from '../accounts/driver-account.ts';
import { readPayment } from '../authorizations/record-payment.ts';
import { authorizationById, authorizationByPayment } from '../authorizations/store.ts';
import { payerByCustomer } from '../cards/store.ts';
import { syncCards } from '../cards/manage-cards.ts';
import { readChargeback, readWarning } from '../chargebacks/record-chargeback.ts';
import { type ProviderEvent, readFeed, type PageFrom } from '../provider/event-calls.ts';
import { retryAfterMs } from '../rules/next-step.ts';
import * as store from './store.ts';
import type { EventRow } from './store.ts';

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

const leaseMs = 2 * minuteMs;
const mostAtOnce = 200;
const sideBySide = 8;
const mostPauseMs = hourMs;
const mostErrorLetters = 500;

/** Processes one event that has just been written down, where no other process has leased it. */
async function processEvent(app: App, id: string): Promise<void> {
  const { db, clock } = app;
  const now = clock.now();
  const lease = { now, leaseEndsAt: later(now, leaseMs), most: 1, id };
  await processTogether(app, await store.leaseDueEvents(db, lease));
}

/** Processes everything that is due, the oldest first, some things side by side. */
async function processDueEvents(app: App): Promise<void> {
  const { db, clock } = app;
  for (;;) {
    const now = clock.now();
    const lease = { now, leaseEndsAt: later(now, leaseMs), most: mostAtOnce };
    const due = (await store.leaseDueEvents(db, lease)).toSorted((a, b) => a.at.getTime() - b.at.getTime());
    if (due.length === 0) return;
    const things = [...Map.groupBy(due, ({ accountId, kind, thingId }) => `${accountId} ${kind} ${thingId}`)];
    for (let at = 0; at < things.length; at += sideBySide)
      await Promise.all(things.slice(at, at + sideBySide).map(([, events]) => processTogether(app, events)));
  }
}

/** Processes events about one thing by reading it once; where that fails they are due again later. */
async function processTogether(app: App, events: readonly EventRow[]): Promise<void> {
  const { db, clock, log } = app;
  const [first] = events;
  if (first === undefined) return;
  const ids = events.map(({ id }) => id);
  try {
    await readEvent(app, first);
    await store.finishEvents(db, ids, { nextAt: null, error: '' });
  } catch (error) {
    log.error({ err: error, event: first.id }, 'an event of the card provider was not dealt with');
    const pauseMs = Math.min(mostPauseMs, retryAfterMs(first.attempts));
    const reason = String(error instanceof Error ? error.message : error).slice(0, mostErrorLetters);
    await store.finishEvents(db, ids, { nextAt: later(clock.now(), pauseMs), error: reason });
  }
}

/**
 * Reads the current state of the thing that an event is about.
 * @throws Error where the provider does not answer.
 */
async function readEvent(app: App, { accountId, kind, thingId, metadata }: EventRow): Promise<void> {
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
