/** Who works beside whom: at most so many at the same moment, the others in the order in which they came. */
export function createTurns(atOnce: number) {
  const waiting: (() => void)[] = [];
  let working = 0;

  return {
    /** Does some work as soon as there is a place for it. */
    async take<T>(work: () => Promise<T>): Promise<T> {
      if (working >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
      else working++;
      try {
        return await work();
      } finally {
        // The place is handed on: who comes now stands behind those who wait.
        const next = waiting.shift();
        if (next === undefined) working--;
        else next();
      }
    },
  };
}
