import { match } from '#contract/rides/endpoints.ts';
import { preferenceNames } from '#contract/rides/preferences.ts';
import { useNow } from '../../core/clock.ts';
import { usePaginatedCall } from '../../core/queries.ts';
import { useSession } from '../../core/use-session.ts';
import type { PlanValues } from '../../features/planning/plan-values.ts';
import { requestOf } from '../../features/planning/publish.ts';
import type { PlannedRoute } from '../../features/planning/use-planned-route.ts';

/**
 * Rides that fit what is filled in so far, also for a guest; not read while something is missing or wrong.
 */
export function useDraftMatches(draft: PlanValues, route: PlannedRoute) {
  const { user } = useSession();
  const now = useNow();
  const { order, problems } = requestOf(draft, {
    zone: route.zone ?? 'UTC',
    quote: route.quote,
    contactWith: user.preferContactWith,
    now,
  });
  const ready = route.quote !== null && Object.keys(problems).length === 0;
  const { from, to, earliestAt, latestAt, seats, walkMetres, offerCents } = order;
  const found = usePaginatedCall(
    match,
    {
      fromLon: from.lon,
      fromLat: from.lat,
      toLon: to.lon,
      toLat: to.lat,
      earliestAt,
      latestAt,
      seats,
      ...(walkMetres === undefined ? {} : { walkMetres }),
      ...(offerCents == null ? {} : { offerCents }),
      preferences: preferenceNames.filter((name) => draft.preferences[name]).join(','),
    },
    { items: ({ candidates }) => candidates, total: ({ total }) => total, enabled: ready },
  );
  return { order, ready, found, timeZone: route.zone ?? 'UTC' };
}

export type DraftMatches = ReturnType<typeof useDraftMatches>;
