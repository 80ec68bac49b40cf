import { QueryObserver } from '@tanstack/react-query';
import { beforeEach, expect, test } from 'vitest';
import { stubBrowser } from './stub-browser.ts';

stubBrowser();
const { shownSince } = await import('./offline-cache.ts');
const { queryClient } = await import('./query-client.ts');

/** A page shows a read that was made at an instant, or could not be made. */
async function show(path: string, madeAt: number | null): Promise<void> {
  const queryKey = [path, {}];
  if (madeAt !== null) queryClient.setQueryData(queryKey, {}, { updatedAt: madeAt });
  const observer = new QueryObserver(queryClient, {
    queryKey,
    queryFn: () => Promise.reject(new Error('Out of order')),
    retry: false,
    staleTime: Infinity,
  });
  observer.subscribe(() => {});
  if (madeAt === null) await observer.refetch();
}
beforeEach(() => queryClient.clear());

test('a page is as old as the oldest of its reads; what the shell shows does not count', async () => {
  const now = Date.now();
  await show('/announcement/current', now);
  expect(shownSince()).toBe(null);
  await show('/order/list', now - 60_000);
  await show('/series/list', now - 120_000);
  expect(shownSince()).toBe(now - 120_000);
});

test('a page that could not read something does not say when it was updated', async () => {
  await show('/order/list', Date.now());
  await show('/im/room-list', null);
  expect(shownSince()).toBe(null);
});

test('a read that is never kept, such as a hint beside the page, changes nothing', async () => {
  const now = Date.now();
  await show('/im/msg-list', now - 60_000);
  await show('/contact/relation', null);
  expect(shownSince()).toBe(now - 60_000);
});
