import { LRUCache } from 'lru-cache';
import { secondMs, type Clock } from '../clock.ts';
import type { SignedIn } from '../security/session.ts';

const mostPeople = 20_000;
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

/** A value just read, and for whom it may be cached: people who have not changed since the read began. */
interface Reading<T> {
  value: T;
  isStill: (userId: string) => boolean;
}

/** A process's memory of people. The response cache is notified when something in it is to be forgotten. */
export class PersonMemory {
  private readonly clock: Clock;
  /** The owner of each token. */
  private readonly owners = new Map<string, string>();
  private readonly people = new LRUCache<string, Known>({
    max: mostPeople,
    dispose: ({ tokens }) => {
      for (const token of tokens.keys()) this.owners.delete(token);
    },
  });
  /**
   * Reads under way, each with the people who have changed since it began: their values are not cached
   * afterwards.
   */
  private readonly reads = new Set<Set<string | null>>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  forget(userId: string): void {
    for (const changed of this.reads) changed.add(userId);
    this.people.delete(userId);
  }

  forgetEverybody(): void {
    for (const changed of this.reads) changed.add(null);
    this.people.clear();
  }

  /** The person signed in by a token; null where that is not in memory. */
  callerBy(token: string): SignedIn | null {
    const owner = this.owners.get(token);
    const kept = owner === undefined ? undefined : this.people.get(owner)?.tokens.get(token);
    return kept !== undefined && this.isFresh(kept) && kept.value.expiresAt > this.clock.now()
      ? kept.value
      : null;
  }

  keepCaller(token: string, caller: SignedIn): void {
    this.knownOf(caller.userId).tokens.set(token, this.keep(caller));
    this.owners.set(token, caller.userId);
  }

  /** A person's answer by its name; null where it is not remembered. */
  answer(userId: string, name: string): string | null {
    const kept = this.people.get(userId)?.answers.get(name);
    return kept !== undefined && this.isFresh(kept) ? kept.value : null;
  }

  keepAnswer(userId: string, name: string, answer: string): void {
    this.knownOf(userId).answers.set(name, this.keep(answer));
  }

  async watch<T>(read: () => Promise<T>): Promise<Reading<T>> {
    const changed = new Set<string | null>();
    this.reads.add(changed);
    try {
      const value = await read();
      return { value, isStill: (userId) => !changed.has(null) && !changed.has(userId) };
    } finally {
      this.reads.delete(changed);
    }
  }

  private keep<T>(value: T): Kept<T> {
    return { value, sinceMs: this.clock.now().getTime() };
  }

  // A demo's clock may have been put back: entries from the future do not count.
  private isFresh({ sinceMs }: Kept<unknown>): boolean {
    const nowMs = this.clock.now().getTime();
    return nowMs >= sinceMs && nowMs < sinceMs + longestMs;
  }

  private knownOf(userId: string): Known {
    const known = this.people.get(userId);
    if (known !== undefined) return known;
    const fresh: Known = { tokens: new Map(), answers: new Map() };
    this.people.set(userId, fresh);
    return fresh;
  }
}
