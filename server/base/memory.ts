import type { Pool } from 'pg';
import type { Clock } from './clock.ts';
import { keepConnection, type KeptConnection } from './db.ts';
import type { Log } from './log.ts';
import type { SignedIn } from './session.ts';

/** What this process remembers of people who are signed in, so that it need not ask the database again. */
export interface Memory {
  /** The same answers as the function it wraps, without asking twice about a token while nothing has changed. */
  authenticate(token: string): Promise<SignedIn | null>;
  /** A whole answer for one person, made once and sent again while nothing of theirs has changed. */
  answer(userId: string, name: string, make: () => Promise<string>): Promise<string>;
  /** Forgets what is known of a person, or of everybody. */
  forget(userId?: string): void;
  stop(): Promise<void>;
}

type Authenticate = (token: string) => Promise<SignedIn | null>;

const channel = 'person_changed';
const mostPeople = 20_000;
const tryAgainMs = 1000;

interface Known {
  tokens: Map<string, SignedIn>;
  answers: Map<string, string>;
}

/**
 * The database itself says whose rows have changed (triggers on the tables that such answers are made of, migration
 * `person_changed`), so that whatever changes them, in whichever process, is heard here within milliseconds; a change
 * made by a call of this process is forgotten before the call is answered. While nobody can be heard, nothing is
 * remembered.
 */
export function createMemory(pool: Pool, authenticate: Authenticate, clock: Clock, log: Log): Memory {
  const people = new Map<string, Known>();
  const owners = new Map<string, string>();
  // Raised by every change: what was read before a change must not be kept after it.
  let changes = 0;
  let listener: KeptConnection | null = null;
  let stopped = false;

  function forget(userId?: string): void {
    changes += 1;
    if (userId === undefined) {
      people.clear();
      owners.clear();
      return;
    }
    for (const token of people.get(userId)?.tokens.keys() ?? []) owners.delete(token);
    people.delete(userId);
  }

  function knownOf(userId: string): Known {
    let known = people.get(userId);
    if (known === undefined) {
      if (people.size >= mostPeople) forget();
      known = { tokens: new Map(), answers: new Map() };
      people.set(userId, known);
    }
    return known;
  }

  async function listen(): Promise<void> {
    if (stopped) return;
    let kept: KeptConnection | null = null;
    try {
      kept = await keepConnection(pool, () => {
        if (listener === null) return;
        listener = null;
        forget();
        again();
      });
      kept.client.on('notification', ({ payload }) => forget(payload));
      await kept.client.query(`listen ${channel}`);
      forget();
      if (stopped) kept.end();
      else listener = kept;
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

    async authenticate(token) {
      const owner = owners.get(token);
      const remembered = owner === undefined ? undefined : people.get(owner)?.tokens.get(token);
      if (remembered !== undefined && remembered.expiresAt > clock.now()) return remembered;
      const before = changes;
      const caller = await authenticate(token);
      if (caller !== null && listener !== null && changes === before) {
        knownOf(caller.userId).tokens.set(token, caller);
        owners.set(token, caller.userId);
      }
      return caller;
    },

    async answer(userId, name, make) {
      const remembered = people.get(userId)?.answers.get(name);
      if (remembered !== undefined) return remembered;
      const before = changes;
      const made = await make();
      if (listener !== null && changes === before) knownOf(userId).answers.set(name, made);
      return made;
    },

    async stop() {
      stopped = true;
      listener?.client.removeAllListeners('notification');
      listener?.end();
      listener = null;
      forget();
    },
  };
}

/** Remembers nothing: for tests that change tables behind the house's back, and the seed. */
export const noMemory = (authenticate: Authenticate): Memory => ({
  authenticate,
  answer: (_userId, _name, make) => make(),
  forget() {},
  async stop() {},
});
