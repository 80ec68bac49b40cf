import type { Endpoint, InputOf } from '#contract/define.ts';
import { pagesQueryOf, queryOf } from './queries.ts';
import { queryClient } from './query-client.ts';
import { isSignedIn, readSession } from './session.ts';

/** A call that a page's first view makes. */
export interface Read {
  endpoint: Endpoint;
  input: Readonly<Record<string, unknown>>;
  /** As `usePaginatedCall` reads it. */
  isPaginated: boolean;
  /** As long as its component takes it for fresh, where that is longer than usual. */
  staleTime?: number;
}

/** A call as `useCall` makes it. */
export const read = <E extends Endpoint>(endpoint: E, input: InputOf<E>, staleTime?: number): Read => ({
  endpoint,
  input,
  isPaginated: false,
  ...(staleTime === undefined ? {} : { staleTime }),
});

/** The first page of a call as `usePaginatedCall` makes it. */
export const firstPage = <E extends Endpoint>(endpoint: E, input: InputOf<E>): Read => ({
  endpoint,
  input,
  isPaginated: true,
});

/**
 * Starts a read before the component that shows it is there, into the cache in which that component looks. It
 * says nothing when it fails: the component reads again, and says it.
 */
export function readAhead({ endpoint, input, isPaginated, staleTime }: Read): void {
  const user = readSession();
  if (endpoint.who !== 'guest' && (!isSignedIn(user) || user.profileMissing)) return;
  const retry = queryClient.getDefaultOptions().queries?.retry;
  const rules = {
    ...(retry === undefined ? {} : { retry }),
    ...(staleTime === undefined ? {} : { staleTime }),
  };
  if (!isPaginated) {
    void queryClient.prefetchQuery({ ...queryOf(endpoint, input, true), ...rules });
    return;
  }
  const query = pagesQueryOf(endpoint, input, true);
  // How many pages of a list are read again, its component alone knows.
  if (queryClient.getQueryData(query.queryKey) === undefined)
    void queryClient.prefetchInfiniteQuery({ ...query, ...rules });
}
