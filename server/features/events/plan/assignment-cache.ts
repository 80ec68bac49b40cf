import type { MatchingService, RideAssignment } from '../../matching/service.ts';
import type { EventRow } from '../calendar/service.ts';
import type { Standing } from './plan-state.ts';

const mostPlansKept = 30;

export type AssignmentCache = ReturnType<typeof createAssignmentCache>;

/**
 * Caches the assignments of recently planned events, so that reading a plan again searches only where its
 * input changed.
 */
export function createAssignmentCache(matching: MatchingService) {
  const kept = new Map<string, { state: string; plans: Promise<RideAssignment[]> }>();

  /** Returns one assignment for each direction, there and back. */
  return (event: EventRow, standing: readonly Standing[]): Promise<RideAssignment[]> => {
    const state = JSON.stringify(
      standing.map((each) => [
        [...each.rides, ...each.requests, ...each.bookings].map(({ id, version }) => [id, version]),
        each.kept,
        each.barred,
      ]),
    );
    const known = kept.get(event.id);
    if (known?.state === state) return known.plans;
    const plans = Promise.all(standing.map((each) => matching.assign({ ...each, search: true })));
    kept.delete(event.id);
    kept.set(event.id, { state, plans });
    if (kept.size > mostPlansKept) kept.delete(kept.keys().next().value!);
    plans.catch(() => kept.delete(event.id));
    return plans;
  };
}
