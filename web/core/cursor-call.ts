import { useInfiniteQuery } from '@tanstack/react-query';
import type { Endpoint, InputOf, OutputOf } from '#contract/define.ts';
import { call } from './api.ts';
import { keyOf, readingOn } from './queries.ts';

/**
 * Reads a GET endpoint that takes the `cursor` of the page before, page after page: nothing is skipped or
 * shown twice where rows move to the front meanwhile. As `usePaginatedCall` otherwise.
 */
export function useCursorCall<E extends Endpoint, T>(
  endpoint: E,
  input: InputOf<E>,
  options: { items: (output: OutputOf<E>) => readonly T[]; next: (output: OutputOf<E>) => string | null },
) {
  const query = useInfiniteQuery({
    queryKey: [...keyOf(endpoint, input), 'pages'],
    queryFn: ({ pageParam, signal }: { pageParam: string; signal: AbortSignal }) =>
      call(endpoint, Object.assign({}, input, { cursor: pageParam }), { signal, quiet: false }),
    initialPageParam: '',
    getNextPageParam: (last: OutputOf<E>) => options.next(last) ?? undefined,
    select: ({ pages }) => ({ items: pages.flatMap((page) => [...options.items(page)]), first: pages[0] }),
  });
  return { data: query.data, first: query.data?.first, ...readingOn(query) };
}
