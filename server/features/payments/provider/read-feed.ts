import { later, minuteMs } from '../../../platform/clock.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { Outcome } from './outcomes.ts';
import { endFeedLease, keepCursor, leaseFeed, type Feed } from './store.ts';

/** An item may be listed later than one that happened after it: so far back a list is read again. */
const overlapMs = 10 * minuteMs;

interface Item {
  id: string;
  at: Date;
}

/** `after` an item: those that follow it at once; `before` one: those that precede it; null: the newest. */
export type PageFrom = { after: string } | { before: string } | null;

/** One of the provider's lists, the newest item first, and what is done with its items. */
export interface FeedReader<T extends Item> {
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
