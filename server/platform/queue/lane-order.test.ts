import pLimit from 'p-limit';
import { expect, test, vi } from 'vitest';

// The behavior of `p-limit` that the scheduler's lanes rely on.
test('at most so many work at once, in the order in which they came, and one that fails gives up its place', async () => {
  const inTurn = pLimit(2);
  const begun: number[] = [];
  let [working, most] = [0, 0];
  const ends = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const all = ends.map(({ promise }, index) =>
    inTurn(async () => {
      begun.push(index);
      most = Math.max(most, ++working);
      await promise.finally(() => working--);
    }),
  );
  await vi.waitFor(() => expect(begun).toEqual([0, 1]));
  ends[1]!.reject(new Error('no'));
  await expect(all[1]).rejects.toThrow('no');
  ends[0]!.resolve();
  await all[0];
  await vi.waitFor(() => expect(begun).toEqual([0, 1, 2, 3]));
  for (const { resolve } of ends) resolve();
  await Promise.all([all[2], all[3], all[4]]);
  expect([begun, most]).toEqual([[0, 1, 2, 3, 4], 2]);
});
