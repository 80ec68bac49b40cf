import { QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';

// What the words need of a browser when they load.
vi.stubGlobal('addEventListener', () => {});
vi.stubGlobal('document', { documentElement: {} });
const { invalidate, invalidateAbout, queryClient } = await import('./query-client.ts');
const { Offline, Refused } = await import('./errors.ts');

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

test('news of one ride reads again what shows it or was asked about it, and the lists, and nothing else', async () => {
  const reads: string[] = [];
  const open = (path: string, input: Record<string, string>, answer: unknown) => {
    const observer = new QueryObserver(queryClient, {
      queryKey: [path, input],
      queryFn: async () => {
        reads.push(`${path} ${Object.values(input).join()}`);
        return answer;
      },
    });
    return observer.subscribe(() => {});
  };
  const opened = [
    open('/order/detail', { id: 'ride-1' }, { order: {} }),
    open('/order/detail', { id: 'request' }, { order: { bookings: [{ rideId: 'ride-1' }] } }),
    open('/order/detail', { id: 'ride-2' }, { order: { id: 'ride-2', pairId: null } }),
    open('/order/list', { role: 'driver' }, { orders: [] }),
    open('/user/profile', {}, { id: 'ride-1' }),
  ];
  await vi.waitFor(() => expect([reads.length, queryClient.isFetching()]).toEqual([opened.length, 0]));
  reads.length = 0;
  await invalidateAbout('ride-1', { lists: ['/order/list'], prefixes: ['/order/'] });
  expect(reads.toSorted()).toEqual(['/order/detail request', '/order/detail ride-1', '/order/list driver']);
  for (const close of opened) close();
});

const observed = (path: string, read: () => Promise<unknown>) =>
  new QueryObserver(queryClient, {
    ...queryClient.getDefaultOptions().queries,
    queryKey: [path],
    queryFn: read,
  });

test('what was refused ahead of a component is not asked for again by it, until there is news', async () => {
  const read = vi.fn(async () => {
    throw new Refused({ code: 404, info: 'Not found', reason: 'event.notFound' });
  });
  await queryClient.prefetchQuery({ queryKey: ['/event/plan'], queryFn: read });
  const observer = observed('/event/plan', read);
  observer.subscribe(() => {})();
  expect(observer.getCurrentResult().error).toBeInstanceOf(Refused);
  expect(read).toHaveBeenCalledTimes(1);

  await invalidate('/event/');
  const stop = observed('/event/plan', read).subscribe(() => {});
  await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(2));
  stop();
});

test('what a lost connection kept from being read ahead is read by the component', async () => {
  const read = vi.fn(async () => {
    throw new Offline(true);
  });
  await queryClient.prefetchQuery({ queryKey: ['/event/list'], queryFn: read });
  const stop = observed('/event/list', read).subscribe(() => {});
  await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(2));
  stop();
});
