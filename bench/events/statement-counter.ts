import { AsyncLocalStorage } from 'node:async_hooks';
import { Client } from 'pg';

const ofBenchmark = new AsyncLocalStorage<true>();
let count = 0;

/**
 * Counts every statement of this process from now on that the benchmark itself does not make, `begin` and
 * `commit` too.
 */
export function countStatements(): void {
  const { query } = Client.prototype as unknown as { query: (...question: unknown[]) => unknown };
  Object.assign(Client.prototype, {
    query(this: Client, ...question: unknown[]): unknown {
      if (ofBenchmark.getStore() === undefined) count++;
      return query.apply(this, question);
    },
  });
}

/** Returns the count and starts again from zero. */
export function takeCount(): number {
  const taken = count;
  count = 0;
  return taken;
}

export const asBench = <T>(work: () => Promise<T>): Promise<T> => ofBenchmark.run(true, work);
