import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createKeyedLock } from './keyed-lock.ts';
import { Refusal } from '../refusal.ts';

test('those in one line go one after another in their order; another line does not wait', async () => {
  const lines = createKeyedLock();
  const done: string[] = [];
  const first = Promise.withResolvers<void>();
  const waits = [
    lines.wait('ride', async () => {
      await first.promise;
      done.push('first');
    }),
    ...['second', 'third'].map((name) => lines.wait('ride', async () => void done.push(name))),
  ];
  await lines.wait('another', async () => void done.push('another'));
  first.resolve();
  await Promise.all(waits);
  expect(done).toEqual(['another', 'first', 'second', 'third']);
});

test('work that fails lets the next one go', async () => {
  const lines = createKeyedLock();
  const failing = lines.wait('ride', () => Promise.reject(new Error('no')));
  const next = lines.wait('ride', async () => 'done');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('done');
});

test('too many in one line are refused at once', async () => {
  const lines = createKeyedLock();
  const first = Promise.withResolvers<void>();
  const waits = Array.from({ length: 100 }, () => lines.wait('ride', () => first.promise));
  await expect(lines.wait('ride', () => sleep(0))).rejects.toThrow(Refusal);
  first.resolve();
  await Promise.all(waits);
});
