import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement, useState } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { popularWays } from '#contract/discover/endpoints.ts';

// What the app needs of a browser to be loaded.
vi.stubGlobal('addEventListener', () => {});
vi.stubGlobal('navigator', { languages: ['en-US'] });
const { keyOf, usePaginatedCall } = await import('./queries.ts');

const here = { lon: -122, lat: 37 };
const answer = (...people: number[]) => ({
  pageParams: [0],
  pages: [{ ways: people.map((each) => ({ people: each })), total: people.length, fewest: 3 }],
});

test('a list read page after page stays the same list until one of its items changes', () => {
  const client = new QueryClient();
  const drawings = [answer(5, 8), null, answer(5, 8), answer(5, 9)];
  const lists: (readonly unknown[])[] = [];
  // Drawn anew for each of the drawings, as an app draws: with functions made at every drawing.
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
