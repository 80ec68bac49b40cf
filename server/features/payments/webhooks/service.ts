import type { Platform } from '../../../platform/platform.ts';
import { dayMs, hourMs, later, minuteMs } from '../../../platform/clock.ts';
import type { Accounts } from '../accounts/service.ts';
import { cursorOf, endLease, keepCursor, leaseFeed } from '../books/store.ts';
import type { Cards } from '../cards/service.ts';
import type { CardProvider, ProviderEvent } from '../provider/card-provider.ts';
import type { Chargebacks } from '../chargebacks/service.ts';
import type { Authorizations } from '../authorizations/service.ts';
import { retryAfterMs } from '../rules/next-step.ts';
import * as store from '../store.ts';
import type { EventRow } from '../store.ts';

const leaseMs = 2 * minuteMs;
/** An event may be listed later than one that happened after it: so far back the list is read again. */
const overlapMs = 10 * minuteMs;
const mostAtOnce = 200;
const sideBySide = 8;
/** The provider lists events for thirty days; nothing older is heard of again. */
const keptMs = 60 * dayMs;
const mostPauseMs = hourMs;

/**
 * What the provider tells by itself. An event only says that something has moved: how it stands is read afresh, so that
 * events may come late, twice and in any order. Each is written down as soon as it is heard of, and dealt with the oldest first;
 * one that fails stays, and is tried again.
 */
export function createWebhooks(
  { db, clock, log, security }: Platform,
  provider: CardProvider,
  features: { holds: Authorizations; cards: Cards; accounts: Accounts; chargebacks: Chargebacks },
) {
  const { holds, cards, accounts, chargebacks } = features;
  const feed = { provider: provider.kind, feed: 'events' } as const;

  async function read({ accountId, kind, thingId, metadata }: EventRow): Promise<void> {
    if (thingId === null) return;
    if (kind === 'payment_intent') await readPayment(thingId, metadata['hold']);
    else if (kind === 'dispute') await chargebacks.hear(thingId);
    else if (kind === 'radar.early_fraud_warning') await chargebacks.hearWarning(thingId);
    else if (kind === 'account') await accounts.heard(thingId);
    else if (kind === 'customer') await readCards(thingId);
    else if (kind === 'setup_intent') await readCards(await customerBehind(thingId));
    else if (accountId !== null) await accounts.heard(accountId);
  }

  async function readPayment(paymentId: string, holdId: string | undefined): Promise<void> {
    const hold =
      (await store.holdByPayment(db, paymentId)) ??
      // It was made by an ask whose answer is still on its way, or was lost.
      (holdId === undefined ? null : await store.holdById(db, holdId));
    if (hold === null || hold.provider !== provider.kind) return;
    if ((await holds.look({ ...hold, paymentId: hold.paymentId ?? paymentId })) === null)
      throw new Error(`the payment ${paymentId} does not answer`);
  }

  async function readCards(customerId: string | null): Promise<void> {
    const userId = customerId === null ? null : await store.payerByCustomer(db, customerId);
    if (userId !== null) await cards.sync(userId);
  }

  async function customerBehind(setupId: string): Promise<string | null> {
    const setup = await provider.cardSetup(setupId);
    return setup.outcome === 'done' ? setup.value.customerId : null;
  }

  const noted = (events: readonly ProviderEvent[]): Promise<void> => {
    const now = clock.now();
    return store.insertEvents(
      db,
      events.map((event) => ({ ...rowOf(event), receivedAt: now, nextAt: now })),
    );
  };

  /** Deals with events that speak of one thing, by one look at it. */
  async function deal(events: readonly EventRow[]): Promise<void> {
    const [first] = events;
    if (first === undefined) return;
    const ids = events.map(({ id }) => id);
    try {
      await read(first);
      await store.restEvents(db, ids, { nextAt: null, error: '' });
    } catch (error) {
      log.error({ err: error, event: first.id }, 'an event of the card provider was not dealt with');
      const pauseMs = Math.min(mostPauseMs, retryAfterMs(first.attempts));
      const reason = String(error instanceof Error ? error.message : error).slice(0, 500);
      await store.restEvents(db, ids, { nextAt: later(clock.now(), pauseMs), error: reason });
    }
  }

  /** Deals with everything that is due, some things side by side. */
  async function dealWithDue(): Promise<void> {
    for (;;) {
      const now = clock.now();
      const claim = { now, leaseEndsAt: later(now, leaseMs), most: mostAtOnce };
      const due = (await store.claimEvents(db, claim)).toSorted((a, b) => a.at.getTime() - b.at.getTime());
      if (due.length === 0) return;
      const things = [
        ...Map.groupBy(due, ({ accountId, kind, thingId }) => `${accountId} ${kind} ${thingId}`),
      ];
      for (let at = 0; at < things.length; at += sideBySide)
        await Promise.all(things.slice(at, at + sideBySide).map(([, events]) => deal(events)));
    }
  }

  /** Notes every event that is listed, from the newest to the oldest. The newest that surely follows nothing unseen. */
  async function noteAll(settledBefore: Date): Promise<string | null> {
    let last: string | null = null;
    let from: { before: string } | null = null;
    for (;;) {
      const page = await provider.events(from);
      if (page.outcome !== 'done') return null;
      const { events, hasMore } = page.value;
      await noted(events);
      last ??= events.find(({ at }) => at <= settledBefore)?.id ?? null;
      const oldest = events.at(-1);
      if (!hasMore || oldest === undefined) return last;
      from = { before: oldest.id };
    }
  }

  /** Notes the events that follow one, the oldest first. */
  async function noteAfter(cursor: string, settledBefore: Date): Promise<void> {
    let last = cursor;
    let at = cursor;
    for (;;) {
      const page = await provider.events({ after: at });
      // The event is listed no more: everything that still is may be new.
      const lease = { leaseEndsAt: later(clock.now(), leaseMs) };
      if (page.outcome === 'refused') await keepCursor(db, feed, { lastId: null, ...lease });
      if (page.outcome !== 'done') return;
      const { events, hasMore } = page.value;
      await noted(events);
      last = events.find((event) => event.at <= settledBefore)?.id ?? last;
      await keepCursor(db, feed, { lastId: last, ...lease });
      const newest = events[0];
      if (!hasMore || newest === undefined) return;
      at = newest.id;
    }
  }

  /** Notes what no webhook has brought; one process at a time, and as much as there is. */
  async function noteMissed(): Promise<void> {
    const now = clock.now();
    if (!(await leaseFeed(db, feed, now, later(now, leaseMs)))) return;
    try {
      const cursor = await cursorOf(db, feed);
      const settledBefore = later(now, -overlapMs);
      if (cursor !== null) return await noteAfter(cursor, settledBefore);
      const lastId = await noteAll(settledBefore);
      await keepCursor(db, feed, { lastId, leaseEndsAt: later(now, leaseMs) });
    } finally {
      await endLease(db, feed);
    }
  }

  return {
    /** A webhook's body; false when it is not the provider's. What cannot be dealt with now is kept for later. */
    async receive(body: Buffer, signature: string, network: string): Promise<boolean> {
      const event = provider.readWebhook(body, signature);
      if (event === null) {
        security.note('webhookForged', { path: '/payment/webhook', network, userId: null });
        return false;
      }
      await noted([event]);
      const now = clock.now();
      const claim = { now, leaseEndsAt: later(now, leaseMs), most: 1, id: event.id };
      await deal(await store.claimEvents(db, claim));
      return true;
    },

    /** By the clock: notes events that no webhook has brought, and deals with everything that waits. */
    async catchUp(): Promise<void> {
      await noteMissed();
      await dealWithDue();
      await store.forgetEvents(db, later(clock.now(), -keptMs));
    },
  };
}

/** What is kept of an event. One about money that went back is about its payment. */
function rowOf({ id, type, at, accountId, about }: ProviderEvent) {
  const isRefund = about.kind === 'refund' || type === 'charge.refunded';
  const thing =
    isRefund && about.paymentId !== null
      ? { kind: 'payment_intent', thingId: about.paymentId }
      : { kind: about.kind, thingId: about.id };
  return { id, type, at, accountId, ...thing, metadata: { ...about.metadata } };
}
