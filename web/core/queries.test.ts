import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement, useState } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { popularWays } from '#contract/discover/endpoints.ts';

// What the app needs of a browser to be loaded.
vi.stubGlobal('addEventListener', () => {});
vi.stubGlobal('navigator', { languages: ['en-US'] });
vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {} });
const { toast } = await import('../ui/toasts.tsx');
const { keyOf, queryOf, usePaginatedCall } = await import('./queries.ts');

const here = { lon: -122, lat: 37 };
const answer = (...people: number[]) => ({
  pageParams: [0],
  pages: [{ ways: people.map((each) => ({ people: each })), total: people.length, fewest: 3 }],
});

test('a list read page after page stays the same list until one of its items changes', () => {
  const client = new QueryClient();
  const drawings = [answer(5, 8), null, answer(5, 8), answer(5, 9)];
  const lists: (readonly unknown[])[] = [];
  // Made for each of the drawings, as in an app: with new functions at every drawing.
  const Screen = () => {
    const [drawn, setDrawn] = useState(0);
    const said = drawings[drawn];
    if (said) client.setQueryData([...keyOf(popularWays, here), 'pages'], said);
    const { items } = usePaginatedCall(popularWays, here, {
      items: ({ ways }) => ways,
      total: ({ total }) => total,
    });
    lists.push(items);
    if (drawn + 1 < drawings.length) setDrawn(drawn + 1);
    return null;
  };
  renderToString(createElement(QueryClientProvider, { client }, createElement(Screen)));
  const [first, drawnAgain, readAgain, changed] = lists;
  expect(first).toEqual([{ people: 5 }, { people: 8 }]);
  expect(drawnAgain).toBe(first);
  expect(readAgain).toBe(first);
  expect(changed).toEqual([{ people: 5 }, { people: 9 }]);
  expect(changed?.[0]).toBe(first?.[0]);
});

test('a read that fails is said in a toast where the screen shows an earlier answer, else by the screen', async () => {
  vi.stubGlobal('fetch', async () => new Response('Out of order', { status: 503 }));
  const trouble = vi.spyOn(toast, 'trouble').mockReturnValue();
  const client = new QueryClient();
  const { queryKey, queryFn } = queryOf(popularWays, here);
  const read = async (quiet?: boolean) => {
    const { signal } = new AbortController();
    const { queryFn: asked } = quiet === undefined ? { queryFn } : queryOf(popularWays, here, quiet);
    await expect(asked({ client, queryKey, signal })).rejects.toThrow();
    return trouble.mock.calls.splice(0).length;
  };
  expect(await read()).toBe(0);
  expect(await read(false)).toBe(1);
  client.setQueryData(queryKey, { ways: [], total: 0, fewest: 3 });
  expect(await read()).toBe(1);
  expect(await read(true)).toBe(0);
});
