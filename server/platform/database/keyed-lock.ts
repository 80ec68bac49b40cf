import { setTimeout as sleep } from 'node:timers/promises';
import { secondMs } from '../clock.ts';
import { busy } from '../refusal.ts';

const longestWaitMs = 10 * secondMs;
const mostWaiting = 100;

/**
 * Lets those who want the same thing have it one after another in this process, without a database connection
 * while they wait.
 */
export interface KeyedLock {
  /**
   * Runs `work` when it is its turn. Refuses `server.busy` when that takes too long, or too many wait
   * already.
   */
  wait<T>(name: string, work: () => Promise<T>): Promise<T>;
}

export function createKeyedLock(): KeyedLock {
  const lines = new Map<string, { last: Promise<unknown>; waiting: number }>();
  return {
    async wait(name, work) {
      const line = lines.get(name) ?? { last: Promise.resolve(), waiting: 0 };
      if (line.waiting >= mostWaiting) throw busy();
      lines.set(name, line);
      line.waiting += 1;
      const before = line.last;
      const mine = Promise.withResolvers<void>();
      line.last = before.then(() => mine.promise);
      const givenUp = new AbortController();
      try {
        const isLate = await Promise.race([
          before.then(() => false),
          sleep(longestWaitMs, true, { signal: givenUp.signal, ref: false }).catch(() => false),
        ]);
        if (isLate) throw busy();
        return await work();
      } finally {
        givenUp.abort();
        mine.resolve();
        line.waiting -= 1;
        if (line.waiting === 0) lines.delete(name);
      }
    },
  };
}
