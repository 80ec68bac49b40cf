import { LRUCache } from 'lru-cache';
import type { App } from '../../../app-type.ts';
import type { RideAssignment } from '../../matching/service.ts';
import { assignRides } from '../../matching/service.ts';
import type { EventColumns } from '../calendar/store.ts';
import type { Standing } from './plan-state.ts';

const mostPlans = 30;

export type AssignmentCache = ReturnType<typeof createAssignmentCache>;

/**
 * Caches the assignments of recently planned events, so that reading a plan again searches only where its
 * input changed.
 */
export function createAssignmentCache(app: App) {
  const cache = new LRUCache<string, { state: string; plans: Promise<RideAssignment[]> }>({ max: mostPlans });

  /** Returns one assignment for each direction, there and back. */
  return (event: Pick<EventColumns, 'id'>, standing: readonly Standing[]): Promise<RideAssignment[]> => {
    const state = JSON.stringify(
      standing.map((each) => [
        [...each.rides, ...each.requests, ...each.bookings].map(({ id, version }) => [id, version]),
        each.kept,
        each.barred,
      ]),
    );
    const known = cache.get(event.id);
    if (known?.state === state) return known.plans;
    const plans = Promise.all(standing.map((each) => assignRides(app, { ...each, search: true })));
    cache.set(event.id, { state, plans });
    plans.catch(() => cache.delete(event.id));
    return plans;
  };
}
