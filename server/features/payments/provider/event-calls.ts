import type { Stripe } from 'stripe';
import { z } from 'zod';
import { type Clock, later, minuteMs } from '../../../platform/clock.ts';
import type { Platform } from '../../../platform/platform.ts';
import { done, idOf, instantOf, type Attempt, type Outcome } from './outcomes.ts';
import { endFeedLease, keepCursor, leaseFeed, type Feed } from './store.ts';

export interface ProviderEvent {
  id: string;
  type: string;
  at: Date;
  /** The connected account it is about; null for the platform. */
  accountId: string | null;
  /**
   * Its subject, by kind and id: the state is read from the provider, because events come late, twice and in
   * any order.
   */
  about: {
    kind: string;
    id: string | null;
    /** The payment behind a charge, a refund, a chargeback. */
    paymentId: string | null;
    metadata: Readonly<Record<string, string>>;
  };
}

/** The settings by which the webhook's events are verified. */
interface WebhookTerms {
  /** Stripe has one for its own events and one for those of connected accounts. */
  webhookSecrets: readonly string[];
  clock: Clock;
}

/** The calls about what the provider tells by itself. */
export const eventCalls = (stripe: Stripe, attempt: Attempt, { webhookSecrets, clock }: WebhookTerms) => ({
  /**
   * A page of the platform's events of thirty days, for what the webhook has missed; the newest first.
   */
  events: (from: PageFrom): Promise<Outcome<{ items: ProviderEvent[]; hasMore: boolean }>> =>
    attempt(async () => {
      const page = await stripe.events.list(pageOf(from));
      return done({ items: page.data.map(eventOf), hasMore: page.has_more });
    }),

  /**
   * The event of a webhook; null if its signature is wrong, it is older than five minutes, or it is not an
   * event. Any failure of the library is caused by the sender's data.
   */
  readWebhook(body: Buffer | string, signature: string): ProviderEvent | null {
    const now = clock.now().getTime();
    for (const secret of webhookSecrets) {
      try {
        return eventOf(stripe.webhooks.constructEvent(body, signature, secret, undefined, undefined, now));
      } catch {
        // Another secret may match.
      }
    }
    return null;
  },
});

/** The part of an event's object that is read: its kind, its id, and the payment behind it. */
const aboutSchema = z.object({
  object: z.string(),
  id: z.string().optional(),
  metadata: z.record(z.string(), z.string()).nullish().catch(null),
  payment_intent: z
    .union([z.string(), z.object({ id: z.string() })])
    .nullish()
    .catch(null),
});

function eventOf(event: Stripe.Event): ProviderEvent {
  const about = aboutSchema.parse(event.data.object);
  return {
    id: event.id,
    type: event.type,
    at: instantOf(event.created),
    accountId: event.account ?? null,
    about: {
      kind: about.object,
      id: about.id ?? null,
      paymentId: idOf(about.payment_intent),
      metadata: about.metadata ?? {},
    },
  };
}

/** One line of the platform's balance at the provider. */
export interface BalanceLine {
  id: string;
  /** The provider's words for what it is: its type, and the word of its reports. */
  type: string;
  category: string;
  /** Signed: what comes in is positive. `netCents` is the amount less the fee. */
  amountCents: number;
  feeCents: number;
  netCents: number;
  /** The source of the line: a charge, a transfer, a payout, a chargeback; null where nothing is named. */
  sourceId: string | null;
  at: Date;
}

/**
 * The calls that read the platform's own balance. Only US dollars are read: nothing else is ever asked for.
 */
export function balanceCalls(stripe: Stripe, attempt: Attempt) {
  return {
    /** The platform's whole balance: what can be paid out and what is on its way. */
    platformBalance: (): Promise<Outcome<number>> =>
      attempt(async () => {
        const { available, pending } = await stripe.balance.retrieve();
        const sum = (lines: readonly { amount: number; currency: string }[]) =>
          lines.reduce((cents, { amount, currency }) => cents + (currency === 'usd' ? amount : 0), 0);
        return done(sum(available) + sum(pending));
      }),

    /** A page of the lines of the platform's balance, the newest first. */
    balanceLines: (from: PageFrom): Promise<Outcome<{ items: BalanceLine[]; hasMore: boolean }>> =>
      attempt(async () => {
        const page = await stripe.balanceTransactions.list(pageOf(from));
        return done({ items: page.data.map(lineOf), hasMore: page.has_more });
      }),
  };
}

const lineOf = (line: Stripe.BalanceTransaction): BalanceLine => ({
  id: line.id,
  type: line.type,
  category: line.reporting_category,
  amountCents: line.amount,
  feeCents: line.fee,
  netCents: line.net,
  sourceId: idOf(line.source),
  at: instantOf(line.created),
});

/** An item may be listed later than one that happened after it: so far back a list is read again. */
const overlapMs = 10 * minuteMs;

interface Item {
  id: string;
  at: Date;
}

/** `after` an item: those that follow it at once; `before` one: those that precede it; null: the newest. */
export type PageFrom = { after: string } | { before: string } | null;

function pageOf(from: PageFrom): Stripe.PaginationParams {
  if (from === null) return { limit: 100 };
  return {
    limit: 100,
    ...('after' in from ? { ending_before: from.after } : { starting_after: from.before }),
  };
}

/** One of the provider's lists, the newest item first, and what is done with its items. */
interface FeedReader<T extends Item> {
  feed: Feed;
  /** How long one process has the list to itself; every page renews it. */
  leaseMs: number;
  page: (from: PageFrom) => Promise<Outcome<{ items: T[]; hasMore: boolean }>>;
  /** Writes items down; one that was written before is passed over. */
  keep: (items: readonly T[]) => Promise<void>;
  /**
   * Called when the list is read from the beginning, because it no longer has the item that it was read to.
   */
  onLostCursor?: (cursor: string, code: string) => void;
}

type FeedContext = Pick<Platform, 'db' | 'clock'>;

/**
 * Reads what is new in a list of the provider, as much as there is; by one process at a time.
 * @returns false if not all was read: another process has the list, or the provider did not answer
 */
export async function readFeed<T extends Item>(
  context: FeedContext,
  reader: FeedReader<T>,
): Promise<boolean> {
  const { db, clock } = context;
  const { feed, leaseMs } = reader;
  const now = clock.now();
  const leased = await leaseFeed(db, feed, now, later(now, leaseMs));
  if (leased === null) return false;
  try {
    const { lastId: cursor } = leased;
    const settledBefore = later(now, -overlapMs);
    if (cursor !== null) return await readAfter(context, reader, cursor, settledBefore);
    const { lastId, isWhole } = await readAll(reader, settledBefore);
    await keepCursor(db, feed, { lastId, leaseEndsAt: later(now, leaseMs) });
    return isWhole;
  } finally {
    await endFeedLease(db, feed);
  }
}

/**
 * Reads everything, from the newest item to the oldest.
 * @returns the newest that surely follows nothing unseen, null for none; whether the oldest was reached
 */
async function readAll<T extends Item>(
  { page, keep }: FeedReader<T>,
  settledBefore: Date,
): Promise<{ lastId: string | null; isWhole: boolean }> {
  let last: string | null = null;
  let from: PageFrom = null;
  for (;;) {
    const read: Awaited<ReturnType<typeof page>> = await page(from);
    if (read.outcome !== 'done') return { lastId: null, isWhole: false };
    const { items, hasMore } = read.value;
    await keep(items);
    last ??= items.find(({ at }) => at <= settledBefore)?.id ?? null;
    const oldest = items.at(-1);
    if (!hasMore || oldest === undefined) return { lastId: last, isWhole: true };
    from = { before: oldest.id };
  }
}

/** Reads what follows an item, the oldest first. @returns whether the newest was reached */
async function readAfter<T extends Item>(
  { db, clock }: FeedContext,
  { feed, leaseMs, page, keep, onLostCursor }: FeedReader<T>,
  cursor: string,
  settledBefore: Date,
): Promise<boolean> {
  let last = cursor;
  let at = cursor;
  for (;;) {
    const read = await page({ after: at });
    if (read.outcome === 'refused') {
      // The item is listed no more: everything that still is may be new.
      onLostCursor?.(cursor, read.code);
      await keepCursor(db, feed, { lastId: null, leaseEndsAt: later(clock.now(), leaseMs) });
    }
    if (read.outcome !== 'done') return false;
    const { items, hasMore } = read.value;
    await keep(items);
    last = items.find((item) => item.at <= settledBefore)?.id ?? last;
    const newest = items[0];
    const isEnd = !hasMore || newest === undefined;
    // With nothing to keep the lease needs no renewal either: it ends now.
    if (!isEnd || last !== cursor)
      await keepCursor(db, feed, { lastId: last, leaseEndsAt: later(clock.now(), leaseMs) });
    if (isEnd) return true;
    at = newest.id;
  }
}
