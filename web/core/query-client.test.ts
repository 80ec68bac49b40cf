import { QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';

// What the words need of a browser when they load.
vi.stubGlobal('addEventListener', () => {});
vi.stubGlobal('document', { documentElement: {} });
const { invalidate, queryClient } = await import('./query-client.ts');

test('news that arrives while a screen is read for the first time is not lost', async () => {
  let state = 'driver reached';
  const answers: string[] = [];
  let letGo = () => {};
  const read = async () => {
    const seen = state;
    if (answers.length === 0) await new Promise<void>((resolve) => (letGo = resolve));
    answers.push(seen);
    return seen;
  };
  const observer = new QueryObserver(queryClient, {
    queryKey: ['/order/detail', { id: 'a' }],
    queryFn: read,
  });
  const stop = observer.subscribe(() => {});
  await Promise.resolve();
  state = 'departed';
  const told = invalidate('/order/');
  letGo();
  await told;
  expect(answers).toEqual(['driver reached', 'departed']);
  expect(observer.getCurrentResult().data).toBe('departed');
  stop();
});
