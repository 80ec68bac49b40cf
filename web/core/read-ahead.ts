import { pagesQueryOf, queryOf } from './queries.ts';
import { queryClient } from './query-client.ts';
import { mayRead } from './early-answers.ts';
import type { Read } from './read-of-page.ts';
import { readSession } from './session.ts';

/**
 * Starts a read before the component that shows it is there, into the cache that the component reads. It says
 * nothing when it fails: the component reads again, and says it.
 */
export function readAhead({
  endpoint,
  input,
  isPaginated,
  staleTime,
  follow,
  isOutsideQueries = false,
}: Read): void {
  const user = readSession();
  if (isOutsideQueries || !mayRead(endpoint, user)) return;
  const retry = queryClient.getDefaultOptions().queries?.retry;
  const rules = {
    ...(retry === undefined ? {} : { retry }),
    ...(staleTime === undefined ? {} : { staleTime }),
  };
  if (!isPaginated) {
    const query = queryOf(endpoint, input, true);
    void queryClient.prefetchQuery({ ...query, ...rules }).then(() => {
      const answer = queryClient.getQueryData(query.queryKey);
      if (answer !== undefined) for (const next of follow?.(answer, user.id) ?? []) readAhead(next);
    });
    return;
  }
  const query = pagesQueryOf(endpoint, input, true);
  // How many pages of a list are read again, its component alone knows.
  if (queryClient.getQueryData(query.queryKey) === undefined)
    void queryClient.prefetchInfiniteQuery({ ...query, ...rules });
}
