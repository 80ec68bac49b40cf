import { useEffect } from 'react';
import { match } from '#contract/rides/endpoints.ts';
import type { Candidate } from '#contract/rides/views.ts';
import { usePaginatedCall } from '../../core/queries.ts';

/** One candidate of my order, read page after page until it is found. */
export function useCandidate(ownId: string, otherId: string, side: 'driver' | 'passenger') {
  const found = usePaginatedCall(
    match,
    { id: ownId },
    { items: ({ candidates }) => candidates, total: ({ total }) => total },
  );
  const candidate =
    found.items.find((each: Candidate) =>
      side === 'driver' ? each.request?.id === otherId : each.ride.id === otherId,
    ) ?? null;
  const { hasMore, loadingMore, more } = found;
  useEffect(() => {
    if (candidate === null && hasMore && !loadingMore) more();
  }, [candidate, hasMore, loadingMore, more]);
  return {
    candidate,
    pending: candidate === null && (found.isPending || hasMore),
    error: candidate === null ? found.error : null,
    refetch: found.refetch,
  };
}
