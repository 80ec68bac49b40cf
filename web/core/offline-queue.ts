import { Offline, Refused } from './errors.ts';
import { isSignedIn, readSession } from './session.ts';
import * as shape from './shape.ts';
import { stored } from './stored.ts';

/*
 * Actions made without a connection and sent once it is back, even after a reload: messages, the steps of a
 * ride's day. Each kind is a queue of its own, stored in the browser for the person who filled it, until they
 * sign out.
 */

/** What every queue keeps of an item; `refused` is null while it waits to be sent. */
export const queuedItem = {
  userId: shape.text,
  /** It could not be sent when it was first tried. */
  waited: shape.flag.catch(false),
};
interface QueuedItem {
  userId: string;
  waited: boolean;
  refused: unknown;
}

export interface OfflineQueue<T extends QueuedItem> {
  read: () => readonly T[];
  subscribe: (listener: () => void) => () => void;
  /** Puts an item at the end and starts to send. */
  add: (item: T) => void;
  amend: (key: string, part: Partial<T>) => void;
  forget: (key: string) => void;
  /** Sends what waits; tries again later what cannot be sent now. */
  send: () => Promise<void>;
  /** Sends what an earlier visit left, and whatever waits when the connection is back: once, at launch. */
  start: () => void;
}

/** What became of an item that was to be sent. */
type Outcome = 'settled' | 'signedOut' | 'offline' | { waitMs: number };

const retryMs = { first: 1000, most: 15_000 };

/**
 * @param of.name under which it is stored.
 * @param of.keyOf identifies an item among all others.
 * @param of.thingOf the ride or room it belongs to: the items of one are sent in their order, and one that
 *   cannot be sent holds up no other ride or room.
 * @param of.send sends one item, under its own key: what is sent twice must be done once.
 * @param of.onRefused marks an item that the server does not take, or forgets it.
 */
export function offlineQueue<T extends QueuedItem>(of: {
  name: string;
  schema: shape.Schema<T>;
  keyOf: (item: T) => string;
  thingOf: (item: T) => string;
  send: (item: T) => Promise<void>;
  onRefused: (item: T, refused: Refused) => Promise<void> | void;
}): OfflineQueue<T> {
  const { name, schema, keyOf, thingOf } = of;
  const kept = stored(name, (raw): T[] => {
    const parsed = shape.list(schema).safeParse(raw);
    return parsed.success ? parsed.data : [];
  });
  const change = (edit: (all: T[]) => T[]) => kept.write(edit(kept.reread()));
  const amend = (key: string, part: Partial<T>) =>
    change((all) => all.map((each) => (keyOf(each) === key ? { ...each, ...part } : each)));
  const forget = (key: string) => change((all) => all.filter((each) => keyOf(each) !== key));

  const attempt = async (item: T): Promise<Outcome> => {
    try {
      await of.send(item);
      forget(keyOf(item));
      return 'settled';
    } catch (error) {
      const isRefused = error instanceof Refused && error.code !== 429;
      // Without a session the item waits for its person.
      if (isRefused && error.code === 400) return 'signedOut';
      if (isRefused) {
        await of.onRefused(item, error);
        return 'settled';
      }
      if (!item.waited) amend(keyOf(item), { waited: true } as Partial<T>);
      if (error instanceof Offline) return 'offline';
      return { waitMs: error instanceof Refused ? Number(error.data['retryAfterSeconds']) * 1000 || 0 : 0 };
    }
  };

  const send = sender(name, async () => {
    const held = new Map<string, number>();
    for (;;) {
      const user = readSession();
      const isNext = (item: T) =>
        item.userId === user.id && item.refused === null && !held.has(thingOf(item));
      const next = isSignedIn(user) ? kept.reread().find(isNext) : undefined;
      if (next === undefined) return held.size === 0 ? null : Math.max(...held.values());
      const outcome = await attempt(next);
      if (outcome === 'signedOut') return null;
      // Then nothing else can be sent either.
      if (outcome === 'offline') return 0;
      if (outcome !== 'settled') held.set(thingOf(next), outcome.waitMs);
    }
  });

  return {
    read: kept.read,
    subscribe: kept.subscribe,
    add: (item) => {
      change((all) => [...all, item]);
      // After this call has returned.
      queueMicrotask(() => void send());
    },
    amend,
    forget,
    send,
    start: () => {
      void send();
      addEventListener('online', () => void send());
    },
  };
}

/**
 * Runs passes over a queue: one at a time over all tabs, so that the order holds, and again after growing
 * pauses while something waits.
 * @param pass says for how long what is left has to wait at least, or null where nothing is left.
 */
function sender(name: string, pass: () => Promise<number | null>): () => Promise<void> {
  let isWorking = false;
  let isAskedAgain = false;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const send = async (): Promise<void> => {
    isAskedAgain = isWorking;
    if (isWorking) return;
    isWorking = true;
    clearTimeout(timer);
    try {
      const waitMs = await ('locks' in navigator ? navigator.locks.request(`sameway.${name}`, pass) : pass());
      failures = waitMs === null ? 0 : failures + 1;
      if (waitMs !== null) {
        const backoffMs = Math.min(retryMs.first * 2 ** (failures - 1), retryMs.most);
        timer = setTimeout(() => void send(), Math.max(backoffMs, waitMs));
      }
    } finally {
      isWorking = false;
    }
    // What was added while the pass ended.
    if (isAskedAgain && failures === 0) void send();
  };
  return send;
}
