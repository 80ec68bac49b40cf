import type { Log } from '../observability/log.ts';
import { openRedis } from '../redis.ts';

/** The delay after which other processes get a process's counts. */
const tellEveryMs = 500;
const prefix = 'sameway:count:';
/** Maximum keys per script: Redis does nothing else while it runs. */
const mostAtOnce = 500;
/** Adds to each key, and answers what it counts now and how long its window goes on. */
const countAll = `
  local told = {}
  for at, key in ipairs(KEYS) do
    told[2 * at - 1] = redis.call('INCRBY', key, ARGV[2 * at - 1])
    redis.call('PEXPIRE', key, ARGV[2 * at], 'NX')
    told[2 * at] = redis.call('PTTL', key)
  end
  return told`;

/** The count under a key in all processes, and how long its window goes on. */
export interface Shared {
  count: number;
  leftMs: number;
}

/** Counts of this process added to those of others, some time after. */
export interface SharedCounts {
  /**
   * Adds counts to those of all processes; a window begins with the first.
   * @param told gets the counts of all processes, once they are known; never called while Redis is away.
   */
  add(key: string, of: { count: number; windowMs: number }, told: (shared: Shared) => void): void;
  /** Whether Redis answers. */
  isConnected(): boolean;
  close(): void;
}

/**
 * Counts over Redis or Valkey. A call does not wait for it: counts of half a second are sent together, so a
 * limit may be exceeded by what comes in that time. While Redis is away each process counts by itself.
 */
export function openSharedCounts(url: string, log: Log): SharedCounts {
  const waiting = new Map<string, { count: number; windowMs: number; told: (shared: Shared) => void }>();
  const client = openRedis(url);
  let isClosing = false;
  client.on('error', (error: unknown) => {
    if (!isClosing) log.warn({ err: error }, 'counts cannot be shared with other processes');
  });
  client.connect().catch(() => undefined); // Said by the listener above.
  const telling = setInterval(() => {
    if (waiting.size === 0 || !client.isReady) return;
    const all = [...waiting];
    waiting.clear();
    for (let first = 0; first < all.length; first += mostAtOnce) {
      const some = all.slice(first, first + mostAtOnce);
      const keys = some.map(([key]) => prefix + key);
      const added = some.flatMap(([, { count, windowMs }]) => [String(count), String(windowMs)]);
      client
        .eval(countAll, { keys, arguments: added })
        .then((answer) => {
          const figures = answer as number[];
          for (const [at, [, { told }]] of some.entries())
            told({ count: figures[2 * at]!, leftMs: figures[2 * at + 1]! });
        })
        .catch(() => undefined); // Counted here in any case.
    }
  }, tellEveryMs);
  telling.unref();
  return {
    add(key, { count, windowMs }, told) {
      const before = waiting.get(key)?.count ?? 0;
      waiting.set(key, { count: before + count, windowMs, told });
    },
    isConnected: () => client.isReady,
    close() {
      isClosing = true;
      clearInterval(telling);
      client.destroy();
    },
  };
}
