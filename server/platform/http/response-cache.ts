import type { Pool } from 'pg';
import type { Clock } from '../clock.ts';
import { keepConnection, type Heartbeat, type KeptConnection } from '../database/db.ts';
import type { Log } from '../observability/log.ts';
import type { Authenticate } from '../security/session.ts';
import { PersonMemory } from './person-memory.ts';

/** A process's cache of signed-in people, so that it need not ask the database again. */
export interface ResponseCache {
  /**
   * The same answers as the function it wraps, without asking twice about a token while nothing has changed.
   */
  authenticate: Authenticate;
  /** A whole answer for one person, made once and sent again while nothing of theirs has changed. */
  answer(userId: string, name: string, make: () => Promise<string>): Promise<string>;
  /** Forgets what is known of a person. */
  forget(userId: string): void;
  /**
   * Calls back when rows of a person have changed, wherever; with null when that may have gone unheard, for
   * any person.
   */
  onChange(listener: (userId: string | null) => void): void;
  stop(): Promise<void>;
}

const channel = 'person_changed';
const tryAgainMs = 1000;

/**
 * The database itself says whose rows have changed (triggers on the tables that such answers are made of,
 * `tell_person_changed`), so that whatever changes them, in whichever process, is heard here within
 * milliseconds; a change made by a call of this process is forgotten before the call is answered. While
 * changes cannot be heard, nothing is remembered.
 */
export function createResponseCache(
  pool: Pool,
  of: { authenticate: Authenticate; clock: Clock; log: Log; heartbeat?: Heartbeat | undefined },
): ResponseCache {
  const { authenticate, clock, log, heartbeat } = of;
  const memory = new PersonMemory(clock);
  const listeners: ((userId: string | null) => void)[] = [];
  let listener: KeptConnection | null = null;
  let stopped = false;

  function tell(userId: string | null): void {
    for (const each of listeners) each(userId);
  }

  async function listen(): Promise<void> {
    if (stopped) return;
    let kept: KeptConnection | null = null;
    try {
      const onBroken = () => {
        if (listener === null) return;
        listener = null;
        memory.forgetEverybody();
        again();
      };
      kept = await keepConnection(pool, 'sameway changes', onBroken, heartbeat);
      kept.client.on('notification', ({ payload }) => {
        if (payload === undefined) return;
        memory.forget(payload);
        tell(payload);
      });
      await kept.client.query(`listen ${channel}`);
      memory.forgetEverybody();
      if (stopped) kept.end();
      else listener = kept;
      // Changes before LISTEN were missed.
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
    forget: (userId) => memory.forget(userId),

    onChange(each) {
      listeners.push(each);
    },

    async authenticate(token) {
      const remembered = memory.callerBy(token);
      if (remembered !== null) return remembered;
      const { value: caller, isStill } = await memory.watch(() => authenticate(token));
      if (listener !== null && caller !== null && isStill(caller.userId)) memory.keepCaller(token, caller);
      return caller;
    },

    async answer(userId, name, make) {
      const remembered = memory.answer(userId, name);
      if (remembered !== null) return remembered;
      const { value: made, isStill } = await memory.watch(make);
      if (listener !== null && isStill(userId)) memory.keepAnswer(userId, name, made);
      return made;
    },

    async stop() {
      stopped = true;
      listener?.client.removeAllListeners('notification');
      listener?.end();
      listener = null;
      memory.forgetEverybody();
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
