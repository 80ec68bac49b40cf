/** Collects what is asked at nearly the same moment into one piece of work. */
export interface Batches<I, O> {
  /** Adds one item to the next batch; settles once that batch is done. */
  add(item: I): Promise<O>;
}

interface Waiting<I, O> {
  item: I;
  resolve(outcome: O): void;
  reject(error: unknown): void;
}

/**
 * One batch at a time, in the order of arrival: what comes while one is written is the next one. The first
 * item after a pause is not kept waiting.
 * @param of.everyMs a batch begins no sooner than this after the one before it.
 * @param of.most so many items are one batch.
 * @param of.write gives one outcome for each item, in their order.
 * @param of.isOneAtFault whether an error may be the fault of one item; the others are then written without
 *   it.
 */
export function createBatches<I, O>(of: {
  everyMs: number;
  most: number;
  write: (items: readonly I[]) => Promise<readonly O[]>;
  isOneAtFault: (error: unknown) => boolean;
}): Batches<I, O> {
  const { everyMs, most, write, isOneAtFault } = of;
  let waiting: Waiting<I, O>[] = [];
  let isUnderWay = false;
  let beganMs = -Infinity;

  async function settle(batch: readonly Waiting<I, O>[]): Promise<void> {
    try {
      const outcomes = await write(batch.map(({ item }) => item));
      for (const [at, each] of batch.entries()) each.resolve(outcomes[at]!);
    } catch (error) {
      if (batch.length === 1 || !isOneAtFault(error)) for (const each of batch) each.reject(error);
      else {
        const half = batch.length >> 1;
        await settle(batch.slice(0, half));
        await settle(batch.slice(half));
      }
    }
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const restMs = beganMs + everyMs - performance.now();
      // What other sockets have said in this same turn of the event loop comes along.
      await (restMs > 0 && waiting.length < most
        ? new Promise((resolve) => setTimeout(resolve, restMs))
        : new Promise((resolve) => setImmediate(resolve)));
      beganMs = performance.now();
      const batch = waiting.slice(0, most);
      waiting = waiting.slice(most);
      await settle(batch);
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
