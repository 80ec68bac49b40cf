import type { Pool } from 'pg';
import { secondMs, type Clock } from '../clock.ts';
import { keepConnection, type Heartbeat, type KeptConnection } from '../database/db.ts';
import type { Log } from '../observability/log.ts';
import type { Authenticate, SignedIn } from '../security/session.ts';

/** What this process remembers of people who are signed in, so that it need not ask the database again. */
export interface ResponseCache {
  /** The same answers as the function it wraps, without asking twice about a token while nothing has changed. */
  authenticate: Authenticate;
  /** A whole answer for one person, made once and sent again while nothing of theirs has changed. */
  answer(userId: string, name: string, make: () => Promise<string>): Promise<string>;
  /** Forgets what is known of a person. */
  forget(userId: string): void;
  /** Calls back when rows of a person have changed, wherever; with null when that may have gone unheard, for any person. */
  onChange(listener: (userId: string | null) => void): void;
  stop(): Promise<void>;
}

const channel = 'person_changed';
const mostPeople = 20_000;
const tryAgainMs = 1000;
/** Nothing is remembered for longer, whatever is not heard. */
const longestMs = 30 * secondMs;

interface Kept<T> {
  value: T;
  sinceMs: number;
}

interface Known {
  tokens: Map<string, Kept<SignedIn>>;
  answers: Map<string, Kept<string>>;
}

/**
 * The database itself says whose rows have changed (triggers on the tables that such answers are made of, migration
 * `person_changed`), so that whatever changes them, in whichever process, is heard here within milliseconds; a change
 * made by a call of this process is forgotten before the call is answered. While nobody can be heard, nothing is
 * remembered.
 */
export function createResponseCache(
  pool: Pool,
  of: { authenticate: Authenticate; clock: Clock; log: Log; heartbeat?: Heartbeat | undefined },
): ResponseCache {
  const { authenticate, clock, log, heartbeat } = of;
  const people = new Map<string, Known>();
  const owners = new Map<string, string>();
  /** Reads under way, each with the people who have changed since it began: what was read before a change is not kept after it. */
  const reads = new Set<Set<string | null>>();
  const listeners: ((userId: string | null) => void)[] = [];
  let listener: KeptConnection | null = null;
  let stopped = false;

  function drop(userId: string): void {
    for (const token of people.get(userId)?.tokens.keys() ?? []) owners.delete(token);
    people.delete(userId);
  }

  function forget(userId: string): void {
    for (const changed of reads) changed.add(userId);
    drop(userId);
  }

  function forgetEverybody(): void {
    for (const changed of reads) changed.add(null);
    people.clear();
    owners.clear();
  }

  function tell(userId: string | null): void {
    for (const each of listeners) each(userId);
  }

  function knownOf(userId: string): Known {
    let known = people.get(userId);
    if (known === undefined) {
      const [oldest] = people.keys();
      if (oldest !== undefined && people.size >= mostPeople) drop(oldest);
      known = { tokens: new Map(), answers: new Map() };
      people.set(userId, known);
    }
    return known;
  }

  const nowMs = (): number => clock.now().getTime();
  // A demo's clock may have been put back: nothing is kept from the future.
  const isFresh = (kept: Kept<unknown> | undefined): boolean =>
    kept !== undefined && nowMs() >= kept.sinceMs && nowMs() < kept.sinceMs + longestMs;

  /** Reads, and says of whom it may be kept: of those who have not changed meanwhile. */
  async function watched<T>(
    read: () => Promise<T>,
  ): Promise<{ value: T; isStill: (userId: string) => boolean }> {
    const changed = new Set<string | null>();
    reads.add(changed);
    try {
      const value = await read();
      return { value, isStill: (userId) => listener !== null && !changed.has(null) && !changed.has(userId) };
    } finally {
      reads.delete(changed);
    }
  }

  async function listen(): Promise<void> {
    if (stopped) return;
    let kept: KeptConnection | null = null;
    try {
      const onBroken = () => {
        if (listener === null) return;
        listener = null;
        forgetEverybody();
        again();
      };
      kept = await keepConnection(pool, 'sameway changes', onBroken, heartbeat);
      kept.client.on('notification', ({ payload }) => {
        if (payload === undefined) return;
        forget(payload);
        tell(payload);
      });
      await kept.client.query(`listen ${channel}`);
      forgetEverybody();
      if (stopped) kept.end();
      else listener = kept;
      // What changed until now went unheard.
      tell(null);
    } catch (error) {
      kept?.end();
      log.warn({ err: error }, 'changes cannot be heard; nothing is remembered meanwhile');
      again();
    }
  }
  const again = () => setTimeout(() => void listen(), tryAgainMs).unref();
  void listen();

  return {
    forget,

    onChange(each) {
      listeners.push(each);
    },

    async authenticate(token) {
      const owner = owners.get(token);
      const remembered = owner === undefined ? undefined : people.get(owner)?.tokens.get(token);
      if (remembered !== undefined && isFresh(remembered) && remembered.value.expiresAt > clock.now())
        return remembered.value;
      const { value: caller, isStill } = await watched(() => authenticate(token));
      if (caller !== null && isStill(caller.userId)) {
        knownOf(caller.userId).tokens.set(token, { value: caller, sinceMs: nowMs() });
        owners.set(token, caller.userId);
      }
      return caller;
    },

    async answer(userId, name, make) {
      const remembered = people.get(userId)?.answers.get(name);
      if (remembered !== undefined && isFresh(remembered)) return remembered.value;
      const { value: made, isStill } = await watched(make);
      if (isStill(userId)) knownOf(userId).answers.set(name, { value: made, sinceMs: nowMs() });
      return made;
    },

    async stop() {
      stopped = true;
      listener?.client.removeAllListeners('notification');
      listener?.end();
      listener = null;
      forgetEverybody();
    },
  };
}

/** Remembers nothing: for tests that change tables behind the app's back, and the seed. */
export const noResponseCache = (authenticate: Authenticate): ResponseCache => ({
  authenticate,
  answer: (_userId, _name, make) => make(),
  forget() {},
  onChange() {},
  async stop() {},
});
