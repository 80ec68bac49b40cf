import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBatches } from './batches.ts';

const never = () => false;

test('what is asked at the same moment is one batch, and what comes meanwhile is the next', async () => {
  const written: number[][] = [];
  const batches = createBatches<number, number>({
    everyMs: 1,
    most: 4,
    isOneAtFault: never,
    write: async (items) => {
      written.push([...items]);
      await sleep(5);
      return items.map((item) => 2 * item);
    },
  });
  const first = Promise.all([1, 2, 3].map(batches.add));
  await sleep(3);
  const later = Promise.all([4, 5, 6, 7, 8].map(batches.add));
  expect(await first).toEqual([2, 4, 6]);
  expect(await later).toEqual([8, 10, 12, 14, 16]);
  expect(written).toEqual([[1, 2, 3], [4, 5, 6, 7], [8]]);
  expect(await batches.add(9)).toBe(18);
});

test('one bad item fails alone; what is the fault of none fails all, once', async () => {
  let writes = 0;
  let isAway = false;
  const batches = createBatches<number, number>({
    everyMs: 0,
    most: 100,
    isOneAtFault: (error) => (error as Error).message === 'bad',
    write: async (items) => {
      writes += 1;
      if (isAway) throw new Error('away');
      if (items.includes(5)) throw new Error('bad');
      return [...items];
    },
  });
  const settled = await Promise.allSettled([1, 2, 3, 4, 5, 6, 7].map(batches.add));
  expect(settled.map(({ status }) => status === 'fulfilled')).toEqual([
    true,
    true,
    true,
    true,
    false,
    true,
    true,
  ]);
  isAway = true;
  writes = 0;
  const away = await Promise.allSettled([1, 2].map(batches.add));
  expect(away.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(writes).toBe(1);
});
