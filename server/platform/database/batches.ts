import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** Collects what is asked at nearly the same moment into one piece of work. */
export interface Batches<I, O> {
  /** Adds one item to the next batch; resolves once that batch is done. */
  add(item: I): Promise<O>;
}

interface Waiting<I, O> {
  item: I;
  resolve(outcome: O): void;
  reject(error: unknown): void;
}

/** The outcome of one item. */
type Settled<O> = { outcome: O } | { error: unknown };

/**
 * One batch at a time, in the order of arrival: items that arrive during a write form the next batch. The
 * first item after a pause is written at once.
 * @param of.everyMs a batch begins no sooner than this after the one before it.
 * @param of.most maximum items per batch.
 * @param of.write gives one outcome for each item, in their order.
 * @param of.afterwards runs on the outcomes before the callers get them; the next batch may be written in the
 *   meantime.
 * @param of.isOneAtFault whether an error may be the fault of one item; the others are then written without
 *   it.
 */
export function createBatches<I, O>(of: {
  everyMs: number;
  most: number;
  write: (items: readonly I[]) => Promise<readonly O[]>;
  afterwards?: (outcomes: readonly O[]) => void;
  isOneAtFault: (error: unknown) => boolean;
}): Batches<I, O> {
  const { everyMs, most, write, afterwards, isOneAtFault } = of;
  let waiting: Waiting<I, O>[] = [];
  let isUnderWay = false;
  let beganMs = -Infinity;

  async function settle(items: readonly I[]): Promise<Settled<O>[]> {
    try {
      return (await write(items)).map((outcome) => ({ outcome }));
    } catch (error) {
      if (items.length === 1 || !isOneAtFault(error)) return items.map(() => ({ error }));
      const half = items.length >> 1;
      return [...(await settle(items.slice(0, half))), ...(await settle(items.slice(half)))];
    }
  }

  function finish(batch: readonly Waiting<I, O>[], settled: readonly Settled<O>[]): void {
    afterwards?.(settled.flatMap((each) => ('outcome' in each ? [each.outcome] : [])));
    for (const [at, { resolve, reject }] of batch.entries()) {
      const each = settled[at]!;
      if ('outcome' in each) resolve(each.outcome);
      else reject(each.error);
    }
  }

  async function run(): Promise<void> {
    // Items that other sockets add in this same turn of the event loop come along.
    await nextTurn();
    while (waiting.length > 0) {
      const restMs = beganMs + everyMs - performance.now();
      if (restMs > 0 && waiting.length < most) await sleep(restMs);
      beganMs = performance.now();
      const batch = waiting.slice(0, most);
      waiting = waiting.slice(most);
      const settled = await settle(batch.map(({ item }) => item));
      setImmediate(() => finish(batch, settled));
    }
    isUnderWay = false;
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        if (isUnderWay) return;
        isUnderWay = true;
        void run();
      }),
  };
}
